/** A line of the engine's output. */
export interface UciMessage extends Event {
  readonly data: string;
}

/** A UCI engine that communicates by messages, with the interface of a worker. */
export interface UciEngine extends EventTarget {
  /** Sends a line to the engine, for example "go depth 8". */
  postMessage(line: string): void;
  /** Receives each line of the engine's output as `event.data`. */
  onmessage: { listener(event: UciMessage): void }["listener"] | null;
  terminate(): Promise<void>;
}

/** Starts an engine. `base` is the address of the package's folder, as for `load`. */
export function uci(options?: { base?: string | URL | undefined }): Promise<UciEngine>;
