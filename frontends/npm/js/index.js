// Sparring's games and engine. `load` makes the module ready and gives its classes.

import init, { EngineHandle, GameHandle, WeightsHandle } from "./wasm/sparring_wasm.js";

const SETS = new URL("../sets/", import.meta.url);
const WASM = new URL("./wasm/sparring_wasm_bg.wasm", import.meta.url);

/** The bytes of a file of the package, or of any address. Node does not fetch files. */
async function bytesOf(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import(/* @vite-ignore */ ["node:fs", "promises"].join("/"));
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A game under way: a start, the moves played from there, and the rules. */
export class Board {
  #handle;
  #startFen;

  constructor({ game = "breakthrough", board, fen } = {}) {
    this.#handle = new GameHandle(String(game), board, fen);
    this.#startFen = fen;
  }

  /** The games: `name`, `board` (the usual one), `boards`, and what their `sides` are called. */
  static games() {
    return JSON.parse(GameHandle.games());
  }

  /** For the engine. */
  static handleOf(board) {
    if (!(board instanceof Board)) throw new TypeError("a Board is wanted");
    return board.#handle;
  }

  get game() {
    return this.#handle.game();
  }

  get size() {
    return this.#handle.board();
  }

  get startFen() {
    return this.#startFen;
  }

  get turn() {
    return this.#handle.turn() === 0 ? "first" : "second";
  }

  get turnName() {
    return this.#handle.side_name(this.#handle.turn());
  }

  fen() {
    return this.#handle.fen();
  }

  /** The signs of the squares, in rows from the top; a dot for an empty one. */
  squares() {
    const [rows] = this.fen().split(" ");
    return rows.split("/").map((row) => row.replace(/\d+/g, (count) => ".".repeat(count)));
  }

  moves() {
    return this.#handle.moves();
  }

  history() {
    return this.#handle.history();
  }

  push(move) {
    return this.#handle.push(String(move));
  }

  pop() {
    return this.#handle.pop() ?? null;
  }

  isGameOver() {
    return this.result() !== "*";
  }

  result() {
    return this.#handle.result();
  }

  perft(depth) {
    return this.#handle.perft(count(depth, "depth"));
  }

  ascii() {
    return this.#handle.diagram();
  }

  free() {
    this.#handle.free();
  }
}

/** A weight set. */
export class Weights {
  #handle;

  /** Reads a weight file: text of JSON, or the bytes of either form. */
  constructor(file, place = "the weights") {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : new Uint8Array(file);
    this.#handle = new WeightsHandle(bytes, place);
    Object.assign(this, JSON.parse(this.#handle.about()));
    Object.freeze(this);
  }

  /** Reads a weight file from an address. */
  static async fetch(url) {
    return new Weights(await bytesOf(new URL(url, globalThis.location?.href)), String(url));
  }

  /** The sets of the package: `name`, `game`, `board` and `bytes` of each. */
  static async shipped() {
    return JSON.parse(new TextDecoder().decode(await bytesOf(new URL("index.json", SETS))));
  }

  /** A set of the package by its name, `breakthrough/8x8`. */
  static async named(name) {
    const known = (await Weights.shipped()).map((set) => set.name);
    if (!known.includes(name)) {
      throw new Error(`weights \`${name}\`: not in the package; the sets are: ${known.join(", ")}`);
    }
    const path = name.split("/").map(encodeURIComponent).join("/");
    return new Weights(await bytesOf(new URL(`${path}.bin`, SETS)), name);
  }

  /** The one of these sets, entries as `shipped` gives them, that plays a board best. */
  static strongestOf(sets, game, board) {
    const own = (ending) => sets.find((set) => set.name === `${game}/${board}${ending}`);
    return own("-network") ?? own("") ?? sets.find((set) => set.game === game && set.usual);
  }

  /** The set of the package that plays a board best. */
  static async strongest(game, board) {
    const best = Weights.strongestOf(await Weights.shipped(), game, board);
    if (!best) throw new Error(`game \`${game}\`: the package has no sets for it`);
    return Weights.named(best.name);
  }

  /** For the engine. */
  static handleOf(weights) {
    if (!(weights instanceof Weights)) throw new TypeError("Weights are wanted");
    return weights.#handle;
  }

  /** Takes a while for big sets. */
  get fingerprint() {
    return this.#handle.fingerprint();
  }

  toJSON() {
    return JSON.parse(this.#handle.json());
  }

  toBytes() {
    return this.#handle.compact();
  }
}

/** An engine for one game and board. */
export class Engine {
  #handle;

  constructor(weights, { board = weights?.board, hash = 16 } = {}) {
    const size = board ?? new Board({ game: weights.game }).size;
    this.#handle = new EngineHandle(Weights.handleOf(weights), size, count(hash, "hash"));
  }

  /** Searches until a limit is reached; `onDepth` gets the report of each depth. */
  search(board, { nodes, depth, movetime, stop } = {}, onDepth) {
    const told = onDepth && ((text) => void onDepth(JSON.parse(text)));
    const text = this.#handle.search(
      Board.handleOf(board),
      nodes === undefined ? undefined : count(nodes, "nodes"),
      depth === undefined ? undefined : count(depth, "depth"),
      movetime === undefined ? undefined : count(movetime, "movetime"),
      told,
      stop,
    );
    return JSON.parse(text);
  }

  /** The static value of the position, term by term. */
  explain(board) {
    return JSON.parse(this.#handle.explain(Board.handleOf(board)));
  }

  clear() {
    this.#handle.clear();
  }

  free() {
    this.#handle.free();
  }
}

/** A whole number from 0 to 2^53, or an error: a cast would make one of anything. */
function count(value, name) {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${name} ${value}: not a whole number from 0 on`);
  }
  return name === "depth" || name === "hash" ? Math.min(value, 0xffffffff) : value;
}

let ready;

/** Makes the module ready, once, and gives its classes. */
export async function load({ wasm } = {}) {
  ready ??= (async () => init({ module_or_path: wasm ?? (await bytesOf(WASM)) }))();
  try {
    await ready;
  } catch (error) {
    ready = undefined;
    throw error;
  }
  return { Board, Weights, Engine };
}
