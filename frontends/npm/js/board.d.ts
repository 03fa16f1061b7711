import type { Board, GameName, Move } from "./index.js";

/** A move as returned by `Board.legalMoves()` or `Board.moves()`. */
export type MoveLike = string | Move;

/** A selection by the user that is not a move. */
export interface Selection {
  /** The square; null when the user cancels the selection. */
  square: string | null;
  /** The legal moves from there; empty if no piece on the square can move. */
  moves: Move[];
}

export interface SquareNumber {
  /** "a1" */
  square: string;
  text: string | number;
  /** The intensity of its colour, from -1 to 1. */
  share?: number | undefined;
}

export interface SparringBoardEventMap extends HTMLElementEventMap {
  /** The user has made a legal move. The board shows it once `position` includes it. */
  move: CustomEvent<Move>;
  /** The user has selected a piece or another square, or cancelled the selection. */
  select: CustomEvent<Selection> & Event;
}

/**
 * The element `sparring-board`. Attributes of the same names (`last-move` for `lastMove`) set the properties
 * as texts; properties do not change attributes. `null` restores a default.
 */
export class SparringBoard extends HTMLElement {
  /** Breakthrough by default. Other names show user-defined games, with White and Black pieces. */
  game: GameName | (string & {});
  /** Columns x rows of an empty board; the game's default if null. A position has its own. */
  board: string | null;
  /** A FEN, or the rows from the top as in `Board.squares()`. Throws if it is not a board. */
  position: string | readonly string[] | null;
  /** The side at the bottom of the board; the first side by default. */
  orientation: "first" | "second";
  /** The last move, or the names of its squares, to mark. */
  lastMove: MoveLike | readonly string[] | null;
  /** The legal moves; as an attribute, texts between spaces. */
  get legal(): MoveLike[] | null;
  set legal(moves: Iterable<MoveLike> | string | null);
  /** Whether the user can select squares and make the legal moves; false by default. */
  interactive: boolean;
  /** The name of the board for screen readers; the game and the side to move by default. */
  label: string | null;
  /** Moves to draw as arrows, the most important one first. */
  arrows: readonly (MoveLike | readonly string[])[];
  /** Numbers on squares. */
  numbers: readonly SquareNumber[];
  /** The signs of each side's pieces, for user-defined games. */
  signs: readonly [string, string];
  /** Shows a game's position, last move and legal moves. */
  show(board: Board): void;
  /** Turns the board. */
  flip(): void;
  addEventListener<K extends keyof SparringBoardEventMap>(
    type: K,
    listener: (this: SparringBoard, event: SparringBoardEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof SparringBoardEventMap>(
    type: K,
    listener: (this: SparringBoard, event: SparringBoardEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "sparring-board": SparringBoard;
  }
}
