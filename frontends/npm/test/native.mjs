// Compares the package with the program: the same move, score, line and node count for positions of
// random games. test/run.sh runs it in a folder with the installed package; SPAR is the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { load } from "sparring";

const { Board, Weights, Engine } = await load();
const HASH = 2;

/** Pseudorandom numbers, the same in every run (mulberry32). */
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A game after some random moves, fewer than requested if it would end before. */
function randomGame(options, plies, random) {
  const board = new Board(options);
  for (let ply = 0; ply < plies; ply++) {
    const moves = board.moves();
    board.push(moves[Math.floor(random() * moves.length)]);
    if (board.isGameOver()) {
      board.pop();
      break;
    }
  }
  return board;
}

/** The program's output, without its remarks on stderr. */
function ask(args) {
  const stdio = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync(process.env.SPAR, [...args, "--json"], { stdio }));
}

function native({ game, size }, set, moves, limit) {
  const line = moves.length ? ["--moves", moves.join(" ")] : [];
  const args = ["analyze", "--game", game, "--board", size, "--weights", set, ...line, ...limit];
  return ask([...args, "--hash", `${HASH}`]);
}

const CASES = [
  { game: "breakthrough", board: "8x8", set: "breakthrough/8x8", depth: 7, count: 100 },
  { game: "breakthrough", board: "5x5", set: "breakthrough/5x5", depth: 9, count: 40 },
  { game: "breakthrough", board: "4x6", set: "breakthrough/spsa", depth: 8, count: 30 },
  { game: "ataxx", board: "7x7", set: "ataxx/7x7", depth: 6, count: 60 },
  { game: "ataxx", board: "7x7", set: "ataxx/7x7-network", depth: 5, count: 30 },
  { game: "ataxx", board: "5x5", set: "ataxx/general", depth: 6, count: 20 },
  { game: "breakthru", board: "11x11", set: "breakthru/11x11", depth: 5, count: 60 },
];

for (const { game, board: size, set, depth, count } of CASES) {
  test(`${set} on ${size}: ${count} positions, depth ${depth} or some nodes`, async () => {
    const random = generator(count * depth);
    const engine = new Engine(await Weights.named(set), { board: size, hash: HASH });
    for (let at = 0; at < count; at++) {
      const board = randomGame({ game, board: size }, Math.floor(random() * 40), random);
      const limits = at % 4 === 3 ? { nodes: 3000 + at } : { depth };
      const [[name, value]] = Object.entries(limits);
      const expected = native({ game, size }, set, board.history(), [`--${name}`, `${value}`]);
      engine.clear();
      let depths = 0;
      const found = engine.search(board, limits, () => depths++);
      for (const key of ["best", "score", "depth", "nodes", "pv"]) {
        assert.deepEqual(found[key], expected[key], `${key} after ${board.history().join(" ")}`);
      }
      assert.equal(depths, expected.depths.length);
      assert.equal(board.fen(), expected.fen);
      board.free();
    }
  });
}

test("the terms of scores agree with the program", async () => {
  const random = generator(7);
  for (const { game, board: size, set } of CASES) {
    const engine = new Engine(await Weights.named(set), { board: size });
    const board = randomGame({ game, board: size }, 12, random);
    const expected = ask(["features", "--game", game, "--fen", board.fen(), "--weights", set]);
    const found = engine.explain(board);
    assert.equal(found.score, expected.score);
    for (const { name, value } of found.terms) assert.equal(value, expected.features[name], name);
  }
});
