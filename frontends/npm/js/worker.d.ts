import type { Board, BoardOptions, Explanation, GameName, Limits, Move, Report, Weights } from "./index.js";

/** A position as moves from a start, so that the engine recognizes repetitions. */
export interface Position extends BoardOptions {
  moves?: readonly (string | Move)[] | undefined;
}

export interface WorkerOptions {
  board?: string | undefined;
  /** The size of the engine's transposition table in MiB, 16 by default. */
  hash?: number | undefined;
  /** The name of the weights in error messages. */
  place?: string | undefined;
  /** The address of the package's folder; by default the address given to `load`. */
  base?: string | URL | undefined;
}

/** An engine in a separate thread. */
export class EngineWorker {
  /**
   * `weights`: a package set's name ("breakthrough/8x8"), the bytes or the object of a file, or
   * Weights.
   */
  static start(weights: string | object | Uint8Array | Weights, options?: WorkerOptions): Promise<EngineWorker>;
  /**
   * Searches a position; a text is the name of a game. Only one search at a time. If `onDepth`
   * throws an exception, the search ends and fails with it.
   */
  search(
    position: Board | Position | GameName,
    limits: Limits,
    onDepth?: (report: Report) => void,
  ): Promise<Report>;
  /** Ends the running search, which returns its result so far. */
  stop(): Promise<void>;
  /** The static value of a position, term by term. Waits for the running search. */
  explain(position: Board | Position | GameName): Promise<Explanation>;
  clear(): Promise<void>;
  /** Ends the worker. All later requests fail. */
  terminate(): Promise<void>;
}
