import type { Board, BoardOptions, Explanation, Limits, Report } from "./index.js";

/** A position as moves from a start, so that repetitions are known. */
export interface Position extends BoardOptions {
  moves?: string[];
}

/** An engine in a thread of its own. */
export class EngineWorker {
  /** `weights` is a name of the package, "breakthrough/8x8", or the bytes of a weight file. */
  static start(
    weights: string | Uint8Array,
    options?: { board?: string; hash?: number; place?: string },
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
