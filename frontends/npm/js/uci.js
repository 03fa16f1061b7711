// A UCI engine with the interface of a worker: `postMessage` takes a line, and each line of output
// is a message to `onmessage` or to listeners.

import { Board, Weights, load } from "./index.js";
import { EngineWorker } from "./worker.js";

// UCI variants: one for each board, with the default board under the name of the game.
const variants = () =>
  Board.games().flatMap(({ name, board, boards }) => [
    { variant: name, game: name, board },
    ...boards
      .filter((size) => size !== board)
      .map((size) => ({ variant: name + size, game: name, board: size })),
  ]);

const COMMANDS = "uci isready setoption ucinewgame position go stop ponderhit d quit".split(" ");
const ENDLESS = { depth: 1000 };
const HASH = { least: 1, most: 1024, usual: 16 };
const LINES = { least: 1, most: 512, usual: 1 };
// The keywords of `go`, which end the moves of `searchmoves`.
const GO = "searchmoves infinite ponder depth nodes mate movetime movestogo wtime btime winc binc".split(" ");

/** Starts an engine. `base` is as for `load`. */
export async function uci({ base } = {}) {
  await load({ base });
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
  #lines = LINES.usual;
  #position = { game: "breakthrough", board: "8x8", fen: undefined, moves: [] };
  #worker = null;
  #search = null;
  /** Lets an endless search answer; `true` (ponderhit) lets it go on by the clock. */
  #release = () => {};
  #queue = Promise.resolve();

  constructor(sets) {
    super();
    this.#sets = sets;
  }

  /** Takes a line. `stop` at once ends the running search, or one about to begin. */
  postMessage(line) {
    const words = String(line).trim().split(/\s+/);
    if (words[0] === "stop" || words[0] === "quit") this.#halt();
    this.#queue = this.#queue.then(() => this.#obey(words)).catch((error) => this.#remark(error));
  }

  #halt() {
    this.#release(false);
    this.#worker?.stop();
  }

  /** Ends the engine and its worker. */
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
    if (command === "stop" || command === "quit") this.#halt();
    // Commands that change the engine wait for the search.
    if (!["isready", "stop", "ponderhit"].includes(command)) await this.#search;
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
        this.#position = this.#start();
        return void (await this.#worker?.clear());
      case "position":
        return this.#setPosition(rest);
      case "go":
        return this.#go(rest).catch((error) => {
          this.#say("bestmove (none)");
          throw error;
        });
      case "d":
        return this.#board()
          .ascii()
          .split("\n")
          .forEach((text) => this.#say(text));
      case "stop":
        return;
      case "ponderhit":
        return this.#release(true);
      case "quit":
        return this.terminate();
      default:
        throw new Error(`unknown command ${command}; known are ${COMMANDS.join(", ")}`);
    }
  }

  #greet() {
    this.#say("id name Sparring (WebAssembly)");
    this.#say("id author the Sparring developers");
    const listed = variants()
      .map(({ variant }) => `var ${variant}`)
      .join(" ");
    this.#say(`option name UCI_Variant type combo default breakthrough ${listed}`);
    this.#say("option name Board type string default 8x8");
    this.#say("option name EvalFile type string default <empty>");
    this.#say(
      `option name Hash type spin default ${HASH.usual} min ${HASH.least} max ${HASH.most}`,
    );
    this.#say(
      `option name MultiPV type spin default ${LINES.usual} min ${LINES.least} max ${LINES.most}`,
    );
    this.#say("uciok");
  }

  async #setOption(words) {
    const text = words.join(" ");
    const [, name, value = ""] = /^name (.*?)(?: value (.*))?$/.exec(text) ?? [];
    switch (name?.toLowerCase()) {
      case "uci_variant": {
        // The default board may be named too, and a square board by one side.
        const name = value.toLowerCase();
        const found = variants().find(({ variant, game, board }) => {
          const side = /^(\d+)x\1$/.exec(board)?.[1];
          return [variant, game + board, game + side].includes(name);
        });
        if (!found) throw new Error(`option UCI_Variant: no such variant as ${value}`);
        return this.#change(found.game, found.board);
      }
      case "board":
        return this.#change(this.#game, new Board({ game: this.#game, board: value }).size);
      case "evalfile":
        this.#weights = ["", "<empty>"].includes(value) ? null : value;
        break;
      case "hash":
        this.#hash = whole("Hash", value, HASH);
        break;
      case "multipv":
        this.#lines = whole("MultiPV", value, LINES);
        return;
      default:
        throw new Error(
          `unknown option ${name}; known are UCI_Variant, Board, EvalFile, Hash, MultiPV`,
        );
    }
    return this.terminate();
  }

  async #change(game, size) {
    this.#game = game;
    this.#size = size;
    this.#position = this.#start();
    await this.terminate();
  }

  #start() {
    return { game: this.#game, board: this.#size, fen: undefined, moves: [] };
  }

  async #setPosition(words) {
    // After a rejected position there is none: an answer for the old position would be mistaken for
    // one to the new position.
    this.#position = null;
    const at = words.indexOf("moves");
    const head = at < 0 ? words : words.slice(0, at);
    const moves = at < 0 ? [] : words.slice(at + 1);
    const isFen = head[0] === "fen" && head[1] !== "startpos";
    if (!isFen && head.at(-1) !== "startpos") throw new Error("position: give startpos or fen FEN");
    const fen = isFen ? head.slice(1).join(" ") : undefined;
    const position = { game: this.#game, board: isFen ? undefined : this.#size, fen, moves };
    const board = this.#board(position);
    const size = board.size;
    board.free();
    // A search starts from the board of the current game.
    this.#position = position;
    if (size !== this.#size) {
      this.#size = size;
      await this.terminate();
    }
  }

  #board(position = this.#position) {
    if (!position) throw new Error("position: the last one was refused, so there is none");
    const { game, board, fen, moves } = position;
    const made = new Board({ game, board, fen });
    for (const move of moves) made.push(move);
    return made;
  }

  async #engine() {
    this.#worker ??= await this.#begin();
    return this.#worker;
  }

  /** Starts the engine, with the default weights if it cannot use the set in `EvalFile`. */
  async #begin() {
    const start = async (name) => {
      const worker = await EngineWorker.start(name, { board: this.#size, hash: this.#hash });
      this.#say(`info string ${this.#game} on ${this.#size} with the weights ${name}`);
      return worker;
    };
    try {
      if (this.#weights !== null) return await start(this.#named(this.#weights));
    } catch (error) {
      this.#remark(`${error?.message ?? error}; the default weights are used`);
    }
    return start(Weights.strongestOf(this.#sets, this.#game, this.#size).name);
  }

  /** The full name of a set, which may be named without its game. */
  #named(name) {
    const game = this.#game;
    const found = [name, `${game}/${name}`].map((full) => this.#sets.find((set) => set.name === full));
    const set = found.find((set) => set);
    if (!set) {
      const own = this.#sets.filter((set) => set.game === game).map((set) => set.name);
      throw new Error(`weights \`${name}\`: not in the package; its sets of ${game} are: ${own.join(", ")}`);
    }
    if (set.game !== game) throw new Error(`weights \`${name}\`: a set of ${set.game}, not of ${game}`);
    return set.name;
  }

  /** The moves of `go searchmoves`. Illegal moves are left out, with a remark. */
  #searchMoves(words) {
    const named = [];
    const at = words.indexOf("searchmoves");
    for (let next = at + 1; at >= 0 && next < words.length && !GO.includes(words[next]); next++) {
      const board = this.#board();
      try {
        named.push(board.push(words[next]));
      } catch (error) {
        this.#remark(`searchmoves: ${error.message}`);
      } finally {
        board.free();
      }
    }
    return named;
  }

  async #go(words) {
    const limits = limitsOf(words, this.#board().turn);
    const worker = await this.#engine();
    const spoken = (line) => dialect(this.#board(), line);
    const multipv = this.#lines;
    const told = ({ lines, nodes, seconds, ...best }) => {
      for (const [index, line] of (multipv > 1 ? lines : [best]).entries()) {
        const number = multipv > 1 ? index + 1 : null;
        this.#say(info({ ...line, number, nodes, seconds, pv: spoken(line.pv) }));
      }
    };
    const asked = { multipv, searchmoves: this.#searchMoves(words) };
    const isPondering = words.includes("ponder");
    const isHeld = isPondering || words.includes("infinite");
    const released = new Promise((resolve) => {
      this.#release = (goesOn) => {
        resolve();
        const { movetime = 0 } = limits;
        // A longer delay would be none.
        const delay = Math.min(movetime, 2 ** 31 - 1);
        if (goesOn && isPondering) setTimeout(() => worker.stop(), delay);
      };
      if (!isHeld) resolve();
    });
    const searched = worker.search(
      this.#position,
      { ...(isHeld ? ENDLESS : limits), ...asked },
      told,
    );
    const search = searched.then(
      async ({ best }) => {
        await released;
        this.#say(`bestmove ${best ? spoken([best])[0] : "(none)"}`);
      },
      (error) => {
        this.#say("bestmove (none)");
        this.#remark(error);
      },
    );
    // Not awaited: `stop` and `isready` must get through.
    this.#search = search;
  }
}

/** The number of an option, checked to be in its range. */
function whole(name, value, { least, most }) {
  if (!/^\d+$/.test(value) || +value < least || +value > most) {
    throw new Error(`option ${name}: give ${least} to ${most}`);
  }
  return +value;
}

/**
 * Moves from a position in Fairy-Stockfish's UCI notation: clones are drops, a pass moves the
 * side's first piece to its own square, and there is no sign between squares.
 */
function dialect(board, line) {
  const spoken = line.map((move) => {
    const text = board.game === "ataxx" ? spokenAtaxx(board, move) : move.replace(/[-x]/, "");
    board.push(move);
    return text;
  });
  board.free();
  return spoken;
}

function spokenAtaxx(board, move) {
  if (move === "0000") return firstPiece(board).repeat(2);
  return move.length === 2 ? `P@${move}` : move;
}

/** The first square with a piece of the side to move, row by row from the bottom. */
function firstPiece(board) {
  const [rows] = board.fen().split(" ");
  const sign = board.turn === "first" ? "x" : "o";
  for (const [row, text] of rows.split("/").reverse().entries()) {
    const col = text.replace(/\d/g, (count) => ".".repeat(+count)).indexOf(sign);
    if (col >= 0) return `${"abcdefgh"[col]}${row + 1}`;
  }
  return "";
}

/** The nearest number that is a limit; 1 for what is no number. */
function bounded(value) {
  return Math.min(Math.max(1, Math.floor(value) || 1), Number.MAX_SAFE_INTEGER);
}

/** The limits of `go`. On a clock a move gets a thirtieth of the time left, plus the increment. */
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
        limits[words[at++]] = bounded(value);
        break;
      case `${side}time`:
        left = value;
        at++;
        break;
      case `${side}inc`:
        increment = value;
        at++;
        break;
    }
  }
  if (left !== undefined) {
    limits.movetime = bounded(Math.min(left / 30 + increment, left * 0.8));
  }
  return Object.keys(limits).length === 0 ? ENDLESS : limits;
}

function info({ number, depth, score, pieces, winIn, lossIn, nodes, seconds, pv }) {
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
  const line = number === null ? "" : ` multipv ${number}`;
  return `info depth ${depth}${line} score ${value} ${counts} pv ${pv.join(" ")}`;
}
