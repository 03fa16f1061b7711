// Tests the game page of `spar export web` in a browser, on a plain file server and in a
// sub-folder. tests/run.sh calls it:
//
//   SPARRING_PEERS=FOLDER node tests/browser/play.mjs PROGRAM [PICTURES]
//
// FOLDER has playwright-core in its node_modules, PROGRAM is spar. Screenshots go to PICTURES, if
// given.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { DESKTOP, begin, blankPage, choice, countedPage, everySizeAndColourFits, firstLine, folder, newPage, program, run, step, text, until } from "./support.mjs";

const site = path.join(folder, "site");
const QUICK = { label: "200 positions" };
const MOST_TURNS = 150;

function spar(command) {
  const ended = spawnSync(program, command, { encoding: "utf8" });
  assert.equal(ended.status, 0, ended.stderr);
  return ended.stdout;
}

async function prepare() {
  fs.mkdirSync(site);
  const runs = begin(program, ["serve", "--port", "0", "--runs", path.join(folder, "runs")], { stdio: ["ignore", "pipe", "ignore"] });
  const played = `${await firstLine(runs)}play`;
  spar(["weights", "new", "mine", "--from", "breakthrough/hand", "--set", "piece=120", "-o", path.join(folder, "mine.json")]);
  spar(["export", "web", path.join(site, "below", "page"), "--with", path.join(folder, "mine.json")]);
  spar(["export", "web", path.join(site, "below", "ataxx"), "--only", "ataxx/5x5"]);
  const server = begin("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", site], { stdio: ["ignore", "pipe", "ignore"] });
  const [, port] = /port (\d+)/.exec(await firstLine(server));
  return { url: `http://127.0.0.1:${port}/below/page/`, played };
}

async function open(page, url, query) {
  await page.goto(`${url}?${query}`);
  await page.locator(".live-board .source").first().waitFor();
  await page.getByLabel("Engines think").selectOption(QUICK);
}

const words = (page) => text(page, ".words");
const isOver = async (page) => /wins|a draw/.test(await words(page));

// Waits for the person's turn or the end of the game; returns "turn" or "over".
async function isPersonsTurn(page) {
  return until("a turn", async () => {
    if (await isOver(page)) return "over";
    return (await page.locator(".live-board:not(.waiting) .source").count()) || (await page.getByRole("button", { name: "Pass" }).isVisible()) ? "turn" : null;
  });
}

// Plays a game to its end. `move` makes a move, and may vary it by the number of the turn.
async function playOn(page, move) {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if ((await isPersonsTurn(page)) === "over") return;
    const pass = page.getByRole("button", { name: "Pass" });
    if (await pass.isVisible()) await pass.click();
    else await move(turn);
  }
  assert.fail(`no end after ${MOST_TURNS} turns: ${await words(page)}`);
}

const pick = (cells, turn) => cells.nth((turn * 7) % 5);
async function some(cells, turn) {
  const count = await cells.count();
  return count > 4 ? pick(cells, turn) : cells.nth(turn % count);
}

// Checks with the program that a game's moves are legal and that it is over.
async function isOverForTheProgram(page, game, board) {
  const moves = (await page.locator(".moves button").allInnerTexts()).join(" ");
  const found = JSON.parse(spar(["analyze", "--game", game, "--board", board, "--moves", moves, "--depth", "1", "--json"]));
  assert.equal(found.best, null, "the program knows more moves");
}

async function byClicks(page, url) {
  await open(page, url, "game=breakthrough&board=5x5&set=breakthrough/random");
  await playOn(page, async (turn) => {
    await (await some(page.locator(".live-board .source"), turn)).click();
    await (await some(page.locator(".live-board .target"), turn)).click();
  });
  assert.match(await words(page), /(White|Black) wins/);
  await isOverForTheProgram(page, "breakthrough", "5x5");
}

