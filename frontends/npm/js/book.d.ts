import type { Board, GameName } from "./index.js";

/** A move of a book. */
export interface BookMove {
  move: string;
  /** For the side to move, in units of the score; `unit` of the book is the worth of a piece. */
  value: number;
}

/** The move to play from a book, with its value in the form of a search's report. */
export interface BookChoice {
  move: string;
  /** For the side to move, in pieces. */
  pieces: number;
  /** Plies until a proven win of the side to move. */
  winIn: number | null;
  /** Plies until its proven loss. */
  lossIn: number | null;
}

/** An opening book in the compact form of `spar book export --to bin`. */
export class Book {
  /** Throws an error that names the fault of the file; `name` is for errors. */
  constructor(name: string, file: ArrayBuffer | Uint8Array);
  readonly name: string;
  readonly game: GameName;
  /** Columns x rows. */
  readonly board: string;
  /** The worth of a piece in units of the values. */
  readonly unit: number;
  /** The moves that the book knows in the position of a board, best first; empty outside the book. */
  moves(board: Board): BookMove[];
  /**
   * One of the moves at most `variety` pieces worse than the best one (0.05 by default), at random;
   * null outside the book, and where the best known move is worth over half a piece less than the
   * position.
   */
  choose(board: Board, options?: { variety?: number | undefined }): BookChoice | null;
}
