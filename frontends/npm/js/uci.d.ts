/** An engine that speaks UCI by messages, with the interface of a worker. */
export interface UciEngine extends EventTarget {
  /** Takes a line, for example "go depth 8". */
  postMessage(line: string): void;
  /** Gets each line of the answers as `event.data`. */
  onmessage: ((event: MessageEvent<string>) => void) | null;
  terminate(): Promise<void>;
}

/** Starts an engine. `base` is the address of the package's folder, as for `load`. */
export function uci(options?: { base?: string | URL | undefined }): Promise<UciEngine>;