async function byDrag(page, url) {
  await open(page, url, "game=breakthrough&board=5x5");
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(page, to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag("c2", "c4");
  assert.equal(await page.locator(".moves button").count(), 0, "an illegal move does nothing");
  await drag("c2", "c3");
  await until("the answer", async () => (await page.locator(".moves button").count()) === 2);
  assert.equal(await text(page, ".moves button"), "c2c3");
  await page.getByRole("button", { name: "Take back" }).click();
  assert.equal(await page.locator(".moves button").count(), 0);
}

// The number of the focused square of the board.
const focusedSquare = (page) => page.evaluate(() => Number(document.activeElement.shadowRoot.activeElement.dataset.cell));

// Moves the focus to a square with the arrow keys, on a board that is not turned.
async function goTo(page, square, cols) {
  const at = await focusedSquare(page);
  const steps = (count, more, less) => Array(Math.abs(count)).fill(count > 0 ? more : less);
  const keys = [
    ...steps(Math.floor(square / cols) - Math.floor(at / cols), "ArrowDown", "ArrowUp"),
    ...steps((square % cols) - (at % cols), "ArrowRight", "ArrowLeft"),
  ];
  for (const key of keys) await page.keyboard.press(key);
  assert.equal(await focusedSquare(page), square);
}

async function byKeys(page, url) {
  await open(page, url, "game=ataxx&board=4x4&set=ataxx/piece");
  await page.locator('.cells [tabindex="0"]').focus();
  const cell = async (cells, turn) => Number(await (await some(cells, turn)).getAttribute("data-cell"));
  await playOn(page, async (turn) => {
    await goTo(page, await cell(page.locator(".live-board .source"), turn), 4);
    await page.keyboard.press("Enter");
    await goTo(page, await cell(page.locator(".live-board .target"), turn), 4);
    await page.keyboard.press(" ");
  });
  await isOverForTheProgram(page, "ataxx", "4x4");
  // Outside the board the keys step through the game.
  await page.locator(".cells").evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  assert.ok(await page.getByRole("button", { name: "Back", exact: true }).isDisabled());
}

async function onAPhone(url) {
  const page = await newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
  await open(page, url, "game=breakthrough&board=5x6&set=breakthrough/piece");
  await choice(page, "White (begins)").selectOption("breakthrough/piece");
  await choice(page, "Black").selectOption("");
  await playOn(page, async (turn) => {
    await (await some(page.locator(".live-board .source"), turn)).tap();
    await (await some(page.locator(".live-board .target"), turn)).tap();
  });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const letter = page.locator(".board .labels text", { hasText: "a" });
  assert.equal(await letter.getAttribute("x"), "45", "the board is turned");
  await isOverForTheProgram(page, "breakthrough", "5x6");
  await page.close();
}

async function setsAgainstEachOther(page, url) {
  await open(page, url, "game=breakthru&set=breakthru/grassi");
  await choice(page, "Gold (begins)").selectOption("breakthru/11x11");
  await until("the end", () => isOver(page));
  await isOverForTheProgram(page, "breakthru", "11x11");
}

async function linesAreShownLive(page, url) {
  await open(page, url, "game=breakthrough&board=6x6");
  await choice(page, "Black").selectOption("");
  await page.getByRole("button", { name: "Analyse" }).click();
  const depth = async () => Number((/depth (\d+)/.exec(await text(page, ".analysis .soft")) ?? [0, 0])[1]);
  await until("depth 6", async () => (await depth()) >= 6);
  assert.ok((await page.locator(".line-arrow").count()) >= 2);
  assert.notEqual(await page.locator(".score-bar").getAttribute("aria-valuetext"), "unknown");
  // A move of the line is played, then a new worker analyses the next position. The line changes
  // with every depth, so the test records the move under the click. A button that is replaced
  // during the click gets no click.
  await page.evaluate(() => addEventListener("click", ({ target }) => { window.clicked ??= target.closest(".line button")?.innerText; }, true));
  const clicked = () => page.evaluate(() => window.clicked);
  await until("a click on a move", async () => {
    if (!(await clicked())) await page.locator(".line button").first().click();
    return await clicked();
  });
  assert.equal(await text(page, ".moves button"), await clicked());
  await until("another depth 6", async () => (await depth()) >= 6);
  await page.getByRole("button", { name: "Analyse" }).click();
  assert.equal(await page.locator(".line-arrow").count(), 0);
}

async function severalLinesAreShown(page, url) {
  await open(page, url, "game=breakthrough&board=6x6");
  await choice(page, "Black").selectOption("");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.getByLabel("Lines").selectOption("3");
  await until("three lines", async () => (await page.locator(".analysis .line").count()) === 3);
  // The second line is playable like the first.
  await page.evaluate(() => addEventListener("click", ({ target }) => { window.chosen ??= target.closest(".line button")?.innerText; }, true));
  const chosen = () => page.evaluate(() => window.chosen);
  await until("a click on a move", async () => {
    if (!(await chosen())) await page.locator(".analysis .line").nth(1).locator("button").first().click();
    return await chosen();
  });
  assert.equal(await text(page, ".moves button"), await chosen());
  await page.getByRole("button", { name: "Analyse" }).click();
}

async function theAddressFollows(page, url) {
  await open(page, url, "game=breakthrough&board=5x5&set=breakthrough/piece&moves=a2a3+a4b3");
  await until("the moves of the address", async () => (await page.locator(".moves button").count()) >= 2);
  assert.deepEqual((await page.locator(".moves button").allInnerTexts()).slice(0, 2), ["a2a3", "a4b3"]);
  assert.equal(await page.locator(".moves .soft").first().innerText(), "1.");
  await isPersonsTurn(page);
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  await isPersonsTurn(page);
  const shown = await page.locator(".moves button").allInnerTexts();
  const moves = () => new URL(page.url()).searchParams.get("moves");
  await until("the address", async () => moves() === shown.join(" "));
  assert.equal(new URL(page.url()).searchParams.get("set"), "breakthrough/piece");
  // The wheel steps back, also in the address. A reload keeps that position and the later moves.
  await page.locator(".live-board").hover();
  await page.mouse.wheel(0, -100);
  await until("the address before", async () => new URL(page.url()).searchParams.get("ply") === String(shown.length - 1));
  assert.equal(moves(), shown.join(" "));
  await page.reload();
  await until("the moves again", async () => (await page.locator(".moves button").allInnerTexts()).join(" ") === shown.join(" "));
  assert.equal(await page.locator('.moves [aria-current="step"]').innerText(), shown.at(-2));
}

// The players of the sides are kept after a reload.
async function seatsStay(page, url) {
  const seats = async () => [await choice(page, "White (begins)").inputValue(), await choice(page, "Black").inputValue()];
  for (const [first, second] of [["breakthrough/piece", ""], ["", ""], ["", "breakthrough/zhu"], ["breakthrough/piece", "breakthrough/zhu"]]) {
    await open(page, url, "game=breakthrough&board=5x5");
    await choice(page, "White (begins)").selectOption(first);
    await choice(page, "Black").selectOption(second);
    const isInAddress = () => ["first", "set"].map((key) => new URL(page.url()).searchParams.get(key) ?? "").join() === [first, second || "none"].join();
    await until("the address", isInAddress);
    await page.reload();
    await page.locator(".live-board").waitFor();
    assert.deepEqual(await seats(), [first, second]);
  }
  await open(page, url, "set=ataxx/hand&first=breakthrough/piece");
  assert.deepEqual(await page.locator(".fields select").evaluateAll((lists) => lists.slice(2, 4).map(({ value }) => value)), ["", "ataxx/hand"], "a set of another game plays nobody");
  assert.match(await text(page, ".notice span"), /^piece: a set of breakthrough, which does not play ataxx on 7x7/);
  await open(page, url, "game=breakthrough&set=ataxx/hand");
  assert.equal(await text(page, ".notice span"), "The address names the game breakthrough, but its set plays ataxx.");
  await open(page, url, "game=breakthrough&board=6x6&set=breakthrough/8x8-network");
  assert.match(await text(page, ".notice span"), /a set of breakthrough on 8x8, which does not play breakthrough on 6x6/);
}

async function termsAreExplained(page, url) {
  const fen = "ppppp1/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1";
  await open(page, url, `game=breakthrough&fen=${encodeURIComponent(fen)}`);
  // Each side's pieces have its colour on the board.
  const pieces = (side) => page.locator(`.live-board .piece.${side}`).count();
  assert.deepEqual([await pieces("first"), await pieces("second")], [12, 11]);
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByLabel("Set that is explained").selectOption("breakthrough/piece");
  await until("the value", async () => /\+1\.00/.test(await text(page, ".explain p")));
  const numbers = await page.locator(".board .numbers text").allTextContents();
  assert.deepEqual(new Set(numbers), new Set(["+1.00", "\u22121.00"]));
  assert.equal(numbers.length, 23);
  // With a set with tables, the terms add up to the program's score.
  await page.getByLabel("Set that is explained").selectOption("breakthrough/6x6");
  await page.getByRole("button", { name: "windows 3x3" }).click();
  const told = JSON.parse(spar(["features", "--game", "breakthrough", "--fen", fen, "--weights", "6x6", "--json"]));
  const value = Number(/[+\u2212][\d.]+/.exec(await text(page, ".explain p"))[0].replace("\u2212", "-"));
  assert.equal(Math.sign(value), Math.sign(told.score));
  assert.ok((await page.locator(".board .numbers text").count()) > 10);
}

// Drops a file on the page and returns the notice.
async function drop(page, name, contents) {
  await page.evaluate(([name, contents]) => {
    document.querySelector(".notices")?.remove();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(contents)], name));
    const send = (kind) => document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    send("dragover");
    send("drop");
  }, [name, [...contents]]);
  return text(page, ".notice span");
}

