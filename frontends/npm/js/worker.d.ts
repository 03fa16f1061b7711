import type { Board, BoardOptions, Explanation, Limits, Report, Weights } from "./index.js";

/** A position as moves from a start, so that the engine knows of repetitions. */
export interface Position extends BoardOptions {
  moves?: readonly string[] | undefined;
}

export interface WorkerOptions {
  board?: string | undefined;
  /** The size of the engine's table in MiB, 16 by default. */
  hash?: number | undefined;
  /** The name of the weights in errors. */
  place?: string | undefined;
  /** The address of the package's folder; by default the one given to `load`. */
  base?: string | URL | undefined;
}

/** An engine in a thread of its own. */
export class EngineWorker {
  /** `weights` is a set of the package, "breakthrough/8x8", the bytes of a weight file, or Weights. */
  static start(weights: string | Uint8Array | Weights, options?: WorkerOptions): Promise<EngineWorker>;
  /** One search at a time. */
  search(
    position: Board | Position,
    limits: Limits,
    onDepth?: (report: Report) => void,
  ): Promise<Report>;
  /** Ends the running search, which answers with its result so far. */
  stop(): Promise<void>;
  /** The static value of a position, term by term; waits for the running search. */
  explain(position: Board | Position): Promise<Explanation>;
  clear(): Promise<void>;
  /** Ends the worker; every later request fails. */
  terminate(): Promise<void>;
}
