/** A game of Sparring. */
export type GameName = "breakthrough" | "ataxx" | "breakthru";

export interface Game {
  name: GameName;
  /** The usual board. */
  board: string;
  /** Every board that the game is played on. */
  boards: string[];
  /** What players call the side that begins, and the other. */
  sides: [string, string];
}

export interface BoardOptions {
  /** The game; breakthrough where it is left out. */
  game?: GameName;
  /** Columns x rows, for example "6x6"; the usual board of the game where it is left out. */
  board?: string;
  /** A position to begin with, which has its own board. */
  fen?: string;
}

/** A move. */
export interface Move {
  /** In the notation of the game, as `push` takes it. */
  text: string;
  /** The square that it begins on; null for a new piece (Ataxx) and a pass. */
  from: string | null;
  /** The square that it ends on; null for a pass. */
  to: string | null;
  /** The sign of the piece that it takes from there, as `squares()` has it; null for none. */
  captured: string | null;
}

/** A game under way: a start, the moves played from there, and the rules. */
export class Board {
  /** The name of a game alone will do. Throws before `load` has made the module ready. */
  constructor(options?: BoardOptions | GameName);
  /** The games that there are. */
  static games(): Game[];
  readonly game: GameName;
  /** Columns x rows. */
  readonly size: string;
  /** The position that the game began with; undefined for the usual one of the board. */
  readonly startFen: string | undefined;
  /** The side to move. In Breakthru a side may make two moves in a row. */
  readonly turn: "first" | "second";
  /** What players call the side to move, for example "White". */
  readonly turnName: string;
  fen(): string;
  /** The signs of the squares, in rows from the top; a dot for an empty one. */
  squares(): string[];
  /** The legal moves; none when the game is over. */
  moves(): string[];
  /** The legal moves as objects; only the moves of the piece on a square, where one is named. */
  legalMoves(options?: { square?: string }): Move[];
  /** A legal move as an object; throws where it is illegal. */
  move(text: string): Move;
  /** The moves played. */
  history(): string[];
  /** The same game once more, which goes its own way from here. */
  copy(): Board;
  /** Begins anew with a position, or with the start of the board where none is given. */
  load(fen?: string): void;
  /** Plays a move and gives its text; throws where it is illegal. */
  push(move: string): string;
  /** Takes the last move back; null at the start. */
  pop(): string | null;
  isGameOver(): boolean;
  result(): "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Why the game has ended; null while it goes on. */
  endedBy(): "rules" | "repetition" | null;
  /** The number of lines of this many plies. */
  perft(depth: number): number;
  ascii(): string;
  /** Gives the memory back at once; otherwise that is done when the object is no longer used. */
  free(): void;
}

export interface ShippedSet {
  /** "breakthrough/8x8" */
  name: string;
  /** What to show in place of the name, where that does not tell enough: a set that a run made. */
  title?: string;
  game: GameName;
  /** The board that it was made for, if it was made for one. */
  board: string | null;
  /** The only board that it can be used on; null for any of the game. */
  fits: string | null;
  /** Its file in the folder `sets`; one that ends with `.pack` names its parts. */
  file: string;
  /** The bytes that are loaded for it; null where the list does not know them. */
  bytes: number | null;
  /** Whether it is the one for boards of the game that have none of their own. */
  usual: boolean;
}

/** A weight set. */
export class Weights {
  /** Reads a weight file: text of JSON, or the bytes of either form. `place` is for errors. */
  constructor(file: string | ArrayBuffer | Uint8Array, place?: string);
  static fetch(url: string | URL): Promise<Weights>;
  /** The sets of the package. */
  static shipped(): Promise<ShippedSet[]>;
  /** A set of the package. */
  static named(name: string): Promise<Weights>;
  /** The one of these sets that plays a board best, if one plays its game. */
  static strongestOf(sets: ShippedSet[], game: GameName, board: string): ShippedSet | undefined;
  /** The set of the package that plays a board best. */
  static strongest(game: GameName, board: string): Promise<Weights>;
  readonly game: GameName;
  readonly board: string | null;
  /** The only board that it can be used on; null for any of the game. */
  readonly fits: string | null;
  readonly name: string;
  readonly description: string;
  readonly scale: number;
  /** What a piece is worth, in units of the score: a score divided by it is in pieces. */
  readonly unit: number;
  /** The chance to win of the side to move is about 1 / (1 + Math.exp(-score / winScale)). */
  readonly winScale: number;
  /** 16 hexadecimal digits that stand for how the set plays. */
  readonly fingerprint: string;
  /** The document of the weight file. */
  toJSON(): object;
  /** The compact form of the weight file. */
  toBytes(): Uint8Array;
}

export interface Limits {
  /** Positions visited. */
  nodes?: number;
  /** Plies. */
  depth?: number;
  /** Milliseconds. */
  movetime?: number;
  /** How many of the best lines to report, each beginning with another move; 1 by default. */
  multipv?: number;
  /** The moves to choose from; all by default. */
  searchmoves?: string[];
}

/** A line that a search has found; it has the fields of `Report`. */
export interface Line {
  best: string;
  score: number;
  pieces: number | null;
  winIn: number | null;
  lossIn: number | null;
  depth: number;
  pv: string[];
}

export interface Report {
  /** The move to play; null only when the game is over. */
  best: string | null;
  /** From the side to move, in units of the weight set. */
  score: number;
  /** The same in pieces; null where a win or a loss is proven. */
  pieces: number | null;
  /** Plies until a proven win of the side to move. */
  winIn: number | null;
  /** Plies until its proven loss. */
  lossIn: number | null;
  /** The last depth finished, in plies. */
  depth: number;
  /** Positions visited. */
  nodes: number;
  seconds: number;
  /** The best line. */
  pv: string[];
  /** Every line that was asked for, best first, the best one among them. */
  lines: Line[];
}

export interface Explanation {
  /** The features with one weight. */
  terms: { name: string; value: number; weight: number; product: number }[];
  /** The tables; each pattern is cell, count and weight. */
  tables: { name: string; patterns: [number, number, number][]; product: number }[];
  network: { inputs: number[]; hidden: number[]; product: number } | null;
  /** The sum of the products. */
  sum: number;
  scale: number;
  /** The sum over the scale, rounded toward zero, from the side to move. */
  score: number;
  /** What a piece is worth, in the units of the score. */
  unit: number;
}

/** An engine for one game and board. */
export class Engine {
  /** `hash` is the size of its table in MiB, 16 where it is left out. */
  constructor(weights: Weights, options?: { board?: string; hash?: number });
  /**
   * Searches until a limit is reached; nothing else runs in the thread meanwhile. `stop` ends it
   * once its first number is not 0, set from another thread.
   */
  search(
    board: Board,
    limits: Limits & { stop?: Int32Array },
    onDepth?: (report: Report) => void,
  ): Report;
  /** The static value of the position, term by term. */
  explain(board: Board): Explanation;
  /** Forgets everything: before each game, and where results must depend on nothing else. */
  clear(): void;
  free(): void;
}

/**
 * Makes the module ready, once. `wasm` is the module's bytes (gzip or not) or address, if not the package's; `base`
 * is the address of the package's folder, where a bundler has moved this code.
 */
export function load(options?: {
  base?: string | URL;
  wasm?: BufferSource | WebAssembly.Module | Response | URL | string;
}): Promise<{ Board: typeof Board; Weights: typeof Weights; Engine: typeof Engine }>;
