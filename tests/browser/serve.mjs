// Tests the pages of `spar serve` in a browser during a real tune. tests/run.sh calls it:
//
//   SPARRING_PEERS=FOLDER node tests/browser/serve.mjs PROGRAM [PICTURES]
//
// FOLDER has playwright-core in its node_modules, PROGRAM is spar. Screenshots go to PICTURES, if
// given.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { DESKTOP, begin, blankPage, choice, everySizeAndColourFits, firstLine, folder, newPage, nothingHindersReaders, program, run, step, text, thePageIsReadable, until } from "./support.mjs";

const runs = path.join(folder, "runs");
const PHONE = { width: 375, height: 812 };

function tune(name, more) {
  const common = "tune --method spsa --board 5x5 --batch 10 --nodes 30 --json --run".split(" ");
  return [...common, path.join(runs, name), ...more.split(" ")];
}

function finish(name, more) {
  const ended = spawnSync(program, tune(name, more), { encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
}

async function serve() {
  const server = begin(program, ["serve", "--port", "0", "--runs", runs], { stdio: ["ignore", "pipe", "ignore"] });
  return (await firstLine(server)).replace(/\/$/, "");
}

// The pixels of a chart, to test whether it changes.
const pixels = (page, selector) => page.locator(`${selector} canvas`).first().evaluate((canvas) => canvas.toDataURL());

async function theListMoves(page, url) {
  await page.goto(url);
  await page.locator("table.runs tbody tr").nth(2).waitFor();
  assert.equal(await page.locator("table.runs tbody tr").count(), 3);
  const row = page.locator("tr", { hasText: "going" });
  assert.equal(await row.locator(".state").innerText(), "running");
  const before = await row.locator(".games-cell").innerText();
  await until("more games", async () => (await row.locator(".games-cell").innerText()) !== before);
  await row.locator(".spark polyline").waitFor({ state: "attached" });
  await page.getByPlaceholder("Filter").fill("SPSA running");
  assert.equal(await page.locator("table.runs tbody tr").count(), 1, "the words of the filter");
  await page.getByPlaceholder("Filter").fill("");
  const labelled = spawnSync(program, ["runs", "label", "one", "--name", "first try", "--tag", "small", "--runs", runs], { encoding: "utf8" });
  assert.equal(labelled.status, 0, labelled.stderr);
  await page.reload();
  await page.getByRole("link", { name: "first try" }).waitFor();
  await page.getByPlaceholder("Filter").fill("small");
  assert.equal(await page.locator("table.runs tbody tr").count(), 1, "tags are found");
  await page.getByRole("button", { name: "Games", exact: true }).click();
  await page.reload();
  await page.getByRole("link", { name: "first try" }).waitFor();
  assert.equal(await page.locator("table.runs tbody tr").count(), 1, "the filter outlives a reload");
  assert.match(await page.locator("th[aria-sort]").innerText(), /Games/, "so does the order");
  await page.getByPlaceholder("Filter").fill("");
  spawnSync(program, ["runs", "label", "one", "--name", "", "--untag", "small", "--runs", runs]);
  await page.reload();
  await page.locator("table.runs tbody tr").nth(2).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  assert.match(await page.locator("th[aria-sort]").innerText(), /Run/);
}

async function chartsMove(page, url) {
  await page.goto(`${url}/runs/going`);
  const chart = "section.charted:has(h2:text('Strength')) .chart";
  const knob = ".many figure .chart";
  await page.locator(`${chart} canvas`).waitFor();
  const before = [await pixels(page, chart), await pixels(page, knob)];
  await until("charts to move", async () => (await pixels(page, chart)) !== before[0] && (await pixels(page, knob)) !== before[1]);
  const box = await page.locator(`${chart} .u-over`).boundingBox();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
  await until("a tooltip", async () => /games/.test(await text(page, `${chart} .tip`)));
  const wide = await pixels(page, chart);
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await pixels(page, chart), wide, "a drag zooms in");
  await page.locator(".strength").getByRole("button", { name: "All" }).click();
}

// The most important parts come first: strength, then proof, then weights.
async function theStrengthIsSeenFirst(page, url) {
  await page.setViewportSize(PHONE);
  await page.goto(`${url}/runs/one`);
  await page.locator(".strength .chart canvas").waitFor();
  const top = async (selector) => (await page.locator(selector).first().boundingBox()).y;
  const [strength, proof, weights] = [await top(".strength .chart"), await top("h2:text('Validation')"), await top(".many")];
  assert.ok(strength < PHONE.height && strength < proof && proof < weights, `${strength}, ${proof}, ${weights}`);
  const said = await page.locator("#page").innerText();
  assert.ok(!said.includes("no verdict yet"), "a decided match is not waited for");
  const [head, planned] = [await text(page, ".head"), 600];
  assert.ok(!head.includes(`of ${planned}`), "a finished run is not on its way");
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/`);
  assert.doesNotMatch(await page.locator("tr", { hasText: "one" }).locator(".games-cell").innerText(), / of /);
}

// The report page of a run, also written by `spar report`, is the same page with embedded data.
async function reportsAreThePages(url) {
  const named = (name) => pathToFileURL(path.join(runs, name)).href;
  const compared = path.join(folder, "both.html");
  assert.equal(spawnSync(program, ["report", path.join(runs, "one"), path.join(runs, "two"), "-o", compared]).status, 0);
  const page = await newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  for (const [place, chart] of [[named("one/report.html"), ".strength .chart canvas"], [named("cup/report.html"), "h2:text('Ratings')"], [pathToFileURL(compared).href, ".chart canvas"]]) {
    await page.goto(place);
    await page.locator(chart).first().waitFor();
    await thePageIsReadable(page);
  }
  assert.ok(asked.every((address) => /^(file|data|blob):/.test(address)), `nothing is fetched: ${asked}`);
  await page.goto(named("one/report.html"));
  const saved = page.waitForEvent("download");
  await page.locator(".strength").getByRole("button", { name: "CSV" }).click();
  assert.equal((await saved).suggestedFilename(), "strength.csv");
  const shown = await text(page, ".head .big");
  await page.goto(`${url}/runs/one`);
  assert.equal(await text(page, ".head .big"), shown, "the server shows the same");
  await page.close();
  const plain = await newPage({ javaScriptEnabled: false });
  await plain.goto(named("one/report.html"));
  assert.ok((await plain.locator("svg.course-of-run").boundingBox()).width > 300, "the curve is seen without scripts");
  assert.ok((await plain.locator("svg.course-of-run polyline").boundingBox()).width > 0, "the curve has points");
  assert.match(await text(plain, ".head .big"), /Elo/);
  await plain.close();
}

async function twoAreCompared(page, url) {
  await page.goto(url);
  await page.getByLabel("Compare one").check();
  await page.getByLabel("Compare two").check();
  await page.getByRole("button", { name: "Compare 2" }).click();
  await page.waitForURL(/compare/);
  await page.locator("table.weights tbody tr").first().waitFor();
  assert.equal(await page.locator("table.weights thead th").count(), 3);
  await page.locator(".chart canvas").nth(1).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).first().click();
  const table = fs.readFileSync(await (await saved).path(), "utf8");
  assert.match(table, /^games,even,one,two\n\d/);
}

// Compares runs of a few games, and more runs than the comparison has colours.
async function fewGamesAreCompared(page, url) {
  const names = Array.from({ length: 9 }, (_, index) => `few-${index + 1}`);
  for (const name of names) {
    const match = "match piece hand --board 5x5 --pairs 1 --nodes 10 --threads 1 -q --run".split(" ");
    assert.equal(spawnSync(program, [...match, path.join(runs, name)]).status, 0);
  }
  finish("short", "--games 30 --threads 1 --validation-pairs 2 --yardstick-pairs 0");
  await page.goto(`${url}/compare?run=short`);
  await page.getByText("No run has enough pairs for a curve so far.").first().waitFor();
  assert.equal(await page.locator(".chart").first().isVisible(), false);
  await page.goto(url);
  for (const name of names) await page.getByLabel(`Compare ${name}`, { exact: true }).check();
  assert.ok(await page.getByRole("button", { name: "Compare (at most 8)" }).isDisabled());
  await page.getByLabel("Compare few-9", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Compare 8" }).click();
  await page.getByRole("heading", { name: "Comparing 8 runs" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Compare 8" }).waitFor();
  for (const name of names) fs.rmSync(path.join(runs, name), { recursive: true });
  fs.rmSync(path.join(runs, "short"), { recursive: true });
  await page.getByLabel("Compare few-1", { exact: true }).waitFor({ state: "detached" });
  assert.ok(await page.getByRole("button", { name: "Compare", exact: true }).isDisabled(), "only runs that are there count");
}

// The browser's console shows the 404, so this page is not watched.
async function whatIsNotThereIsSaid(url) {
  const page = await blankPage();
  for (const place of ["/runs/nope", "/compare?run=one&run=nope", "/runs/one/games/99999"]) {
    await page.goto(url + place);
    await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor();
    assert.match(await text(page, "#page"), /nope|99999/, place);
    await page.getByRole("link", { name: "All runs" }).waitFor();
    await nothingHindersReaders(page);
  }
  await page.goto(`${url}/nowhere`);
  await page.getByRole("heading", { name: "Nothing is at this address" }).waitFor();
  await nothingHindersReaders(page);
  await page.close();
}

async function emptyFieldsAreRefused(page, url) {
  await page.goto(url);
  await page.getByRole("button", { name: "New tune" }).click();
  await page.locator('form [name="amount"]').fill("");
  await page.getByRole("button", { name: "Start the tune" }).click();
  assert.equal(await page.locator("form :invalid").count(), 1);
  assert.equal(await page.locator(".notice").count(), 0, "nothing is sent");
  // Stray commas in lists are ignored.
  await page.locator('form [name="amount"]').fill("1");
  await page.getByText("More options").click();
  await page.locator('form [name="only"]').fill(", danger ,, protection,");
  await page.locator('form [name="freeze"]').fill(" , ");
  await page.getByRole("button", { name: "Add to the queue" }).click();
  await page.getByRole("heading", { name: "1 run in the queue" }).waitFor();
  assert.match(await text(page, ".queue li"), /, only danger,protection/);
  assert.doesNotMatch(await text(page, ".queue li"), /freeze/);
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("heading", { name: "1 run in the queue" }).waitFor({ state: "hidden" });
}

async function aGameIsReplayed(page, url) {
  await page.goto(`${url}/runs/one`);
  await page.locator("table.games tbody a").first().click();
  await page.locator("svg.board .piece").first().waitFor();
  const pieces = () => page.locator("svg.board g:has(.piece)").innerHTML();
  const ply = async () => Number((/^Ply (\d+)/.exec(await text(page, ".words")) ?? [0, 0])[1]);
  const start = await pieces();
  await page.getByRole("button", { name: "On", exact: true }).click();
  assert.equal(await ply(), 1);
  assert.notEqual(await pieces(), start);
  assert.equal(await page.locator("svg.board .mark").count(), 2, "the last move is marked");
  await page.keyboard.press("ArrowRight");
  assert.equal(await ply(), 2);
  await page.keyboard.press("End");
  await until("the scores", async () => /has won/.test(await text(page, ".words")));
  await page.keyboard.press("Home");
  assert.equal(await pieces(), start);
  await page.locator(".moves button").nth(4).click();
  assert.equal(await ply(), 5);
  const scores = await page.locator(".course-of-game").boundingBox();
  await page.mouse.click(scores.x + scores.width - 1, scores.y + 5);
  assert.match(await text(page, ".words"), /has won/);
  await page.keyboard.press("f");
}

async function aMatchIsPlayed(page, url) {
  await page.goto(url);
  await page.getByRole("button", { name: "New match" }).click();
  await page.getByLabel(/^Board/).selectOption("5x5");
  await page.getByLabel("Player A").selectOption("run:one");
  await page.getByLabel("Player B").selectOption("breakthrough/piece");
  await page.getByLabel(/^Pairs/).fill("20");
  await page.getByLabel("Nodes a move").fill("30");
  await page.getByRole("button", { name: "Start the match" }).click();
  await page.waitForURL(/runs\/.*match/);
  await until("the match to end", async () => (await text(page, ".head .state")) === "done");
  assert.match(await text(page, ".big"), /Elo/);
}

async function aTournamentTellsItsWinner(page, url) {
  const command = "tournament piece zhu random --board 5x5 --pairs 4 --nodes 30 --json --run".split(" ");
  const ended = spawnSync(program, [...command, path.join(runs, "cup")], { encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
  const [first] = JSON.parse(ended.stdout).players.sort((a, b) => b.score - a.score);
  await page.goto(`${url}/runs/cup`);
  await until("the winner", async () => / won/.test(await text(page, ".head .big")));
  assert.ok((await text(page, ".head .big")).startsWith(first.name.split("/").pop()));
  await page.goto(`${url}/`);
  const row = page.locator("tbody tr", { has: page.getByLabel("Compare cup") });
  await row.waitFor();
  assert.equal(await row.locator(".spark polyline").count(), 0, "its matches are no course");
}

async function aTuneIsStoppedAndResumed(page, url) {
  await page.goto(`${url}/runs/going`);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await until("it to stop", async () => (await text(page, ".head .state")) === "stopped");
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await until("it to go on", async () => (await text(page, ".head .state")) === "running");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await until("it to stop again", async () => (await text(page, ".head .state")) === "stopped");
}

async function aRunIsLabelled(page, url) {
  await page.goto(`${url}/runs/two`);
  await page.getByRole("button", { name: "Label" }).click();
  await nothingHindersReaders(page);
  await page.getByLabel(/^Name/).fill("second <b>try</b>");
  await page.getByLabel("Note").fill("from the page");
  await page.getByLabel(/^Tags/).fill("small  night-run");
  await page.getByRole("button", { name: "Save" }).click();
  await until("the name", async () => (await text(page, "h1")) === "second <b>try</b>");
  await page.locator(".head summary").click();
  assert.match(await text(page, ".head dl"), /from the page[^]*night-run, small/);
  const told = spawnSync(program, ["runs", "--json", "--runs", runs], { encoding: "utf8" });
  const [label] = JSON.parse(told.stdout).runs.filter((run) => run.run === "two").map((run) => run.label);
  assert.deepEqual(label, { name: "second <b>try</b>", note: "from the page", tags: ["night-run", "small"] });
}

// The settings of a run fill the form for the next one.
async function aRunIsCopied(page, url) {
  const value = (name) => page.locator(`form [name="${name}"]`).inputValue();
  await page.goto(`${url}/runs/two`);
  await page.getByRole("link", { name: "Copy to a new tune" }).click();
  await page.getByRole("heading", { name: "New tune" }).waitFor();
  const values = { board: "5x5", start: "breakthrough/hand", method: "spsa", amount: "600", unit: "games", nodes: "30" };
  for (const [name, wanted] of Object.entries(values)) assert.equal(await value(name), wanted, name);
  assert.match(await text(page, "form .soft"), /^Copied from two, with another seed\.$/);
  assert.deepEqual([await value("batch"), await value("validation-pairs")], ["10", "40"], "further options come back");
  assert.equal(await page.locator("form .kept").count(), 0);
  const match = spawnSync(program, [..."match piece".split(" "), `${path.join(runs, "one")}:candidate`, ..."--board 5x5 --pairs 2 --nodes 40 --sprt 0,5 -q --run".split(" "), path.join(runs, "duel")]);
  assert.equal(match.status, 0, String(match.stderr));
  await page.goto(`${url}/runs/duel`);
  await page.getByRole("link", { name: "Copy to a new match" }).click();
  await page.getByRole("heading", { name: "New match" }).waitFor();
  const accepted = spawnSync(program, ["runs", "show", path.join(runs, "one"), "--json"], { encoding: "utf8" });
  const own = JSON.parse(accepted.stdout).accepted ? "run:one" : "run:one:candidate";
  for (const [name, wanted] of Object.entries({ board: "5x5", a: "breakthrough/piece", b: own, pairs: "2", nodes: "40", elo1: "5" })) assert.equal(await value(name), wanted, name);
  assert.ok(await page.locator('form [name="sprt"]').isChecked());
}

// The page starts no external engines, and says which command does.
async function anEngineIsTunedElsewhere(page, url) {
  const knobs = path.join(folder, "knobs.json");
  fs.writeFileSync(knobs, JSON.stringify([{ name: "MultiPV", kind: "int", start: 1, min: 1, max: 2, step: 1 }]));
  const more = `--game breakthrough --knobs ${knobs} --games 30 --threads 1 --validation-pairs 2`;
  const ended = spawnSync(program, [...tune("engine", more), "--engine", `cmd:${program} uci`], { encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
  await page.goto(`${url}/runs/engine`);
  await page.getByText("spar tune --from engine:start").waitFor();
  await thePageIsReadable(page);
}

// Errors in a form appear beside the field; options without a field are kept.
async function aWrongFieldIsShown(url) {
  // The console shows the rejected request.
  const page = await blankPage();
  const odd = tune("odd", "--games 60 --threads 1 --validation-pairs 0 --keep 0.7 --only danger,attack");
  assert.equal(spawnSync(program, [...odd, "--constrain", "danger >= attack"]).status, 0);
  await page.goto(`${url}/?new=tune&like=odd`);
  const only = page.locator('form [name="only"]');
  await only.waitFor();
  assert.equal(await only.inputValue(), "danger,attack");
  assert.deepEqual(await page.locator("form .kept code").allInnerTexts(), ["--constrain 'danger >= attack'", "--keep 0.7"]);
  await nothingHindersReaders(page);
  await only.fill("dangre");
  const refused = page.waitForResponse((answer) => answer.status() === 400);
  await page.getByRole("button", { name: "Start the tune" }).click();
  await refused;
  await until("the fault", async () => (await page.locator(".fault").count()) === 1);
  assert.match(await text(page, 'label:has([name="only"])'), /danger/);
  assert.equal(await only.getAttribute("aria-invalid"), "true");
  await nothingHindersReaders(page);
  await only.fill("danger,attack");
  assert.equal(await page.locator(".fault").count(), 0, "a changed field is not known to be wrong");
  await page.getByRole("button", { name: "Start the tune" }).click();
  await page.waitForURL(/runs\/.*spsa/);
  await until("its end", async () => /accepted/.test(await text(page, ".head .state")));
  const copy = decodeURIComponent(page.url().split("/").pop());
  const config = (name) => JSON.parse(fs.readFileSync(path.join(runs, name, "manifest.json"), "utf8")).config;
  assert.deepEqual(config(copy).plan.matches.constraints, config("odd").plan.matches.constraints);
  assert.equal(config(copy).book.keep, 0.7);
  await page.close();
  for (const name of ["odd", copy]) fs.rmSync(path.join(runs, name), { recursive: true });
}

// A browser without the token gets a page that tells which address to open.
async function aBrowserLearnsWhatToOpen() {
  const file = path.join(folder, "token");
  fs.writeFileSync(file, "open sesame");
  const server = begin(program, ["serve", "--port", "0", "--runs", runs, "--token-file", file], { stdio: ["ignore", "pipe", "ignore"] });
  const url = (await firstLine(server)).replace(/\/login.*$/, "");
  const page = await blankPage();
  await page.goto(`${url}/runs/one`);
  await page.getByRole("heading", { name: "This server needs a token" }).waitFor();
  await nothingHindersReaders(page);
  await thePageIsReadable(page);
  await page.getByLabel("Token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("That token is wrong.").waitFor();
  await page.getByLabel("Token").fill("open sesame");
  await page.keyboard.press("Enter");
  await page.locator("table.runs tbody tr").first().waitFor();
  await page.close();
  server.kill();
}

// A run waits for a running one, unless it is started at once.
async function aRunWaits(page, url) {
  await page.goto(`${url}/runs/duel`);
  await page.getByRole("link", { name: "Test at longer limits" }).click();
  await page.getByRole("heading", { name: "New match" }).waitFor();
  assert.equal(await page.locator('form [name="nodes"]').inputValue(), "160", "four times 40");
  await page.getByText("More options").click();
  await page.getByLabel(/^Node limit of B/).fill("80");
  await page.getByLabel(/^Pairs, at most/).fill("20");
  await nothingHindersReaders(page);
  await page.getByRole("button", { name: "Add to the queue" }).click();
  await page.getByRole("heading", { name: "1 run in the queue" }).waitFor();
  assert.match(await text(page, ".queue li"), /match of piece and .*, 20 pairs, .*160 nodes a move, .*nodes-b 80/);
  await nothingHindersReaders(page);
  await page.reload();
  await page.getByRole("button", { name: /^Start now/ }).click();
  await page.waitForURL(/runs\/.*match/);
  await until("the match to end", async () => (await text(page, ".head .state")) === "done");
  await page.goto(`${url}/runs/two`);
  const { summary } = JSON.parse(spawnSync(program, ["runs", "show", path.join(runs, "two"), "--json"], { encoding: "utf8" }).stdout);
  if (summary.changed) {
    await page.getByRole("link", { name: "Test at longer limits" }).click();
    await page.getByRole("heading", { name: "New match" }).waitFor();
    assert.match(await page.locator('form [name="a"]').inputValue(), /^run:two/);
    assert.equal(await page.locator('form [name="b"]').inputValue(), "run:two:start");
  }
}

async function aRunIsDeleted(page, url) {
  await page.goto(`${url}/runs/going`);
  await until("it to run", async () => (await text(page, ".head .state")) === "running");
  assert.equal(await page.getByRole("button", { name: "Delete" }).isVisible(), false, "not while a process works on it");
  await page.goto(`${url}/runs/duel`);
  const other = await blankPage();
  await other.goto(`${url}/runs/duel`);
  await other.locator(".head .big").waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await nothingHindersReaders(page);
  await page.keyboard.press("Enter");
  await until("Enter to keep it", async () => (await page.locator("dialog").count()) === 0);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the run" }).click();
  await page.waitForURL(`${url}/`);
  await page.locator("table.runs tbody tr").first().waitFor();
  assert.ok(!fs.existsSync(path.join(runs, "duel")));
  await other.getByText("The run duel was deleted.").waitFor();
  await other.close();
  // The page learns of it when the server next checks the folder.
  await until("the run to leave the list", async () => (await page.getByLabel("Compare duel").count()) === 0);
}

async function itsSetIsPlayed(page, url) {
  await page.goto(`${url}/runs/one`);
  // The run's set may have been accepted or not.
  await page.getByRole("link", { name: /^Play against (this|the start) set/ }).click();
  await page.locator(".live-board .source").first().waitFor();
  assert.equal(await page.evaluate(() => crossOriginIsolated), true, "searches can be stopped at once");
  assert.equal(await choice(page, "Black").inputValue(), "runs/one");
  await page.getByLabel("Engines think").selectOption({ label: "1,000 positions" });
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  await until("an answer", async () => (await page.locator(".moves button").count()) === 2);
  await page.getByRole("button", { name: "Analyse" }).click();
  await until("an analysis", async () => /depth/.test(await text(page, ".analysis .soft")));
  await page.goto(`${url}/`);
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await page.locator(".live-board .source").first().waitFor();
  assert.equal(await choice(page, "Black").inputValue(), "breakthrough/8x8-network");
}

async function strangersAreRefused(url) {
  const stranger = http.createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>stranger</title>");
  });
  await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const page = await blankPage();
  await page.goto(`http://127.0.0.1:${stranger.address().port}/`);
  const seen = await page.evaluate(async (target) => {
    const tries = [
      () => fetch(`${target}/api/runs`).then((response) => response.text()),
      () => fetch(`${target}/api/start`, { method: "POST", headers: { "x-sparring-token": "guess" }, body: "{}" }).then((response) => response.text()),
    ];
    return Promise.all(tries.map((ask) => ask().catch(() => null)));
  }, url);
  assert.deepEqual(seen, [null, null], "a page of another origin reads nothing");
  const blind = await page.evaluate((target) =>
    fetch(`${target}/api/runs`, { mode: "no-cors" }).then((response) => response.type, () => "blocked"), url);
  assert.equal(blind, "blocked", "nor is an answer lent to it unread");
  const named = await page.goto(url.replace("127.0.0.1", "evil.example"));
  assert.equal(named.status(), 403, "another's name that leads here is refused");
  await page.close();
  stranger.close();
}

async function prepare() {
  finish("one", "--games 600 --threads 2 --validation-pairs 40");
  finish("two", "--games 600 --threads 2 --validation-pairs 40 --seed 2");
  begin(program, tune("going", "--games 1000000 --threads 1 --seed 3"), { stdio: "ignore" });
  return serve();
}

const PATHS = { list: "/", run: "/runs/one", compare: "/compare?run=one&run=going", game: "/runs/one/games/3" };

await run(prepare, async (url) => {
  const page = await newPage();
  await step("the list moves", () => theListMoves(page, url));
  await step("charts move", () => chartsMove(page, url));
  await step("two runs are compared", () => twoAreCompared(page, url));
  await step("few games are compared", () => fewGamesAreCompared(page, url));
  await step("what is not there is said", () => whatIsNotThereIsSaid(url));
  await step("empty fields are refused", () => emptyFieldsAreRefused(page, url));
  await step("the strength is seen first", () => theStrengthIsSeenFirst(page, url));
  await step("a game is replayed", () => aGameIsReplayed(page, url));
  await step("a match is started and ends", () => aMatchIsPlayed(page, url));
  await step("a tournament tells its winner", () => aTournamentTellsItsWinner(page, url));
  await step("a run is labelled", () => aRunIsLabelled(page, url));
  await step("a run is copied", () => aRunIsCopied(page, url));
  await step("an engine is tuned elsewhere", () => anEngineIsTunedElsewhere(page, url));
  await step("a wrong field is shown", () => aWrongFieldIsShown(url));
  await step("a browser learns what to open", () => aBrowserLearnsWhatToOpen());
  await step("a run waits in the queue", () => aRunWaits(page, url));
  await step("a run is deleted", () => aRunIsDeleted(page, url));
  await step("reports are the same pages", () => reportsAreThePages(url));
  await step("a run's set is played against", () => itsSetIsPlayed(page, url));
  await step("a tune is stopped and resumed", () => aTuneIsStoppedAndResumed(page, url));
  await step("every size and colour fits", () =>
    everySizeAndColourFits(url, PATHS, async (page) => {
      await page.locator("#page h1").waitFor();
      await thePageIsReadable(page);
    }));
  await step("strangers are refused", () => strangersAreRefused(url));
});