async function filesAreDropped(page, url) {
  await open(page, url, "game=breakthrough&board=5x5");
  const good = fs.readFileSync(path.join(folder, "mine.json"), "utf8");
  const compact = (name) => {
    spar(["weights", "export", name, "--to", "bin", "-o", path.join(folder, "set.bin"), "--force"]);
    return fs.readFileSync(path.join(folder, "set.bin"));
  };
  const bin = compact("breakthrough/5x5");
  const bad = {
    "no-json.json": ["{]", /no-json\.json.*line 1/],
    "unknown.json": [good.replace('"piece"', '"pieces"'), /unknown\.json.*`pieces`.*did you mean `piece`/],
    "cut.bin": [bin.subarray(0, 1000), /cut\.bin/],
    "turned.bin": [Buffer.concat([bin.subarray(0, -1), Buffer.from([bin.at(-1) ^ 1])]), /turned\.bin.*checksum/],
    "picture.png": [Buffer.from([0x89, 0x50, 0x4e, 0x47]), /picture\.png/],
  };
  for (const [name, [contents, expected]] of Object.entries(bad)) {
    assert.match(await drop(page, name, Buffer.from(contents)), expected);
  }
  assert.equal(await choice(page, "Black").inputValue(), "breakthrough/5x5-network", "nothing has changed");
  assert.match(await drop(page, "mine.json", Buffer.from(good)), /mine\.json plays Black/);
  assert.equal(await choice(page, "Black").inputValue(), "file:mine.json");
  // A set of another game switches to its board.
  assert.match(await drop(page, "seven.bin", compact("ataxx/7x7")), /seven\.bin plays o/);
  assert.equal(await page.getByLabel("Board").inputValue(), "7x7");
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  await until("an answer", async () => (await page.locator(".moves button").count()) === 2);
  // The set exported with the page is available.
  await open(page, url, "set=own/mine");
  assert.equal(await choice(page, "Black").inputValue(), "own/mine");
}

