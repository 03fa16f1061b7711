// The package as users see it: boards, weights, engines, workers, UCI messages and invalid input.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "sparring";
import { Book, keyOf } from "sparring/book";
import { uci } from "sparring/uci";
import { EngineWorker } from "sparring/worker";

const { Board, Weights, Engine } = await load();
const repository = new URL(`file://${process.env.REPOSITORY}/`);
const read = async (path) => JSON.parse(await readFile(new URL(path, repository), "utf8"));

test("only the package's games are drawn with ships and bare stones", async () => {
  const { kindOf } = await import(new URL("frontends/npm/js/board-drawing.js", repository));
  const shapes = (game, signs, text) => [...text].map((sign) => kindOf(sign, { game, signs })?.slice(0, 2).join(" "));
  const breakthru = ["first stone", "second stone", "first flagship"];
  for (const signs of [["", ""], ["gF", "s"]]) assert.deepEqual(shapes("breakthru", signs, "gsF"), breakthru);
  for (const signs of [["", ""], ["x", "o"]]) assert.deepEqual(shapes("ataxx", signs, "xo-"), ["first stone", "second stone", " blocked"]);
  assert.deepEqual(shapes("breakthrough", ["", ""], "Pp."), ["first pawn", "second pawn", undefined]);
  assert.deepEqual(shapes("chess", ["", ""], "Kq"), ["first king", "second queen"]);
  assert.deepEqual(shapes("hasami", ["SC", "sc"], "SCsc"), ["first letter", "first letter", "second letter", "second letter"]);
  assert.deepEqual(shapes("own", ["X", "o"], "Xo"), ["first stone", "second stone"]);
  assert.deepEqual(shapes("own", ["", ""], "Xo"), ["first letter", "second letter"]);
});

test("boards play by the rules", async () => {
  for (const game of ["breakthrough", "ataxx", "breakthru"]) {
    const { positions, games } = await read(`weights/${game}/conformance.json`);
    for (const { fen, board: size, moves, perft } of positions) {
      const board = new Board({ game, fen });
      assert.equal(board.fen(), fen);
      assert.equal(board.size, size);
      assert.deepEqual(board.moves().sort(), moves);
      assert.deepEqual(
        [1, 2].map((depth) => board.perft(depth)),
        perft.slice(0, 2),
      );
    }
    for (const { board: size, moves, fen, result } of games) {
      const board = new Board({ game, board: size });
      for (const move of moves) {
        assert.equal(board.isGameOver(), false);
        board.push(move);
      }
      assert.deepEqual([board.fen(), board.result()], [fen, result]);
      assert.deepEqual([board.isGameOver(), board.moves()], [true, []]);
      assert.deepEqual(board.history(), moves);
      for (const move of moves.toReversed?.() ?? [...moves].reverse())
        assert.equal(board.pop(), move);
      assert.equal(board.pop(), null);
    }
  }
});

test("moves are objects too, boards are copied and start again", () => {
  const board = new Board("breakthrough");
  assert.deepEqual(board.move("d2d3"), { text: "d2d3", from: "d2", to: "d3", captured: null });
  assert.deepEqual(
    board.legalMoves({ square: "a2" }).map(({ to }) => to),
    board
      .moves()
      .filter((text) => text.startsWith("a2"))
      .map((text) => text.slice(2)),
  );
  assert.throws(() => board.move("d2d5"), /illegal/);
  board.push(board.move("d2d3"));
  const copy = board.copy();
  copy.pop();
  assert.deepEqual([board.history(), copy.history()], [["d2d3"], []]);
  board.load("8/8/4p3/3P4/8/8/8/8 w - - 0 1");
  assert.equal(board.move("d5e6").captured, "p");
  assert.deepEqual([board.history(), board.copy().fen()], [[], board.fen()]);
  board.load();
  assert.equal(board.fen(), new Board().fen());
  const ataxx = new Board({ game: "ataxx", board: "5x5" });
  assert.deepEqual(ataxx.move("b4"), { text: "b4", from: null, to: "b4", captured: null });
  const thru = new Board("breakthru");
  thru.push("e8-e9");
  assert.equal(thru.move("e4-e3").from, "e4");
});

