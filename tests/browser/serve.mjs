// The pages of `spar serve` in a browser, while a real tune runs. tests/run.sh calls it:
//
//   SPARRING_PEERS=FOLDER node tests/browser/serve.mjs PROGRAM [PICTURES]
//
// FOLDER has playwright-core in its node_modules, PROGRAM is spar; screenshots go to PICTURES, if it
// is given.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.SPARRING_PEERS, "node_modules", "peers.js"));
const { chromium } = require("playwright-core");
const [program, pictures] = process.argv.slice(2).map((argument) => path.resolve(argument));

const CHROMIUM = "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP evil.example 127.0.0.1",
];
const PATIENCE = 30_000;
const DESKTOP = { width: 1400, height: 900 };
const SIZES = [DESKTOP, { width: 800, height: 900 }, { width: 390, height: 844 }];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spar-browser-"));
const runs = path.join(folder, "runs");
const children = [];
// What the browser's console says is wrong.
const complaints = [];
let browser = null;

function tune(name, more) {
  const common = "tune --method spsa --board 5x5 --batch 10 --nodes 30 --json --run".split(" ");
  return [...common, path.join(runs, name), ...more.split(" ")];
}

function finish(name, more) {
  const ended = spawnSync(program, tune(name, more), { encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
}

function begin(command, options) {
  const child = spawn(program, command, options);
  children.push(child);
  return child;
}

async function serve() {
  const server = begin(["serve", "--port", "0", "--runs", runs], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).split("\n"))));
  return line.trim().replace(/\/$/, "");
}

async function step(name, work) {
  const begun = Date.now();
  await work();
  assert.deepEqual(complaints, [], name);
  console.log(`${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

// Waits until a question about a page is answered as wanted.
async function until(what, ask) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(Date.now() < end, `waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function newPage(options = {}) {
  const page = await browser.newPage({ viewport: DESKTOP, ...options });
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => complaints.push(`a script failed: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return page;
}

const text = (page, selector) => page.locator(selector).first().innerText();
// The pixels of a chart, to see whether it moves.
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
  await page.getByRole("button", { name: "All" }).click();
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
  await page.getByLabel("Board").selectOption("5x5");
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

async function everySizeAndColourFits(url) {
  const paths = { list: "/", run: "/runs/one", compare: "/compare?run=one&run=going", game: "/runs/one/games/3" };
  const backgrounds = new Set();
  for (const colorScheme of ["light", "dark"]) {
    const page = await newPage({ colorScheme });
    for (const [name, place] of Object.entries(paths)) {
      await page.goto(url + place);
      await page.locator("#page h1").waitFor();
      for (const size of SIZES) {
        await page.setViewportSize(size);
        // Charts follow the size a moment later.
        await until(`${name} to fit into ${size.width} pixels`, () =>
          page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        if (pictures) await picture(page, `${name}-${size.width}-${colorScheme}`);
      }
      await page.setViewportSize(DESKTOP);
    }
    backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.close();
  }
  assert.equal(backgrounds.size, 2, "dark is another colour than light");
}

// Charts draw themselves when they are seen, so the page is scrolled through first.
async function picture(page, name) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 600) {
    await page.evaluate((to) => scrollTo(0, to), at);
    await page.waitForTimeout(80);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

async function strangersAreRefused(url) {
  const stranger = http.createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>stranger</title>");
  });
  await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
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
  assert.equal(named.status(), 403, "a name of others that leads here is refused");
  await page.close();
  stranger.close();
}

async function main() {
  if (pictures) fs.mkdirSync(pictures, { recursive: true });
  finish("one", "--games 600 --threads 2 --validation-pairs 40");
  finish("two", "--games 600 --threads 2 --validation-pairs 40 --seed 2");
  begin(tune("going", "--games 1000000 --threads 1 --seed 3"), { stdio: "ignore" });
  const url = await serve();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  const page = await newPage();
  await step("the list moves", () => theListMoves(page, url));
  await step("charts move", () => chartsMove(page, url));
  await step("two runs are compared", () => twoAreCompared(page, url));
  await step("a game is replayed", () => aGameIsReplayed(page, url));
  await step("a match is started and ends", () => aMatchIsPlayed(page, url));
  await step("a tournament tells its winner", () => aTournamentTellsItsWinner(page, url));
  await step("a tune is stopped and resumed", () => aTuneIsStoppedAndResumed(page, url));
  await step("every size and colour fits", () => everySizeAndColourFits(url));
  await step("strangers are refused", () => strangersAreRefused(url));
}

try {
  await main();
} finally {
  await browser?.close();
  children.forEach((child) => child.kill("SIGKILL"));
  fs.rmSync(folder, { recursive: true, force: true });
}