// Engines play from an opened book, like the program.
async function aBookIsPlayedFrom(page, url) {
  await open(page, url, "game=breakthrough&board=5x5");
  const tree = path.join(folder, "book.json");
  spar(["book", "build", "--board", "5x5", "--nodes", "100", "--positions", "60", "--threads", "1", "-q", "-o", tree]);
  assert.match(await drop(page, "book.json", fs.readFileSync(tree)), /book\.json: an opening book, but not in its compact form/);
  for (const [game, board] of [["breakthrough", "5x5"], ["ataxx", "5x5"], ["ataxx", "8x8"], ["breakthru", "11x11"]]) {
    const [json, bin] = ["json", "bin"].map((ending) => path.join(folder, `${game}-${board}.${ending}`));
    spar(["book", "build", "--game", game, "--board", board, "--nodes", "100", "--positions", "60", "--threads", "1", "-q", "-o", json]);
    spar(["book", "export", json, "--to", "bin", "-q", "-o", bin]);
    const bytes = fs.readFileSync(bin);
    const turned = Buffer.from(bytes);
    turned[turned.length - 9] ^= 1;
    assert.match(await drop(page, "turned.bin", turned), /turned\.bin: damaged/);
    assert.match(await drop(page, path.basename(bin), bytes), /engines take their moves from this book/);
    assert.equal(await page.getByLabel("Board").inputValue(), board);
    // The reader finds the positions of the book, and its moves equal the program's.
    const fens = JSON.parse(fs.readFileSync(json, "utf8")).positions.map(({ fen }) => fen);
    const shown = JSON.parse(spar(["book", "show", json, "--json"])).moves;
    const [known, moves] = await page.evaluate(async ([game, bytes, fens]) => {
      const at = (file) => new URL(file, document.querySelector("script").src).href;
      const [{ Book }, { load }] = await Promise.all([import(at("../engine/js/book.js")), import(at("../engine/js/index.js"))]);
      const { Board } = await load();
      const book = new Book("book", Uint8Array.from(bytes));
      const counts = fens.map((fen) => book.moves(new Board({ game, fen })).length);
      return [counts.filter(Boolean).length, book.moves(new Board({ game, board: book.board }))];
    }, [game, [...bytes], fens]);
    assert.ok(known > fens.length / 2, `${known} of ${fens.length}`);
    const values = (found) => found.map(({ move, value }) => `${move} ${value}`).sort();
    assert.deepEqual(values(moves), values(shown));
  }
  // A page exported with a book plays from it.
  spar(["export", "web", path.join(site, "below", "booked"), "--only", "breakthrough/5x5", "--book", tree]);
  await open(page, `${url}../booked/`, "board=5x5");
  await until("its book", async () => (await page.getByLabel("Opening book").locator("option:checked").innerText()) === "book");
  await choice(page, "White (begins)").selectOption("breakthrough/piece");
  await until("a move of its book", async () => /^book, /.test(await text(page, ".stage .side:last-of-type .told")));
  await open(page, url, "game=breakthrough&board=5x5&set=breakthrough/piece");
  await drop(page, "small.bin", fs.readFileSync(path.join(folder, "breakthrough-5x5.bin")));
  assert.equal(await page.getByLabel("Opening book").locator("option:checked").innerText(), "small.bin");
  await choice(page, "White (begins)").selectOption("breakthrough/piece");
  await until("a move of the book", async () => /^book, /.test(await text(page, ".stage .side:last-of-type .told")));
  await page.getByLabel("Opening book").selectOption({ label: "none" });
  await page.getByRole("button", { name: "New game" }).click();
  await until("a move without it", async () => /^depth /.test(await text(page, ".stage .side:last-of-type .told")));
}