test("a game tells why it has ended", () => {
  const board = new Board({ fen: "8/3P4/8/8/8/8/p7/8 w - - 0 1" });
  assert.equal(board.endedBy(), null);
  board.push("d7d8");
  assert.equal(board.endedBy(), "rules");
  const thru = new Board("breakthru");
  const round = ["e8-e9", "e4-e3", "b4-b3", "j4-j3", "e9-e8", "e3-e4", "b3-b4", "j3-j4"];
  for (const move of [...round, ...round]) thru.push(move);
  assert.equal(thru.endedBy(), "repetition");
});

test("several lines, and some moves only", async () => {
  const board = new Board({ fen: "8/1p1p4/8/3P4/4P3/8/8/8 w - - 0 1" });
  const weights = await Weights.named("breakthrough/spsa");
  const engine = new Engine(weights);
  const found = engine.search(board, { depth: 3, multipv: 3 });
  assert.equal(found.lines.length, 3);
  assert.equal(found.lines[0].best, found.best);
  assert.deepEqual(found.lines[0].pv, found.pv);
  assert.equal(new Set(found.lines.map(({ best }) => best)).size, 3);
  assert.equal(engine.search(board, { depth: 3, searchmoves: ["e4f5"] }).best, "e4f5");
  assert.equal(engine.search(board, { depth: 3, searchmoves: [board.move("e4f5")] }).best, "e4f5");
  assert.throws(() => engine.search(board, { depth: 3, searchmoves: ["e4f9"] }), /e4f9/);
  assert.throws(() => engine.search(board, { depth: 3, multipv: 0 }), /at least 1/);
  const worker = await EngineWorker.start(weights);
  const same = await worker.search(board, { depth: 3, multipv: 3 });
  assert.deepEqual(same.lines, found.lines);
  await worker.terminate();
});

