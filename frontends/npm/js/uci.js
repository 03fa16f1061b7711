// The engine by messages of UCI, with the manners of a worker: `postMessage` takes a line, and each
// line of the answer comes as a message, to `onmessage` or to listeners.

import { Board, Weights, load } from "./index.js";
import { EngineWorker } from "./worker.js";

const COMMANDS = "uci isready setoption ucinewgame position go stop d quit".split(" ");
const HASH = { least: 1, most: 1024, usual: 16 };

/** Begins an engine. */
export async function uci() {
  await load();
  const sets = await Weights.shipped();
  return new Uci(sets);
}

class Uci extends EventTarget {
  onmessage = null;
  #sets;
  #game = "breakthrough";
  #size = "8x8";
  #weights = null;
  #hash = HASH.usual;
  #position = { game: "breakthrough", board: "8x8", fen: undefined, moves: [] };
  #worker = null;
  #search = null;
  #queue = Promise.resolve();

  constructor(sets) {
    super();
    this.#sets = sets;
  }

  /** Takes a line. `stop` ends the running search at once, and one that is still to begin. */
  postMessage(line) {
    const words = String(line).trim().split(/\s+/);
    if (words[0] === "stop" || words[0] === "quit") this.#worker?.stop();
    this.#queue = this.#queue.then(() => this.#obey(words)).catch((error) => this.#remark(error));
  }

  /** Ends the engine. */
  async terminate() {
    await this.#worker?.terminate();
    this.#worker = null;
  }

  #say(line) {
    const event = new MessageEvent("message", { data: line });
    this.onmessage?.(event);
    this.dispatchEvent(event);
  }

  #remark(error) {
    this.#say(`info string ${error?.message ?? error}`);
  }

  async #obey(words) {
    const [command, ...rest] = words;
    // What changes the engine waits for the search.
    if (command !== "isready" && command !== "stop") await this.#search;
    switch (command) {
      case "":
        return;
      case "uci":
        return this.#greet();
      case "isready":
        return this.#say("readyok");
      case "setoption":
        return this.#setOption(rest);
      case "ucinewgame":
        return void (await this.#worker?.clear());
      case "position":
        return this.#setPosition(rest);
      case "go":
        return this.#go(rest);
      case "d":
        return this.#board()
          .ascii()
          .split("\n")
          .forEach((text) => this.#say(text));
      case "stop":
        return this.#worker?.stop();
      case "quit":
        return this.terminate();
      default:
        throw new Error(`unknown command ${command}; known are ${COMMANDS.join(", ")}`);
    }
  }

  #greet() {
    this.#say("id name Sparring (WebAssembly)");
    this.#say("id author the Sparring developers");
    const variants = ["breakthrough", "ataxx", "breakthru"];
    const listed = variants.map((name) => `var ${name}`).join(" ");
    this.#say(`option name UCI_Variant type combo default breakthrough ${listed}`);
    this.#say("option name Board type string default 8x8");
    this.#say("option name EvalFile type string default <empty>");
    this.#say(
      `option name Hash type spin default ${HASH.usual} min ${HASH.least} max ${HASH.most}`,
    );
    this.#say("uciok");
  }

  async #setOption(words) {
    const text = words.join(" ");
    const [, name, value = ""] = /^name (.*?)(?: value (.*))?$/.exec(text) ?? [];
    switch (name?.toLowerCase()) {
      case "uci_variant":
        return this.#change(value, new Board({ game: value }).size);
      case "board":
        return this.#change(this.#game, new Board({ game: this.#game, board: value }).size);
      case "evalfile":
        this.#weights = ["", "<empty>"].includes(value) ? null : value;
        break;
      case "hash":
        if (!/^\d+$/.test(value) || +value < HASH.least || +value > HASH.most) {
          throw new Error(`option Hash: give ${HASH.least} to ${HASH.most}`);
        }
        this.#hash = +value;
        break;
      default:
        throw new Error(`unknown option ${name}; known are UCI_Variant, Board, EvalFile, Hash`);
    }
    return this.terminate();
  }

  async #change(game, size) {
    this.#game = game;
    this.#size = size;
    this.#position = { game, board: size, fen: undefined, moves: [] };
    await this.terminate();
  }

  async #setPosition(words) {
    const at = words.indexOf("moves");
    const head = at < 0 ? words : words.slice(0, at);
    const moves = at < 0 ? [] : words.slice(at + 1);
    const isFen = head[0] === "fen";
    if (!isFen && head[0] !== "startpos") throw new Error("position: give startpos or fen FEN");
    const fen = isFen ? head.slice(1).join(" ") : undefined;
    const position = { game: this.#game, board: isFen ? undefined : this.#size, fen, moves };
    // An illegal move leaves the old position.
    const board = this.#board(position);
    const size = board.size;
    board.free();
    this.#position = position;
    if (size !== this.#size) {
      this.#size = size;
      await this.terminate();
    }
  }

  #board({ game, board, fen, moves } = this.#position) {
    const made = new Board({ game, board, fen });
    for (const move of moves) made.push(move);
    return made;
  }

  async #engine() {
    if (this.#worker) return this.#worker;
    const strongest = () => Weights.strongestOf(this.#sets, this.#game, this.#size).name;
    const name = this.#weights ?? strongest();
    this.#worker = await EngineWorker.start(name, { board: this.#size, hash: this.#hash });
    this.#say(`info string ${this.#game} on ${this.#size} with the weights ${name}`);
    return this.#worker;
  }

  async #go(words) {
    const limits = limitsOf(words, this.#board().turn);
    const worker = await this.#engine();
    const told = (report) => this.#say(info(report));
    const search = worker.search(this.#position, limits, told).then(
      ({ best }) => this.#say(`bestmove ${best ?? "(none)"}`),
      (error) => this.#remark(error),
    );
    // Not awaited: `stop` and `isready` must get through.
    this.#search = search;
  }
}

/** The limits of `go`. A clock gives a move a thirtieth of what is left, and the increment. */
function limitsOf(words, turn) {
  const limits = {};
  const side = turn === "first" ? "w" : "b";
  let [left, increment] = [undefined, 0];
  for (let at = 0; at < words.length; at++) {
    const value = Number(words[at + 1]);
    switch (words[at]) {
      case "depth":
      case "nodes":
      case "movetime":
        limits[words[at++]] = value;
        break;
      case `${side}time`:
        left = value;
        at++;
        break;
      case `${side}inc`:
        increment = value;
        at++;
        break;
      case "infinite":
        limits.depth = 1000;
        break;
    }
  }
  if (left !== undefined) {
    const share = Math.min(left / 30 + increment, left * 0.8);
    limits.movetime = Math.max(1, Math.floor(share));
  }
  if (Object.keys(limits).length === 0) limits.depth = 1000;
  return limits;
}

function info({ depth, score, pieces, winIn, lossIn, nodes, seconds, pv }) {
  const moves = (plies) => Math.floor((plies + 1) / 2);
  const value =
    winIn !== null
      ? `mate ${moves(winIn)}`
      : lossIn !== null
        ? `mate -${moves(lossIn)}`
        : `cp ${Math.trunc((pieces ?? score) * 100) + 0}`;
  const nps = Math.round(nodes / Math.max(seconds, 1e-6));
  const time = Math.round(seconds * 1000);
  const counts = `nodes ${nodes} nps ${nps} time ${time}`;
  return `info depth ${depth} score ${value} ${counts} pv ${pv.join(" ")}`;
}
