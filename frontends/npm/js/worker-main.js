// The thread of an engine: takes requests by messages and answers them. It runs as a worker of a
// browser and as one of Node alike. Nothing is awaited before a request comes, so that bundlers can
// make a script of it that is no module.

import { Board, Engine, Weights, load } from "./index.js";

const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
let port = globalThis;
const send = (message) => port.postMessage(message);
let engine;

/** Does something with a position. */
function at({ game, board, fen, moves }, use) {
  const position = new Board({ game, board, fen });
  try {
    for (const move of moves) position.push(move);
    return use(position);
  } finally {
    position.free();
  }
}

const answers = {
  /** Makes the engine for weights, given by the bytes of their file or by a name of the package. */
  async prepare({ weights, place, board, hash, base, wasm }) {
    await load({ base, wasm });
    const set =
      typeof weights === "string" ? await Weights.named(weights) : new Weights(weights, place);
    engine?.free();
    engine = new Engine(set, { board, hash });
    return { name: set.name, game: set.game, board: set.board };
  },

  search({ limits, stop, ...position }, id) {
    const told = (report) => send({ id, report });
    return at(position, (board) => engine.search(board, { ...limits, stop }, told));
  },

  explain(position) {
    return at(position, (board) => engine.explain(board));
  },

  clear() {
    engine.clear();
  },
};

async function answer({ id, request, ...rest }) {
  try {
    send({ id, answer: await answers[request](rest, id) });
  } catch (error) {
    send({ id, error: error?.message ?? String(error) });
  }
}

if (isNode) {
  // A name that bundlers cannot follow: browsers have no such module.
  const name = ["node:worker", "threads"].join("_");
  import(/* webpackIgnore: true */ /* @vite-ignore */ name).then(({ parentPort }) => {
    port = parentPort;
    port.on("message", answer);
    send({ ready: true });
  });
} else {
  port.onmessage = (event) => answer(event.data);
  send({ ready: true });
}
