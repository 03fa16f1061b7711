/** A game of Sparring. */
export type GameName = "breakthrough" | "ataxx" | "breakthru";

export interface Game {
  name: GameName;
  /** The game's default board. */
  board: string;
  /** Every board that the game supports. */
  boards: string[];
  /** The names of the two sides, the first side first. */
  sides: [string, string];
}

export interface BoardOptions {
  /** The game; breakthrough by default. */
  game?: GameName | undefined;
  /** Columns x rows, for example "6x6"; the game's default board if missing. */
  board?: string | undefined;
  /** A position to begin with. It includes its own board. */
  fen?: string | undefined;
}

/** A move as an object. */
export interface Move {
  /** In the notation of the game, as `push` takes it. */
  text: string;
  /** The square of the piece that moves; null for a new piece (Ataxx) and a pass. */
  from: string | null;
  /** The square where the move ends; null for a pass. */
  to: string | null;
  /** The sign of the captured piece, as in `squares()`; null for none. */
  captured: string | null;
}

/** A game: its start, the moves since then, and the rules. */
export class Board {
  /** A text is the name of a game. Throws before `load` has finished. */
  constructor(options?: BoardOptions | GameName);
  /** The games with their boards. */
  static games(): Game[];
  readonly game: GameName;
  /** The board size, columns x rows. */
  readonly size: string;
  /** The position that the game began with; undefined for the standard start of the board. */
  readonly startFen: string | undefined;
  /** The side to move. In Breakthru a side may make two moves in a row. */
  readonly turn: "first" | "second";
  /** The name of the side to move, for example "White". */
  readonly turnName: string;
  fen(): string;
  /** The signs of the squares, in rows from the top; a dot for an empty one. */
  squares(): string[];
  /** The legal moves; empty when the game is over. */
  moves(): string[];
  /** The legal moves as objects, or only the moves of the piece on a square. */
  legalMoves(options?: { square?: string | undefined }): Move[];
  /** A legal move as an object; throws if it is illegal. */
  move(text: string): Move;
  /** The moves since the start of the game. */
  history(): string[];
  /** An independent copy. */
  copy(): Board;
  /** Starts again from a position, or from the standard start of the board. */
  load(fen?: string): void;
  /** Makes a move and returns its text; throws if it is illegal. */
  push(move: string | Move): string;
  /** Takes the last move back; null at the start. */
  pop(): string | null;
  isGameOver(): boolean;
  result(): "1-0" | "0-1" | "1/2-1/2" | "*";
  /** The reason for the end of the game; null before. */
  endedBy(): "rules" | "repetition" | null;
  /** The number of lines of this many plies. */
  perft(depth: number): number;
  ascii(): string;
  /** Releases the memory now; otherwise garbage collection does. */
  free(): void;
}

export interface ShippedSet {
  /** The name, for example "breakthrough/8x8". */
  name: string;
  /** A text to show instead of the name, for a run's set. */
  title?: string | undefined;
  game: GameName;
  /** The board that it was made for; null for a set for any board. */
  board: string | null;
  /** The only board that can use it; null for any board of the game. */
  fits: string | null;
  /** Its file in the folder `sets`. A file that ends with `.pack` lists its parts. */
  file: string;
  /** The bytes to load; null if the list does not know them. */
  bytes: number | null;
  /** Whether it is the default for boards without their own set. */
  usual: boolean;
}

/** A weight set. */
export class Weights {
  /**
   * Reads a weight file: JSON, as text or as `toJSON` gives it, or the bytes of either form. `place`
   * is for errors.
   */
  constructor(file: string | object | ArrayBuffer | Uint8Array, place?: string);
  static fetch(url: string | URL): Promise<Weights>;
  /** The sets shipped with the package. */
  static shipped(): Promise<ShippedSet[]>;
  /** A set of the package by its name. */
  static named(name: string): Promise<Weights>;
  /** The strongest of these sets on a board; undefined if none is for its game. */
  static strongestOf(sets: readonly ShippedSet[], game: GameName, board: string): ShippedSet | undefined;
  /** The strongest set of the package on a board; throws if the game is not played on it. */
  static strongest(game: GameName, board: string): Promise<Weights>;
  readonly game: GameName;
  readonly board: string | null;
  /** The only board that can use it; null for any board of the game. */
  readonly fits: string | null;
  readonly name: string;
  readonly description: string;
  readonly scale: number;
  /** The value of a piece in units of the score: score / unit is in pieces. */
  readonly unit: number;
  /** The side to move wins with a probability of about 1 / (1 + Math.exp(-score / winScale)). */
  readonly winScale: number;
  /** A digest of the weights and search constants, 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** The weight file as an object. */
  toJSON(): object;
  /** The compact form of the weight file. */
  toBytes(): Uint8Array;
}

/** The limits of a search, at least one of nodes, depth and movetime. */
export interface Limits {
  /** The number of positions to visit. */
  nodes?: number | undefined;
  /** The depth in plies. */
  depth?: number | undefined;
  /** The time in milliseconds. */
  movetime?: number | undefined;
  /** The number of lines to report, each with a different first move; 1 by default. */
  multipv?: number | undefined;
  /** The moves to choose from; all by default. */
  searchmoves?: readonly (string | Move)[] | undefined;
}

/** A line of a search; it has the fields of `Report`. */
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
  /** The same in pieces; null for a proven win or loss. */
  pieces: number | null;
  /** Plies until a proven win of the side to move. */
  winIn: number | null;
  /** Plies until a proven loss of the side to move. */
  lossIn: number | null;
  /** The last completed depth, in plies. */
  depth: number;
  /** The number of positions visited. */
  nodes: number;
  seconds: number;
  /** The best line, as moves. */
  pv: string[];
  /** The number of lines that `multipv` requests, best first, beginning with the best line. */
  lines: Line[];
}

export interface Explanation {
  /** The phase of the position, 0 to 16; null without weights by phase. */
  phase: number | null;
  /** The features with a single weight. */
  terms: { name: string; value: number; weight: number; product: number }[];
  /** The pattern tables; each pattern is cell, count and weight. */
  tables: { name: string; patterns: [number, number, number][]; product: number }[];
  network: { inputs: number[]; hidden: number[]; product: number } | null;
  /** The sum of the products. */
  sum: number;
  scale: number;
  /** The sum divided by the scale, rounded toward zero, from the side to move. */
  score: number;
  /** The value of a piece in units of the score. */
  unit: number;
}

/** An engine for one game and board. */
export class Engine {
  /** `hash` is the size of its table in MiB, 16 by default. */
  constructor(weights: Weights, options?: { board?: string | undefined; hash?: number | undefined });
  /**
   * Searches until it reaches a limit, and blocks the thread meanwhile. `stop` ends the search once
   * another thread sets its first number to something other than 0.
   */
  search(
    board: Board,
    limits: Limits & { stop?: Int32Array | undefined },
    onDepth?: (report: Report) => void,
  ): Report;
  /** The static value of the position, term by term. */
  explain(board: Board): Explanation;
  /** Clears the table of earlier searches: before each game, and for repeatable results. */
  clear(): void;
  free(): void;
}

/**
 * Loads the WebAssembly module, once. `wasm` is the module's bytes (gzip or not), address, response
 * or compiled module, if not the package's; `base` is the address of the package's folder, for pages
 * made by a bundler.
 */
export function load(options?: {
  base?: string | URL | undefined;
  // An object, since the types of browsers may be missing.
  wasm?: ArrayBuffer | ArrayBufferView | URL | object | string | undefined;
}): Promise<{ Board: typeof Board; Weights: typeof Weights; Engine: typeof Engine }>;
