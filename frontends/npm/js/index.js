// Sparring's games and engine. `load` prepares the module and returns its classes.

import { moveOf, textOf } from "./moves.js";
import { fileBytes, plain, readSet } from "./packed.js";
import init, { EngineHandle, GameHandle, WeightsHandle } from "./wasm/sparring_wasm.js";

// Bundlers that see this copy the module next to their output.
const WASM = new URL("./wasm/sparring_wasm_bg.wasm.gz", import.meta.url);
// They must not see this one, since the sets are a folder.
const HERE = import.meta.url;
export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
export const BUNDLED =
  "where a bundler has moved this code, copy the package's folder beside the page and name it: " +
  'load({ base: "sparring/" })';

/** The address of the package's folder, if a page has set it. */
let base = null;

/** The address of the package's folder, as given here or to `load`; null if not given. */
export function folderOf(folder) {
  if (folder === undefined || folder === null) return base;
  const from = globalThis.document?.baseURI ?? globalThis.location?.href ?? HERE;
  return new URL(`${String(folder).replace(/\/$/, "")}/`, from);
}

/** The bytes of a package file or of any address. Node does not fetch `file:` addresses. */
async function bytesOf(url, remedy = "") {
  if (url.protocol === "file:" && isNode) {
    const name = ["node:fs", "promises"].join("/");
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    return new Uint8Array(await readFile(url));
  }
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new Error(`${url}: ${error.message}${remedy}`);
  }
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}${remedy}`);
  // Servers of single-page apps answer with the page for missing files.
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    throw new Error(`${url}: a page, not a file of the package${remedy}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** The bytes of a file of the package, by its path in `sets/`. */
function setBytes(place) {
  const path = place.split("/").map(encodeURIComponent).join("/");
  return bytesOf(new URL(`sets/${path}`, base ?? new URL("../", HERE)), `; ${BUNDLED}`);
}

/** A game in progress: its start, the moves played, and the rules. */
export class Board {
  #handle;
  #startFen;

  constructor(options = {}) {
    needModule();
    const { game, board, fen } = boardOptions(options);
    this.#handle = new GameHandle(game, board, fen);
    this.#startFen = fen;
  }

  /** The games: `name`, the default `board`, `boards`, and the names of the `sides`. */
  static games() {
    needModule();
    return JSON.parse(GameHandle.games());
  }

