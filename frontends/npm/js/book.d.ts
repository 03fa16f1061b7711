import type { Board, GameName } from "./index.js";

/** A move in an opening book. */
export interface BookMove {
  move: string;
  /** For the side to move, in units of the score; `unit` of the book is the value of a piece. */
  value: number;
}

/** The book's choice of a move, with its value in the form of a search report. */
export interface BookChoice {
  move: string;
  /** For the side to move, in pieces. */
  pieces: number;
  /** Plies until a proven win of the side to move. */
  winIn: number | null;
  /** Plies until a proven loss of the side to move. */
  lossIn: number | null;
}

/** An opening book in the compact form of `spar book export --to bin`. */
export class Book {
  /** Throws an error if the file is faulty. Errors name the file by `name`. */
  constructor(name: string, file: ArrayBuffer | Uint8Array);
  readonly name: string;
  readonly game: GameName;
  /** The board size, columns x rows. */
  readonly board: string;
  /** The value of a piece in units of the values. */
  readonly unit: number;
  /** The book's moves for the position of a board, best first; empty outside the book. */
  moves(board: Board): BookMove[];
  /**
   * A random move of those at most `variety` pieces (0.05 by default) worse than the best. Null
   * outside the book, and also if the best known move is worth over half a piece less than the
   * position.
   */
  choose(board: Board, options?: { variety?: number | undefined }): BookChoice | null;
}