test("before the module is ready, errors say what to do", () => {
  const script =
    'import { Board, Weights } from "sparring"; for (const make of [() => new Board(), () => Board.games(), () => new Weights("{}")]) { try { make(); } catch (error) { console.log(error.message); } }';
  const words = ["--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  assert.equal(stdout, "the module is not ready; call `await load()` first\n".repeat(3));
});

test("a third occurrence is a draw", () => {
  const board = new Board({ game: "breakthru" });
  const round = ["e8-e9", "e4-e3", "b4-b3", "j4-j3", "e9-e8", "e3-e4", "b3-b4", "j3-j4"];
  for (const move of [...round, ...round]) board.push(move);
  assert.deepEqual([board.result(), board.moves()], ["1/2-1/2", []]);
  assert.throws(() => board.push("e8-e9"), /a draw by repetition; take a move back/);
});

test("games, their boards and squares are told", async () => {
  const games = Board.games();
  assert.deepEqual(
    games.map(({ name, board }) => [name, board]),
    [
      ["breakthrough", "8x8"],
      ["ataxx", "7x7"],
      ["breakthru", "11x11"],
    ],
  );
  assert.deepEqual(games[0].sides, ["White", "Black"]);
  for (const { name, board, boards } of games) {
    assert.ok(boards.includes(board));
    for (const size of boards) {
      const [cols, rows] = size.split("x").map(Number);
      const squares = new Board({ game: name, board: size }).squares();
      assert.equal(squares.length, rows);
      assert.ok(squares.every((row) => row.length === cols));
    }
  }
  const fen = "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1";
  const [first, second, third] = new Board({ game: "ataxx", fen }).squares();
  assert.deepEqual([first, second, third], ["x.....o", ".......", "..-.-.."]);
});

test("sets tell the boards that they are for", async () => {
  for (const { name, fits, board } of await Weights.shipped()) {
    const weights = await Weights.named(name);
    assert.deepEqual([weights.fits, weights.board], [fits, board]);
  }
  assert.equal((await Weights.named("breakthrough/8x8")).fits, "8x8");
  assert.equal((await Weights.named("breakthrough/spsa")).fits, null);
});

test("an explanation says the phase where weights have phases", async () => {
  const { sets } = await read("weights/ataxx/conformance.json");
  const [byPhase, plain] = [true, false].map((wanted) =>
    sets.find(({ weights }) => Object.keys(weights).some((name) => name.endsWith("@early")) === wanted));
  const phaseOf = (set) => {
    const engine = new Engine(new Weights(JSON.stringify(set)), { board: "7x7", hash: 1 });
    return engine.explain(new Board({ game: "ataxx", board: "7x7" })).phase;
  };
  // Four pieces on 49 squares: one part of 16.
  assert.equal(phaseOf(byPhase), 1);
  assert.equal(phaseOf(plain), null);
});

test("scores agree with the conformance files", async () => {
  const { sets, files, positions } = await read("weights/ataxx/conformance.json");
  const shipped = await Promise.all(
    files.map((name) => Weights.named(`ataxx/${name.replace(".json", "")}`)),
  );
  const all = [...sets.map((set) => new Weights(JSON.stringify(set))), ...shipped];
  for (const { fen, board: size, scores } of positions) {
    for (const [name, score] of Object.entries(scores)) {
      const weights = all.find((set) => set.name === name);
      const engine = new Engine(weights, { board: size, hash: 1 });
      assert.equal(
        engine.explain(new Board({ game: "ataxx", fen })).score,
        score,
        `${name} ${fen}`,
      );
      engine.free();
    }
  }
});

test("sets are packed once, and unpacked to the last number", async () => {
  const folder = new URL("../sets/", import.meta.resolve("sparring"));
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(new URL(name, folder))).size));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(all < 4_800_000, `${all} bytes`);
  for (const { name } of await Weights.shipped()) {
    const file = await read(`weights/${name}.json`);
    const [weights, expected] = [await Weights.named(name), new Weights(JSON.stringify(file))];
    assert.equal(weights.fingerprint, expected.fingerprint, name);
    assert.deepEqual(weights.toBytes(), expected.toBytes(), name);
  }
});

test("weights say what a score means", async () => {
  const { sets, units } = await read("weights/breakthrough/conformance.json");
  for (const set of sets) {
    const { unit, winScale } = new Weights(JSON.stringify(set));
    assert.deepEqual({ unit, win_scale: winScale }, units[set.name], set.name);
  }
});

test("weights are read and written in both forms", async () => {
  const weights = await Weights.named("ataxx/7x7-network");
  const file = await read("weights/ataxx/7x7-network.json");
  assert.deepEqual(weights.toJSON(), file);
  const [again, parsed] = [new Weights(weights.toBytes()), new Weights(JSON.stringify(file))];
  assert.equal(again.fingerprint, weights.fingerprint);
  assert.deepEqual(parsed.toBytes(), weights.toBytes());
  assert.equal(new Weights(weights.toJSON()).fingerprint, weights.fingerprint);
  assert.equal((await Weights.strongest("breakthrough", "7x7")).name, "7x7-network");
  assert.equal((await Weights.strongest("breakthrough", "4x6")).name, "spsa");
  await assert.rejects(Weights.strongest("breakthrough", "99"), /board/);
  await assert.rejects(Weights.strongest("ataxx", "12x12"), /12x12/);
});

