// Writes the shipped weight sets in the compact form, and their list. node sets.mjs SPAR FOLDER

import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The sets for boards that have none of their own. */
const USUAL = ["breakthrough/spsa", "ataxx/general", "breakthru/11x11"];

const [spar, folder] = process.argv.slice(2);
const run = (...args) => execFileSync(spar, [...args, "--json"], { encoding: "utf8" });
const sets = JSON.parse(run("weights", "list")).sets.map(({ name, game, board }) => {
  const file = join(folder, `${name}.bin`);
  mkdirSync(dirname(file), { recursive: true });
  run("weights", "export", name, "--to", "bin", "-o", file);
  return { name, game, board, bytes: statSync(file).size, usual: USUAL.includes(name) };
});
writeFileSync(join(folder, "index.json"), `${JSON.stringify(sets, null, 1)}\n`);
