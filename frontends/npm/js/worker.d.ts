import type { Board, BoardOptions, Explanation, Limits, Report, Weights } from "./index.js";

/** A position as moves from a start, so that repetitions are known. */
export interface Position extends BoardOptions {
  moves?: string[];
}

/** An engine in a thread of its own. */
export class EngineWorker {
  /**
   * `weights` is a name of the package, "breakthrough/8x8", the bytes of a weight file, or Weights.
   * `base` is the address of the package's folder; without it the one that `load` was given.
   */
  static start(
    weights: string | Uint8Array | Weights,
    options?: { board?: string; hash?: number; place?: string; base?: string | URL },
  ): Promise<EngineWorker>;
  /** One search at a time. */
  search(
    position: Board | Position,
    limits: Limits,
    onDepth?: (report: Report) => void,
  ): Promise<Report>;
  /** Ends the running search, which answers with what it has found. */
  stop(): Promise<void>;
  /** The static value of a position, term by term; after the search that is under way. */
  explain(position: Board | Position): Promise<Explanation>;
  clear(): Promise<void>;
  terminate(): Promise<void>;
}