test("bad input is an error with a reason, and no harm", async () => {
  const board = new Board();
  const weights = await Weights.named("breakthrough/spsa");
  const engine = new Engine(weights);
  const [bytes, fen] = [weights.toBytes(), board.fen()];
  bytes[40] ^= 1;
  for (const [attempt, reason] of [
    [() => new Board({ game: "chess" }), /unknown; /],
    [() => new Board({ board: "99x1" }), /board/],
    [() => new Board({ variant: "ataxx" }), /`variant`: unknown; known are game, board, fen$/],
    [() => new Board({ fen: "rubbish" }), /rubbish|position|row/],
    [() => board.push("a1a5"), /illegal|not a move/],
    [() => board.push(), /not a move/],
    [() => board.perft(-1), /whole number/],
    [() => board.perft(1000), /greatest/],
    [() => new Weights("{}"), /the key is missing|missing/],
    [() => new Weights(bytes, "my.bin"), /my\.bin: the file is damaged/],
    [() => new Engine({}), /Weights\.named/],
    [() => new Engine(), /Weights\.named/],
    [() => board.push({}), /not a move/],
    [() => new Engine("8x8"), /Weights\.named/],
    [() => new Board(null), /board of null: give the name of a game/],
    [() => new Board(5), /board of 5/],
    [() => new Engine(weights, { board: "3x3" }), /board/],
    [() => new Engine(weights, { hash: 0 }), /hash 0/],
    [() => new Engine(weights, { hsh: 1 }), /engine option `hsh`: unknown/],
    [() => new Weights(null), { name: "TypeError", message: /weights of null: give the text, bytes or object/ }],
    [() => new Weights(), /weights of undefined/],
    [() => engine.search(board, null), /none is set/],
    [() => engine.search(board), /none is set; give nodes, depth or movetime/],
    [() => engine.search(board, { depth: 0 }), /depth 0: not a whole number of at least 1/],
    [() => engine.search(board, { depth: 2, node: 100 }), /limit `node`: unknown/],
    [() => engine.search(board, { depth: 2, searchmoves: "a2a3" }), /give a list of moves/],
    [() => engine.search(board, { depth: 1.5 }), /whole number/],
    [() => engine.search({}, { depth: 1 }), /not a Board/],
    [() => engine.search(new Board({ game: "ataxx" }), { depth: 1 }), /not of ataxx/],
  ]) {
    assert.throws(attempt, reason);
  }
  await assert.rejects(Weights.named("breakthrough/9x9"), /the sets are: /);
  for (const wrong of [null, undefined, 5]) await assert.rejects(EngineWorker.start(wrong), /weights of (null|undefined|5): give/);
  await assert.rejects(EngineWorker.start("breakthrough/spsa", { hsh: 1 }), /worker option `hsh`: unknown/);
  assert.equal(board.fen(), fen);
  const thrown = new Error("from the callback");
  assert.throws(
    () =>
      engine.search(board, { depth: 5 }, () => {
        throw thrown;
      }),
    thrown,
  );
  assert.equal(engine.search(board, { depth: 3 }).depth, 3);
});

test("types let options be undefined, as strict TypeScript wants", async () => {
  const folder = new URL("../js/", import.meta.resolve("sparring"));
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(".d.ts"))) {
    const lines = (await readFile(new URL(name, folder), "utf8")).split("\n");
    const optional = lines.filter((line) => /[{;] \w+\?: |^ +\w+\?: [^(]*;$/.test(line));
    assert.deepEqual(optional.filter((line) => !line.includes("| undefined")), [], name);
  }
});

