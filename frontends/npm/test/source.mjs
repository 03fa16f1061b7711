// Sets exported as JavaScript modules must reproduce the scores of the conformance files. Needs
// only SPAR, the program, and not the package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const weights = fileURLToPath(new URL("../../../weights/", import.meta.url));

/** The squares as FEATURES.md encodes them: 0 empty or blocked, 1 own, 2 of the other side. */
function squaresOf(game, fen) {
  const [rows, side] = fen.split(" ");
  const [signs, first] = game === "ataxx" ? ["xo", "x"] : ["Pp", "w"];
  const begins = side === first;
  const square = (sign) => {
    if (sign >= "1" && sign <= "9") return Array(Number(sign)).fill(0);
    const owner = signs.indexOf(sign);
    return owner < 0 ? [0] : [(owner === 0) === begins ? 1 : 2];
  };
  const board = rows.split("/").map((row) => [...row].flatMap(square));
  return (begins || game === "ataxx" ? board.reverse() : board).flat();
}

for (const game of ["breakthrough", "ataxx", "breakthru"]) {
  test(`modules of the sets of ${game}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "sparring-"));
    try {
      const { positions, sets, files } = JSON.parse(
        readFileSync(join(weights, game, "conformance.json")),
      );
      const inside = sets.map((set) => {
        const path = join(folder, `${set.name}.json`);
        writeFileSync(path, JSON.stringify(set));
        return [set, path];
      });
      const beside = files.map((file) => {
        const path = join(weights, game, file);
        return [JSON.parse(readFileSync(path)), path];
      });
      for (const [set, path] of [...inside, ...beside]) {
        const module = join(folder, `${set.name}.mjs`);
        const words = ["weights", "export", path, "--to", "js", "-o", module, "--json"];
        const written = spawnSync(process.env.SPAR, words, { encoding: "utf8" });
        // Breakthru's networks need more than the owner of each piece.
        if (game === "breakthru" && set.network) {
          assert.equal(written.status, 2);
          assert.match(written.stderr, /no source code for networks of breakthru/);
          continue;
        }
        assert.equal(written.status, 0, written.stderr);
        const { evaluate, features, name, phases, scale, terms } = await import(pathToFileURL(module));
        assert.equal(name, set.name);
        const rows = positions.filter(({ scores }) => name in scores);
        assert.ok(rows.length > 0);
        assert.equal(phases, name === "every-phase" ? 16 : 0);
        for (const { fen, features: values, phase, scores } of rows) {
          const asked = [squaresOf(game, fen), features.map((feature) => values[feature]), phase];
          const score = evaluate(...asked);
          assert.ok(Object.is(score, scores[name]), `${name}: ${score} for ${fen}`);
          const found = terms(...asked);
          const sum = found.reduce((sum, { product }) => sum + product, 0);
          assert.equal(Math.trunc(sum / scale) + 0, score);
          const others = Object.keys(set.weights).filter((key) => set.weights[key].length > 0);
          const told = [...features, ...others, ...(set.network ? ["network"] : [])];
          assert.deepEqual(found.map((term) => term.name).sort(), told.sort());
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