// The page works without its books, and reports which file of a set is missing.
async function filesAreMissing(url) {
  const page = await blankPage();
  await page.route("**/books/index.json", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.route("**/sets/breakthrough/*.pack", (route) => route.abort());
  await open(page, url, "game=breakthrough&board=5x5&set=breakthrough/piece");
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  await until("an answer", async () => (await page.locator(".moves button").count()) === 2);
  await choice(page, "Black").selectOption("breakthrough/5x5-network");
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  assert.match(await text(page, ".notice span"), /sets\/breakthrough\/5x5-network\.pack/);
  await page.close();
}

// The bytes loaded until an engine has answered the first move.
async function loadedByAMove({ page, count }, url) {
  const before = count.bytes;
  await open(page, url, "game=breakthrough");
  await page.locator(".live-board .source").first().click();
  await page.locator(".live-board .target").first().click();
  await until("an answer", async () => (await page.locator(".moves button").count()) === 2);
  return count.bytes - before;
}

async function visitsAreSmall(url) {
  const visit = await countedPage();
  const first = await loadedByAMove(visit, url);
  const second = await loadedByAMove(visit, url);
  console.log(`  ${first} bytes, then ${second}`);
  assert.ok(first < 1_500_000 && second < 100_000, `${first} bytes, then ${second}`);
  await visit.page.close();
}

// The centre of a square, for the mouse.
async function middle(page, name) {
  const box = await page.locator(`.cells [aria-label^="${name}"]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function arrowsAreDrawn(page, url) {
  await open(page, url, "game=breakthrough&board=5x5");
  const draw = async (from, to) => {
    await page.mouse.move(...(await middle(page, from)));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await middle(page, to)), { steps: 3 });
    await page.mouse.up({ button: "right" });
  };
  const marks = () => page.locator(".drawn .own").count();
  await draw("c2", "c4");
  await draw("a1", "a1");
  assert.equal(await marks(), 2);
  await draw("c2", "c4");
  assert.equal(await marks(), 1, "an arrow that is drawn again is gone");
  assert.equal(await page.locator(".moves button").count(), 0, "nothing is played");
  await page.mouse.click(...(await middle(page, "c3")));
  assert.equal(await marks(), 0);
}

async function aSecondShipIsDue(page, url) {
  await open(page, url, "game=breakthru&moves=e8-e9&analyse=1");
  assert.match(await words(page), /Gold to move a second ship/);
  const colour = (side) => page.locator(`.live-board .piece.${side}`).first().evaluate((piece) => getComputedStyle(piece).fill);
  assert.notEqual(await colour("first"), "rgb(251, 251, 248)", "gold is not white");
}

async function whatIsNeededIsInSight(page, url) {
  const isInSight = async (locator) => {
    const box = await locator.boundingBox();
    const { width, height } = page.viewportSize();
    return box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width;
  };
  for (const size of [{ width: 1366, height: 768 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await open(page, url, "game=breakthrough&moves=a2a3+a7a6+b2b3+b7b6&set=none");
    const rows = await page.locator(".moves button").evaluateAll((moves) => moves.map((move) => move.getBoundingClientRect().y));
    assert.ok(rows[0] === rows[1] && rows[2] === rows[3], "a move and its answer stand in a row");
    await open(page, url, "game=breakthrough&moves=a2a3+a7a6");
    assert.ok(await isInSight(page.getByRole("button", { name: "New game" })), `New game, ${size.width}`);
    assert.ok(await isInSight(page.locator(".moves button").first()), `moves, ${size.width}`);
    // The name of a set is not cut off.
    assert.equal(await choice(page, "Black").evaluate((select) => select.selectedOptions[0].text), "8x8-network");
  }
  // A tall board is only as high as the window allows, and no side's name is broken.
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, url, "game=breakthrough&board=2x8");
  assert.ok((await page.locator(".live-board").boundingBox()).height < 600);
  await open(page, url, "game=breakthru&set=breakthru/11x11-network");
  await page.locator(".side .told").first().evaluate((told) => { told.textContent = "depth 12, Silver wins in 10"; });
  const [name, line] = await Promise.all([".side b", ".words"].map((place) => page.locator(place).first().boundingBox()));
  assert.ok(name.height < 1.5 * line.height, `${name.height} of ${line.height}`);
  await page.setViewportSize(DESKTOP);
}

async function recordedGamesAreAnalysed(page, played) {
  const runs = path.join(folder, "runs");
  spar([..."tune --method spsa --board 5x5 --games 200 --batch 10 --nodes 20 --validation-pairs 8 --json --run".split(" "), path.join(runs, "one")]);
  await page.goto(new URL("/runs/one/games/3", played).href);
  await page.getByRole("button", { name: "To the end" }).click();
  await page.getByRole("button", { name: "Back" }).click();
  const moves = await page.locator(".moves button").allInnerTexts();
  await page.getByRole("link", { name: "Analyse" }).click();
  await until("the moves", async () => (await page.locator(".moves button").count()) === moves.length);
  assert.deepEqual(await page.locator(".moves button").allInnerTexts(), moves);
  assert.equal(await page.locator('.moves [aria-current="step"]').innerText(), moves.at(-2));
  await until("a line", async () => (await page.locator(".analysis .line button").count()) > 0);
  assert.equal(await choice(page, "Black").inputValue(), "", "nobody plays on");
}

async function ownSetsComeFirst(page, url) {
  await page.goto(url);
  await page.locator(".live-board .source").first().waitFor();
  assert.equal(await choice(page, "Black").inputValue(), "own/mine");
  await open(page, `${url}../ataxx/`, "");
  const games = await choice(page, /^Game/).locator("option").allInnerTexts();
  const boards = await page.getByLabel("Board").locator("option").allInnerTexts();
  assert.deepEqual([games, boards], [["ataxx"], ["5x5"]]);
  await page.goto(`${url}../ataxx/?game=breakthrough`);
  assert.match(await text(page, ".notice span"), /game `breakthrough`: not on this page/);
}

const PATHS = {
  "play-breakthrough": "?game=breakthrough&fen=ppp1pppp%2Fp1pp1p1p%2F3p4%2F1P2p3%2F4P1P1%2F2P5%2FP2P1P1P%2FPPP1PPPP%20w%20-%20-%200%201",
  "play-ataxx": "?game=ataxx&fen=x5o%2F7%2F2-1-2%2F3x3%2F2-o-2%2F7%2Fo5x%20x%200%201",
  "play-breakthru": "?game=breakthru",
};

async function isReady(page) {
  await page.locator(".live-board .source").first().waitFor();
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.getByRole("button", { name: "Explain" }).click();
  await until("a line", async () => (await page.locator(".analysis .line button").count()) > 0 && (await page.locator(".board .numbers text").count()) > 0);
  assert.equal(await page.locator(".line-arrow").count(), 0, "numbers are read without arrows over them");
  await page.locator(".live-board .source").first().click();
}

await run(prepare, async ({ url, played }) => {
  const page = await newPage();
  await step("a visit of a folder loads little", () => visitsAreSmall(url));
  await step("a visit of a server loads little", () => visitsAreSmall(played));
  await step("own sets come first, and only some games", () => ownSetsComeFirst(page, url));
  await step("a game is played by clicks", () => byClicks(page, url));
  await step("pieces are dragged", () => byDrag(page, url));
  await step("a game is played by keys", () => byKeys(page, url));
  await step("a game is played on a phone", () => onAPhone(url));
  await step("sets play each other", () => setsAgainstEachOther(page, url));
  await step("lines are shown live", () => linesAreShownLive(page, url));
  await step("several lines are shown", () => severalLinesAreShown(page, url));
  await step("the address follows the game", () => theAddressFollows(page, url));
  await step("seats stay", () => seatsStay(page, url));
  await step("arrows are drawn", () => arrowsAreDrawn(page, url));
  await step("a second ship is due", () => aSecondShipIsDue(page, url));
  await step("what is needed is in sight", () => whatIsNeededIsInSight(page, url));
  await step("recorded games are analysed", () => recordedGamesAreAnalysed(page, played));
  await step("terms are explained", () => termsAreExplained(page, url));
  await step("files are dropped", () => filesAreDropped(page, url));
  await step("files are missing", () => filesAreMissing(url));
  await step("a book is played from", () => aBookIsPlayedFrom(page, url));
  await step("every size and colour fits", () => everySizeAndColourFits(url, PATHS, isReady));
});