  /** The handle of a board, for the engine. */
  static handleOf(board) {
    if (!(board instanceof Board)) throw new TypeError("the position is not a Board of `load()`");
    if (board.#handle === FREED) board.fen();
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

  /** The signs of the squares, in rows from the top; a dot for an empty square. */
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

  /** The legal moves as objects, or only the moves of the piece on a square. */
  legalMoves({ square } = {}) {
    const squares = this.squares();
    const all = this.moves().map((text) => moveOf(text, this.game, squares));
    return square === undefined ? all : all.filter(({ from }) => from === square);
  }

  /** A legal move of the position, as an object. */
  move(text) {
    const found = this.legalMoves().find((move) => move.text === text);
    if (!found) throw new Error(`move \`${text}\`: illegal in ${this.fen()}`);
    return found;
  }

  /** An independent copy of the game. */
  copy() {
    const { game, size: board, startFen: fen } = this;
    const copy = new Board({ game, board, fen });
    for (const move of this.history()) copy.push(move);
    return copy;
  }

  /** Starts again from a position, or from the start of the board. */
  load(fen) {
    const { game, size } = this;
    const handle = new GameHandle(game, fen === undefined ? size : undefined, fen);
    this.#handle.free();
    this.#handle = handle;
    this.#startFen = fen;
  }

  push(move) {
    return this.#handle.push(textOf(move));
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

  /** The reason for the end of the game: "repetition" or "rules"; null before. */
  endedBy() {
    if (!this.isGameOver()) return null;
    // Only repetition depends on earlier moves: without them the position is unfinished.
    const alone = new Board({ game: this.game, fen: this.fen() });
    const isOver = alone.isGameOver();
    alone.free();
    return isOver ? "rules" : "repetition";
  }

  perft(depth) {
    return this.#handle.perft(count(depth, "depth", 0));
  }

  ascii() {
    return this.#handle.diagram();
  }

  free() {
    this.#handle.free();
    this.#handle = FREED;
  }
}

/** A weight set. */
export class Weights {
  #handle;
  #file;
  #units = {};

  /** Reads a weight file: JSON, as text or as an object, or the bytes of either form. */
  constructor(file, place = "the weights") {
    needModule();
    this.#file = fileBytes(file);
    this.#handle = new WeightsHandle(this.#file, place);
    Object.assign(this, JSON.parse(this.#handle.about()));
    Object.freeze(this);
  }

  /** Reads a weight file from an address. */
  static async fetch(url) {
    return new Weights(await bytesOf(new URL(url, globalThis.location?.href)), String(url));
  }

  /** The sets of the package, each with `name`, `game`, `board`, `file` and `bytes`. */
  static async shipped() {
    return JSON.parse(new TextDecoder().decode(await setBytes("index.json")));
  }

  /** A set of the package by its name, such as `breakthrough/8x8`. */
  static async named(name) {
    const sets = await Weights.shipped();
    const set = sets.find((set) => set.name === name);
    if (!set) {
      const known = sets.map((set) => set.name).join(", ");
      throw new Error(`weights \`${name}\`: not in the package; the sets are: ${known}`);
    }
    return new Weights(await readSet(set.file, setBytes), name);
  }

  /** The strongest of these sets on a board; entries as returned by `shipped`. */
  static strongestOf(sets, game, board) {
    const own = (ending) => sets.find((set) => set.name === `${game}/${board}${ending}`);
    return own("-network") ?? own("") ?? sets.find((set) => set.game === game && set.usual);
  }

  /** The strongest set of the package on a board; throws if the game is not played on it. */
  static async strongest(game, board) {
    new Board({ game, board }).free();
    const best = Weights.strongestOf(await Weights.shipped(), game, board);
    if (!best) throw new Error(`game \`${game}\`: the package has no sets for it`);
    return Weights.named(best.name);
  }

  /** The handle of a weight set, for the engine. */
  static handleOf(weights) {
    if (!(weights instanceof Weights)) throw new TypeError("the weights are not Weights; `await Weights.named(name)` gives them for a name");
    return weights.#handle;
  }

  /** The bytes of a set's file, for workers; a text is the name of a package set. */
  static fileOf(weights) {
    if (typeof weights === "string") return weights;
    return weights instanceof Weights ? weights.#file : fileBytes(weights);
  }

  /** The value of a piece, in units of the score. */
  get unit() {
    return this.#scoreUnits.unit;
  }

  /** The units of the score that make one logit of the winning probability. */
  get winScale() {
    return this.#scoreUnits.winScale;
  }

  get #scoreUnits() {
    return (this.#units.made ??= JSON.parse(this.#handle.units()));
  }

  /** The digest of the set; slow for big sets. */
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

  constructor(weights, options) {
    needModule();
    const { board = weights?.board, hash = 16 } = optionsOf(options, ["board", "hash"], "engine option");
    this.#handle = new EngineHandle(Weights.handleOf(weights), board ?? new Board({ game: weights.game }).size, count(hash, "hash"));
  }

  /** Searches until a limit is reached; `onDepth` receives the report of each depth. */
  search(board, limits, onDepth) {
    const { nodes, depth, movetime, stop, multipv = 1, searchmoves } = checkLimits(limits);
    const told = onDepth && ((text) => void onDepth(JSON.parse(text)));
    const limit = (value, name) => (value === undefined ? undefined : count(value, name));
    const wanted = JSON.stringify({
      nodes: limit(nodes, "nodes"),
      depth: limit(depth, "depth"),
      movetime: limit(movetime, "movetime"),
      lines: count(multipv, "multipv"),
      moves: searchmoves?.map(textOf) ?? [],
    });
    return JSON.parse(this.#handle.search(Board.handleOf(board), wanted, told, stop));
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
    this.#handle = FREED;
  }
}

/** Replaces an object's handle after `free`. */
const refuse = () => { throw new Error("the object was freed; make another one"); };
const FREED = new Proxy({}, { get: refuse });

const LIMITS = ["nodes", "depth", "movetime"];
const SEARCH_OPTIONS = [...LIMITS, "multipv", "searchmoves", "stop"];

/** The options, without unknown names. */
export function optionsOf(options, names, kind) {
  const given = options ?? {};
  const other = Object.keys(given).find((name) => !names.includes(name));
  if (other === undefined) return given;
  throw new TypeError(`${kind} \`${other}\`: unknown; known are ${names.join(", ")}`);
}

/** Checks search limits; throws if a name is mistyped or there is no limit. */
export function checkLimits(limits) {
  const given = optionsOf(limits, SEARCH_OPTIONS, "limit");
  const isUnset = (name) => given[name] === undefined;
  if (LIMITS.every(isUnset)) throw new TypeError("limits: none is set; give nodes, depth or movetime");
  if (!Array.isArray(given.searchmoves ?? [])) throw new TypeError("searchmoves: not a list; give a list of moves");
  return given;
}

/** Checks for a whole number up to 2^53, since a cast would accept anything. */
function count(value, name, least = 1) {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} ${value}: not a whole number of at least ${least}`);
  }
  return name === "depth" || name === "hash" ? Math.min(value, 0xffffffff) : value;
}

/** The options of a board, `others` among them. A text is the name of a game. */
export function boardOptions(options, ...others) {
  if (options === null || !["object", "string"].includes(typeof options)) {
    throw new TypeError(`board of ${options}: give the name of a game, or { game, board, fen }`);
  }
  const named = typeof options === "string" ? { game: options } : options;
  const known = ["game", "board", "fen", ...others];
  const { game = "breakthrough", ...rest } = optionsOf(named, known, "board option");
  return { ...rest, game: String(game) };
}

let ready;
let isReady = false;
/** The package's module, compiled by `load`, for workers; undefined if the page has its own. */
export let compiled;

/** Throws unless the module is ready. */
function needModule() {
  if (!isReady) throw new Error("the module is not ready; call `await load()` first");
}

/** The module for the glue code. Bytes are compiled here, so workers need not load them. */
async function moduleOf(wasm) {
  const place = () =>
    base ? new URL("js/wasm/sparring_wasm_bg.wasm.gz", base) : new URL(WASM, globalThis.location?.href);
  const given = wasm ?? (await bytesOf(place(), `; ${BUNDLED}`));
  if (!(given instanceof ArrayBuffer || ArrayBuffer.isView(given))) return given;
  compiled = await WebAssembly.compile(await plain(new Uint8Array(given)));
  return compiled;
}

/** Prepares the module once and returns its classes. */
export async function load({ wasm, base: folder } = {}) {
  base = folderOf(folder);
  ready ??= moduleOf(wasm).then((module) => init({ module_or_path: module }));
  try {
    await ready;
    isReady = true;
  } catch (error) {
    ready = undefined;
    throw error;
  }
  return { Board, Weights, Engine };
}