test("types need no types of browsers, except for the board", async () => {
  const folder = new URL("../js/", import.meta.resolve("sparring"));
  for (const name of ["index.d.ts", "worker.d.ts", "uci.d.ts", "book.d.ts"]) {
    const code = (await readFile(new URL(name, folder), "utf8")).replace(/\/\*\*[^]*?\*\//g, "");
    assert.doesNotMatch(code, /\b(BufferSource|WebAssembly|MessageEvent|Response|Worker|HTML\w+)\b/, name);
  }
});

test("freed objects say so", async () => {
  const [board, engine] = [new Board(), new Engine(await Weights.named("breakthrough/piece"))];
  board.free();
  assert.throws(() => board.moves(), /was freed; make another one/);
  assert.throws(() => engine.search(board, { depth: 1 }), /was freed/);
  engine.free();
  assert.throws(() => engine.search(new Board(), { depth: 1 }), /was freed/);
});

test("opening books are read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sparring-book-"));
  const spar = (...words) => assert.equal(spawnSync(process.env.SPAR, words).status, 0, words.join(" "));
  const [json, bin] = ["book.json", "book.bin"].map((name) => join(folder, name));
  spar("book", "build", ..."--board 5x5 --nodes 100 --positions 60 --threads 1 -q -o".split(" "), json);
  spar("book", "export", json, "--to", "bin", "-q", "-o", bin);
  const bytes = await readFile(bin);
  const book = new Book("book.bin", bytes);
  assert.deepEqual([book.name, book.game, book.board], ["book.bin", "breakthrough", "5x5"]);
  const board = new Board({ board: "5x5" });
  const moves = book.moves(board);
  assert.deepEqual(moves.map(({ move }) => move).sort(), board.moves().sort());
  assert.ok(moves.every(({ value }, at) => at === 0 || value <= moves[at - 1].value));
  const { move, pieces } = book.choose(board, { variety: 0 });
  const [best] = moves;
  assert.deepEqual([moves.find((known) => known.move === move).value, pieces], [best.value, best.value / book.unit]);
  assert.equal(book.choose(new Board()), null);
  book.values.set(keyOf(board), best.value + book.unit);
  assert.equal(book.choose(board), null, "a move that the book lacks is better");
  bytes[bytes.length - 9] ^= 1;
  assert.throws(() => new Book("book.bin", bytes), /book\.bin: damaged/);
  assert.throws(() => new Book("book.json", new Uint8Array(40)), /not in its compact form/);
  await rm(folder, { recursive: true });
});

test("a worker finds the same, can be stopped, and continues", { timeout: 60_000 }, async () => {
  const weights = await Weights.named("breakthrough/6x6");
  const board = new Board({ board: "6x6" });
  const expected = new Engine(weights).search(board, { depth: 7 });
  const worker = await EngineWorker.start("breakthrough/6x6");
  const found = await worker.search(board, { depth: 7 });
  assert.deepEqual({ ...found, seconds: 0 }, { ...expected, seconds: 0 });
  const [begun, depths] = [Date.now(), []];
  const stopped = await worker.search(board, { depth: 150 }, ({ depth }) => {
    depths.push(depth);
    if (depth === 4) worker.stop();
  });
  assert.ok(stopped.best && stopped.depth >= 4 && Date.now() - begun < 20_000);
  await worker.clear();
  const position = { board: "6x6", moves: ["a2a3"] };
  assert.equal((await worker.search(position, { nodes: 500 })).nodes, 500);
  const both = [worker.search(board, { depth: 3 }), worker.search(board, { depth: 3 })];
  const ends = await Promise.allSettled(both);
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["fulfilled", "rejected"],
  );
  await assert.rejects(worker.search({ moves: ["zz"] }, { depth: 1 }), /not a move/);
  await assert.rejects(worker.search(board, {}), /none is set; give nodes, depth or movetime/);
  const running = worker.search(board, { depth: 150 });
  await Promise.all([assert.rejects(running, /was ended/), worker.terminate()]);
  await assert.rejects(worker.search(board, { depth: 1 }), /was ended; start another one/);
  await assert.rejects(worker.explain(board), /was ended/);
  await assert.rejects(EngineWorker.start("no/set"), /the sets are/);
});

