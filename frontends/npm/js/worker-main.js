// The thread of an engine, which answers requests by messages. It runs as a browser worker and as a
// Node worker. It awaits nothing before the first request, so that bundlers can turn it into a
// classic script.

import { Board, Engine, Weights, isNode, load } from "./index.js";

let port = globalThis;
const send = (message) => port.postMessage(message);
let engine;

/** Applies a function to a position. */
function at({ game, board, fen, moves = [] }, use) {
  const position = new Board({ game, board, fen });
  try {
    for (const move of moves) position.push(move);
    return use(position);
  } finally {
    position.free();
  }
}

const answers = {
  /** Creates the engine for weights, given as the bytes of a file or the name of a package set. */
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
  // Bundlers cannot follow this name: browsers have no such module.
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
