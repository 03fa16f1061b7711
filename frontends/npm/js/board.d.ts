import type { Board, GameName, Move } from "./index.js";

/** A move as `Board.legalMoves()` or `Board.moves()` gives it. */
export type MoveLike = string | Move;

/** What a person has pointed at that is no move. */
export interface Selection {
  /** The square; null where a choice was given up. */
  square: string | null;
  /** The legal moves from there; none where no piece of the square can move. */
  moves: Move[];
}

export interface SquareNumber {
  /** "a1" */
  square: string;
  text: string | number;
  /** How strong its colour is, from -1 to 1. */
  share?: number;
}

export interface SparringBoardEventMap extends HTMLElementEventMap {
  /** A person has made a legal move. The board shows it once `position` says so. */
  move: CustomEvent<Move>;
  /** A person has chosen a piece, pointed at another square, or given up the choice. */
  select: CustomEvent<Selection> & Event;
}

/**
 * The element `sparring-board`. Attributes of the same names (`last-move` for `lastMove`) set the properties
 * as texts; changed properties do not change attributes. `null` brings a default back.
 */
export class SparringBoard extends HTMLElement {
  /** Breakthrough by default. Other names show games of one's own, with White and Black pieces. */
  game: GameName | (string & {});
  /** Columns x rows of an empty board; the usual board of the game by default. A position has its own. */
  board: string | null;
  /** A FEN, or the rows from the top as `Board.squares()` gives them. Throws where it is no board. */
  position: string | string[] | null;
  /** The side that is below; the first by default. */
  orientation: "first" | "second";
  /** The move that led here, or the names of its squares, to be marked. */
  lastMove: MoveLike | string[] | null;
  /** The legal moves; as an attribute, texts between spaces. */
  get legal(): MoveLike[] | null;
  set legal(moves: Iterable<MoveLike> | string | null);
  /** Whether a person can point at squares and make the legal moves; false by default. */
  interactive: boolean;
  /** The name of the board for readers of the screen; the game and the side to move by default. */
  label: string | null;
  /** Moves to draw as arrows, the most important one first. */
  arrows: (MoveLike | string[])[];
  /** Numbers on squares. */
  numbers: SquareNumber[];
  /** The signs of each side's pieces, for games of one's own. */
  signs: [string, string];
  /** Shows a game under way: its position, last move and legal moves. */
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