test("a worker takes positions as boards do", { timeout: 60_000 }, async () => {
  const weights = await Weights.named("ataxx/piece");
  const worker = await EngineWorker.start(weights.toJSON(), { board: "7x7" });
  const board = new Board("ataxx");
  const { score } = await worker.search("ataxx", { depth: 2 });
  assert.equal(score, new Engine(weights).search(board, { depth: 2 }).score);
  const move = board.legalMoves()[0];
  const position = { game: "ataxx", moves: [move], board: undefined, fen: undefined };
  assert.ok((await worker.search(position, { depth: 1 })).best);
  assert.ok((await worker.explain({ game: "ataxx", moves: undefined })).unit);
  assert.equal((await worker.search(board, { depth: 1, searchmoves: [move] })).best, move.text);
  for (const [wrong, reason] of [
    [null, /board of null/],
    [undefined, /board of undefined/],
    [{ game: "ataxx", move: ["zz"] }, /board option `move`: unknown; known are game, board, fen, moves$/],
    ["breakthrough", /not (of |for `)breakthrough/],
  ]) {
    await assert.rejects(worker.search(wrong, { depth: 2 }), reason);
    await assert.rejects(worker.explain(wrong), reason);
  }
  await assert.rejects(worker.search(board, null), /none is set/);
  await worker.terminate();
});

test("an exception in a worker's callback ends its search", { timeout: 60_000 }, async () => {
  const throws = () => { throw new Error("from the callback"); };
  const tries = async (worker) => {
    const begun = Date.now();
    await assert.rejects(worker.search("breakthrough", { movetime: 30_000 }, throws), /from the callback/);
    assert.ok(Date.now() - begun < 20_000);
    assert.equal((await worker.search("breakthrough", { depth: 2 })).depth, 2);
    await worker.terminate();
  };
  await tries(await EngineWorker.start("breakthrough/spsa"));
  const Shared = globalThis.SharedArrayBuffer;
  delete globalThis.SharedArrayBuffer;
  const alone = await EngineWorker.start("breakthrough/spsa");
  globalThis.SharedArrayBuffer = Shared;
  await tries(alone);
});

test("without shared memory the worker is replaced", { timeout: 60_000 }, async () => {
  const Shared = globalThis.SharedArrayBuffer;
  delete globalThis.SharedArrayBuffer;
  const worker = await EngineWorker.start("breakthrough/6x6");
  globalThis.SharedArrayBuffer = Shared;
  const search = worker.search({ board: "6x6" }, { depth: 150 });
  await worker.stop();
  const { best, depth } = await search;
  assert.ok(best && depth >= 1);
  assert.equal((await worker.search({ board: "6x6" }, { depth: 3 })).depth, 3);
  await worker.terminate();
});

test("a worker explains, also while another takes its place", { timeout: 60_000 }, async () => {
  const board = new Board();
  board.push("d2d3");
  const expected = new Engine(await Weights.named("breakthrough/spsa")).explain(board);
  assert.equal(expected.score, Math.trunc(expected.sum / expected.scale));
  assert.ok(expected.unit > 0);
  const shared = globalThis.SharedArrayBuffer;
  delete globalThis.SharedArrayBuffer;
  try {
    const worker = await EngineWorker.start("breakthrough/spsa");
    assert.deepEqual(await worker.explain(board), expected);
    const search = worker.search(board, { depth: 200 });
    const explanation = worker.explain(board);
    await worker.stop();
    assert.ok((await search).best);
    assert.deepEqual(await explanation, expected);
    await worker.terminate();
  } finally {
    globalThis.SharedArrayBuffer = shared;
  }
});

test("UCI by messages", { timeout: 60_000 }, async () => {
  const engine = await uci();
  let [lines, wake] = [[], () => {}];
  engine.onmessage = ({ data }) => {
    lines.push(data);
    wake();
  };
  const ask = async (words, end) => {
    lines = [];
    for (const line of words) engine.postMessage(line);
    while (!lines.some((line) => end.test(line))) await new Promise((resolve) => (wake = resolve));
    return lines;
  };
  await ask(["uci"], /^uciok$/);
  await ask(["isready"], /^readyok$/);
  const start = new Board({ board: "5x5" });
  const best = ["setoption name Board value 5x5", "position startpos moves a2a3", "go depth 8"];
  const answer = (await ask(best, /^bestmove/)).at(-1).split(" ")[1];
  start.push("a2a3");
  assert.ok(start.moves().includes(answer), answer);
  const info = lines.filter((line) => line.startsWith("info depth")).at(-1);
  assert.match(info, /^info depth \d+ score (cp|mate) -?\d+ nodes \d+ nps \d+ time \d+ pv /);
  await ask(
    ["setoption name UCI_Variant value ataxx", "position startpos", "go nodes 2000"],
    /^bestmove/,
  );
  assert.ok(lines.at(-1).startsWith("bestmove P@"), lines.at(-1));
  const played = async (variant, position, words) => {
    const set = [`setoption name UCI_Variant value ${variant}`, `position ${position}`];
    return (await ask([...set, words], /^bestmove/)).at(-1);
  };
  const enclosed = "fen o-x4/--x4/xxx4/7/7/7/7 o 0 1";
  assert.match(await played("ataxx", enclosed, "go depth 2"), /^bestmove a7a7/);
  assert.match(await played("breakthru", "startpos", "go nodes 50"), /^bestmove [a-k]\d+[a-k]\d+$/);
  assert.match(await played("breakthrough6x6", "startpos", "go depth 2"), /^bestmove [a-f]2/);
  assert.match(await played("breakthrough8x8", "fen startpos", "go depth -3"), /^bestmove [a-h]2/);
  assert.equal(await played("ataxx", "startpos moves a1a5", "go depth 2"), "bestmove (none)");
  assert.match((await ask(["ucinewgame", "go depth 1"], /^bestmove/)).at(-1), /^bestmove P@/);
  const pondering = ask(["go ponder depth 1"], /^bestmove/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.ok(!lines.some((line) => line.startsWith("bestmove")), lines.at(-1));
  engine.postMessage("ponderhit");
  await pondering;
  const endless = ask(["go infinite"], /^bestmove/);
  setTimeout(() => engine.postMessage("stop"), 300);
  await endless;
  await ask(["setoption name Hash value 2", "go infinite", "stop"], /^bestmove/);
  await ask(["go wtime 300 btime 300 winc 10 binc 10"], /^bestmove/);
  for (const go of ["go depth 99999999999999999999999", "go nodes 1e99", "go wtime 1e99", "go wtime x"]) {
    assert.match((await ask(["position startpos", go, "stop"], /^bestmove/)).at(-1), /^bestmove P@/, go);
  }
  assert.match((await ask(["position startpos moves zz"], /info string/)).at(-1), /not a move/);
  assert.match((await ask(["what"], /info string/)).at(-1), /unknown command what/);
  assert.match((await ask(["setoption name Hash value x"], /info string/)).at(-1), /1 to 1024/);
  const withSet = async (name) => {
    const set = ["ucinewgame", `setoption name EvalFile value ${name}`, "position startpos", "go depth 1"];
    return (await ask(set, /^bestmove/)).filter((line) => line.startsWith("info string") || line.startsWith("bestmove"));
  };
  await played("breakthrough", "startpos", "go depth 1");
  const usual = "info string breakthrough on 8x8 with the weights breakthrough/8x8-network";
  for (const [name, reason] of [
    ["nope", /weights `nope`: not in the package; its sets of breakthrough are: breakthrough\/.*; the default weights are used$/],
    ["ataxx/7x7", /weights `ataxx\/7x7`: a set of ataxx, not of breakthrough; the default weights are used$/],
    ["6x6", /6x6, .*; the default weights are used$/],
  ]) {
    const [remark, told, answer] = await withSet(name);
    assert.match(remark, reason);
    assert.equal(told, usual);
    assert.match(answer, /^bestmove [a-h]2/);
  }
  assert.equal((await withSet("hand"))[0], "info string breakthrough on 8x8 with the weights breakthrough/hand");
  assert.equal((await withSet("breakthrough/8x8"))[0], "info string breakthrough on 8x8 with the weights breakthrough/8x8");
  assert.equal((await withSet("<empty>"))[0], usual);
  engine.postMessage("quit");
  await engine.terminate();
});
