// The element `sparring-board` of the installed package in Chromium: all games drawn; moves by
// mouse, finger and keyboard; the board turned; light and dark; widths from 200 pixels; in a
// sub-folder, alone, bundled by vite and esbuild, and as in the README. axe-core must find no
// fault. Needs playwright-core, axe-core, vite and esbuild in node_modules, and CHROMIUM if the
// browser is not /usr/bin/chromium. PICTURES may name a folder for screenshots.

import assert from "node:assert/strict";
import { cpSync, createReadStream, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { startChromium } from "./chromium.mjs";

const ROOT = join(process.cwd(), "boards");
const PACKAGE = join(process.cwd(), "node_modules", "sparring");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
// Allows only scripts and styles from the server, and no inline styles.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:";

/** A page with a board for a game in progress, as in the README. */
const CODE = (board, index, base) => `
import "${board}";
import { load } from "${index}";
const { Board } = await load(${JSON.stringify(base ? { base } : {})});
const view = document.querySelector("sparring-board");
const query = new URLSearchParams(location.search);
const game = new Board({ game: query.get("game") ?? "breakthrough", fen: query.get("fen") ?? undefined });
const told = [];
view.addEventListener("move", ({ detail }) => {
  told.push(["move", detail]);
  game.push(detail.text);
  view.show(game);
});
view.addEventListener("select", ({ detail }) => told.push(["select", detail.square, detail.moves.map(({ text }) => text)]));
view.show(game);
Object.assign(globalThis, { view, game, told });
`;
const PAGE = (script) =>
  `<!doctype html><html lang=en><meta charset=utf-8><title>board</title><link rel=icon href=data:,>` +
  `<meta name=viewport content="width=device-width"><link rel=stylesheet href="look.css">` +
  `<main><h1>Board</h1><sparring-board interactive></sparring-board></main><script type=module src="${script}"></script></html>`;
const LOOK = ":root { color-scheme: light dark; } body { margin: 0; font: 16px sans-serif; } h1 { font-size: 1rem; margin: 0; }";

function folder(name) {
  const path = join(ROOT, name);
  mkdirSync(join(path, "out"), { recursive: true });
  writeFileSync(join(path, "out", "look.css"), LOOK);
  return path;
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = normalize(join(ROOT, decodeURIComponent(pathname)));
  if (!file.startsWith(ROOT) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? (extname(file) === ".css" ? "text/css" : "application/octet-stream");
  // The README's page has an inline script.
  const policy = pathname.endsWith("readme.html") ? {} : { "Content-Security-Policy": POLICY };
  response.writeHead(200, { "Content-Type": type, ...policy });
  createReadStream(file).pipe(response);
});

let browser;
before(async () => {
  const path = folder("plain");
  cpSync(PACKAGE, join(path, "out", "sparring"), { recursive: true });
  writeFileSync(join(path, "out", "main.js"), CODE("./sparring/js/board.js", "./sparring/js/index.js"));
  writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await startChromium();
});
after(async () => {
  await browser?.close();
  server.close();
});

/** Opens a page, runs `work` on it, and checks that its console stays silent. */
async function onPage({ name = "plain", file = "index.html", query = {}, ...options }, work) {
  const errors = [];
  const page = await browser.newPage({ viewport: { width: 600, height: 760 }, ...options });
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/${name}/out/${file}?${new URLSearchParams(query)}`);
  await page.locator("sparring-board .piece").first().waitFor().catch((error) => assert.fail(`${error.message} ${errors}`));
  await work(page);
  assert.deepEqual(errors, []);
  await page.close();
}

const cell = (page, name) => page.locator(`.cells [aria-label="${name}"], .cells [aria-label^="${name},"]`);
const told = (page) => page.evaluate(() => told.splice(0));
const count = (page, selector) => page.locator(selector).count();

async function picture(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name}.png`), fullPage: true });
}

async function hindersNobody(page, name) {
  if (!(await page.evaluate(() => globalThis.axe))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
  await picture(page, name);
}

const GAMES = {
  breakthrough: { first: 16, second: 16, from: "b2", to: "a3", text: "b2a3", targets: 3 },
  ataxx: { first: 2, second: 2, from: "a7", to: "c5", text: "a7c5", targets: 8 },
  breakthru: { first: 13, second: 20, from: "e4", to: "e5", text: "e4-e5", targets: null },
};

for (const [game, { first, second, from, to, text, targets }] of Object.entries(GAMES)) {
  test(`${game}: drawn, and a move by clicks`, { timeout: 60_000 }, () =>
    onPage({ query: { game } }, async (page) => {
      assert.deepEqual([await count(page, ".piece.first"), await count(page, ".piece.second")], [first, second]);
      assert.equal(await count(page, ".star"), game === "breakthru" ? 1 : 0);
      await hindersNobody(page, game);
      await cell(page, from).click();
      const [[kind, square, moves]] = await told(page);
      assert.deepEqual([kind, square], ["select", from]);
      const shown = await count(page, ".hints .dot");
      assert.ok(targets === null ? shown > 0 : shown === targets, `${shown} targets`);
      if (game !== "ataxx") assert.equal(moves.length, shown);
      await hindersNobody(page, `${game}-chosen`);
      await cell(page, to).click();
      assert.deepEqual(await told(page), [["move", { text, from, to, captured: null }]]);
      await page.waitForFunction((text) => game.history().join() === text, text);
      assert.equal(await count(page, ".mark"), 2);
      assert.equal(await count(page, ".hints *"), 0);
    }));
}

test("a move by keys, on a board that is turned too", { timeout: 60_000 }, () =>
  onPage({}, async (page) => {
    const at = () => page.evaluate(() => view.shadowRoot.activeElement.getAttribute("aria-label").split(",")[0]);
    const press = async (keys) => {
      for (const key of keys.split(" ")) await page.keyboard.press(key);
    };
    await page.keyboard.press("Tab");
    assert.equal(await at(), "a8");
    await press("ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown ArrowDown ArrowRight Enter");
    assert.equal(await at(), "b2");
    assert.deepEqual(await told(page), [["select", "b2", ["b2a3", "b2b3", "b2c3"]]]);
    await hindersNobody(page, "keys");
    await press("Escape");
    assert.deepEqual(await told(page), [["select", null, []]]);
    await press("Enter ArrowUp ArrowLeft Enter");
    assert.deepEqual((await told(page)).at(-1), ["move", { text: "b2a3", from: "b2", to: "a3", captured: null }]);
    await page.evaluate(() => view.flip());
    // The board is turned: right is toward a, up toward the first row.
    await page.waitForFunction(() => view.shadowRoot.querySelector('[data-cell="0"]').getAttribute("x") === "70");
    await press("ArrowLeft");
    assert.equal(await at(), "b3");
    await press("ArrowDown");
    assert.equal(await at(), "b4");
    assert.equal(await page.evaluate(() => view.orientation), "second");
  }));

test("a piece is dragged and taken, and a board is turned", { timeout: 60_000 }, () =>
  onPage({ query: { fen: "1p6/8/8/8/2p5/1P6/8/8 w - - 0 1" } }, async (page) => {
    const middle = async (name) => {
      const { x, y, width, height } = await cell(page, name).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const before = await middle("b3");
    await page.evaluate(() => view.setAttribute("orientation", "second"));
    await page.waitForFunction(() => view.shadowRoot.querySelector(".labels text").getAttribute("x") === "75");
    assert.notDeepEqual(await middle("b3"), before);
    await page.mouse.move(...(await middle("b3")));
    await page.mouse.down();
    await page.mouse.move(...(await middle("c4")), { steps: 4 });
    assert.equal(await count(page, ".held"), 1);
    // Meanwhile an engine's line may change.
    await page.evaluate(() => Object.assign(view, { arrows: ["b3c4"], numbers: [{ square: "b8", text: "0.5", share: 1 }] }));
    await page.waitForFunction(() => view.shadowRoot.querySelectorAll(".line-arrow, .numbers text").length === 2);
    assert.equal(await count(page, ".held"), 1);
    await page.mouse.up();
    assert.deepEqual((await told(page)).at(-1), ["move", { text: "b3c4", from: "b3", to: "c4", captured: "p" }]);
    await page.waitForFunction(() => view.shadowRoot.querySelectorAll(".piece").length === 2);
  }));

test("a finger drags pieces, and moves the page elsewhere", { timeout: 60_000 }, () =>
  onPage({ query: { fen: "1p6/8/8/8/2p5/1P6/8/8 w - - 0 1" }, hasTouch: true }, async (page) => {
    await page.evaluate(() => { document.body.style.minHeight = "3000px"; });
    const touch = await page.context().newCDPSession(page);
    const send = (type, ...touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    const middle = async (name) => {
      const { x, y, width, height } = await cell(page, name).boundingBox();
      return { x: x + width / 2, y: y + height / 2 };
    };
    const swipe = async (from, to) => {
      await send("touchStart", from);
      for (let step = 1; step <= 8; step += 1) {
        await send("touchMove", { x: from.x + ((to.x - from.x) * step) / 8, y: from.y + ((to.y - from.y) * step) / 8 });
        await page.waitForTimeout(16);
      }
      // A finger that rests first does not fling the page.
      await page.waitForTimeout(100);
      await send("touchEnd");
    };
    // With b3 selected, a tap on b4 would move there, but a swipe from b4 does not.
    await cell(page, "b3").tap();
    const b4 = await middle("b4");
    await swipe(b4, { x: b4.x, y: b4.y - 100 });
    await page.waitForFunction(() => scrollY > 0);
    assert.deepEqual((await told(page)).filter(([kind]) => kind === "move"), []);
    await page.evaluate(() => scrollTo(0, 0));
    await swipe(await middle("b3"), await middle("c4"));
    await page.waitForFunction(() => told.some(([kind]) => kind === "move"));
    assert.deepEqual((await told(page)).at(-1), ["move", { text: "b3c4", from: "b3", to: "c4", captured: "p" }]);
    assert.equal(await page.evaluate(() => scrollY), 0);
  }));

test("a new piece, blocked squares and a pass", { timeout: 60_000 }, async () => {
  await onPage({ query: { game: "ataxx", fen: "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1" }, hasTouch: true }, async (page) => {
    assert.equal(await count(page, ".blocked"), 4);
    assert.equal(await cell(page, "c5").getAttribute("aria-label"), "c5, blocked");
    await hindersNobody(page, "ataxx-blocked");
    await cell(page, "g2").tap();
    assert.deepEqual(await told(page), [["move", { text: "g2", from: null, to: "g2", captured: null }]]);
  });
  await onPage({ query: { game: "ataxx", fen: "oooo/oooo/oo2/xo2 x 0 1" } }, async (page) => {
    assert.ok(await page.getByRole("button", { name: "Pass" }).isHidden());
  });
  await onPage({ query: { game: "ataxx", fen: "xoooo/ooooo/ooooo/ooooo/oooo1 x 0 1" } }, async (page) => {
    await hindersNobody(page, "ataxx-pass");
    await page.getByRole("button", { name: "Pass" }).click();
    assert.deepEqual(await told(page), [["move", { text: "0000", from: null, to: null, captured: null }]]);
    assert.ok(await page.getByRole("button", { name: "Pass" }).isHidden());
  });
});

test("without a person it is an image, and a wrong value says what is right", { timeout: 60_000 }, () =>
  onPage({}, async (page) => {
    await page.evaluate(() => Object.assign(view, { interactive: false, label: "A game" }));
    await page.getByRole("img", { name: "A game" }).waitFor();
    assert.equal(await count(page, ".cells"), 0);
    await hindersNobody(page, "image");
    const error = (name, value) => page.evaluate(([name, value]) => {
      try {
        view[name] = value;
      } catch (error) {
        return error.message;
      }
      return null;
    }, [name, value]);
    assert.match(await error("position", "8/7 w"), /not rows of equal length/);
    assert.match(await error("board", "30x8"), /for example 8x8/);
    assert.match(await error("orientation", "black"), /give `first` or `second`/);
    for (const value of [[7], 5, {}]) assert.match(await error("legal", value), /`text`, `from` and `to`/);
    for (const value of [5, {}, [1, 2]]) assert.match(await error("position", value), /give a FEN, or the rows/);
    for (const value of [3, ""]) assert.match(await error("game", value), /game: give breakthrough, ataxx/);
    assert.match(await error("lastMove", 7), /lastMove: give a move/);
    assert.match(await error("label", {}), /label: give a text/);
    for (const value of ["x", [7]]) assert.match(await error("arrows", value), /arrows: give a list of moves/);
    for (const value of [5, [{}]]) assert.match(await error("numbers", value), /with `square` and `text`/);
    for (const value of ["x", ["x"]]) assert.match(await error("signs", value), /signs: give two texts/);
    // Attributes alone are enough.
    const html = '<sparring-board game="ataxx" position="x1/1o x 0 1" legal="b2 a2b1" last-move="b1" interactive></sparring-board>';
    await page.evaluate((html) => document.querySelector("main").insertAdjacentHTML("beforeend", html), html);
    const second = page.locator("sparring-board").nth(1);
    await second.locator(".source").waitFor();
    assert.equal(await second.locator(".mark").count(), 1);
    assert.equal(await second.locator('[role="group"]').getAttribute("aria-label"), "Ataxx 2x2, x to move");
    // Properties set before the element was defined count.
    const rows = await page.evaluate(async () => {
      const early = document.createElement("sparring-early");
      early.position = "P1/2 w";
      const Known = customElements.get("sparring-board");
      customElements.define("sparring-early", class extends Known {});
      document.querySelector("main").append(early);
      customElements.upgrade(early);
      await Promise.resolve();
      return early.shadowRoot.querySelectorAll(".piece").length;
    });
    assert.equal(rows, 1);
  }));

test("every size, light and dark", { timeout: 120_000 }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const game of Object.keys(GAMES)) {
      await onPage({ query: { game }, colorScheme }, async (page) => {
        for (const width of [200, 320, 768, 1280]) {
          await page.setViewportSize({ width, height: 700 });
          const box = await page.locator("svg.board").boundingBox();
          assert.ok(box.width <= width && box.width > width - 2, `${box.width} of ${width}`);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
          const height = await page.locator(".labels text").first().evaluate((text) => text.getBoundingClientRect().height);
          assert.ok(height > 8, `labels of ${height} pixels on ${width}`);
          await picture(page, `${game}-${width}-${colorScheme}`);
        }
        await hindersNobody(page, `${game}-${colorScheme}`);
        const fill = await page.locator(".light").first().evaluate((square) => getComputedStyle(square).fill);
        assert.equal(fill, colorScheme === "light" ? "rgb(236, 217, 183)" : "rgb(141, 119, 87)");
      });
    }
  }
});

const bundlers = {
  async vite(path) {
    const { build } = await import("vite");
    const settings = { outDir: join(path, "out"), emptyOutDir: false };
    await build({ root: path, base: "./", logLevel: "error", configFile: false, build: settings });
  },
  async esbuild(path) {
    const { build } = await import("esbuild");
    const entryPoints = [join(path, "main.js")];
    const { warnings } = await build({ entryPoints, outfile: join(path, "out", "main.js"), bundle: true, format: "esm" });
    assert.deepEqual(warnings, []);
    writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  },
};

for (const [name, build] of Object.entries(bundlers)) {
  test(`${name} keeps the element`, { timeout: 120_000 }, async () => {
    const path = folder(name);
    cpSync(join(ROOT, "plain", "out", "look.css"), join(path, "look.css"));
    writeFileSync(join(path, "main.js"), CODE("sparring/board", "sparring", "sparring"));
    writeFileSync(join(path, "index.html"), PAGE("./main.js"));
    await build(path);
    cpSync(PACKAGE, join(path, "out", "sparring"), { recursive: true });
    await onPage({ name }, async (page) => {
      await cell(page, "b2").click();
      await cell(page, "a3").click();
      assert.equal((await told(page)).at(-1)[1].text, "b2a3");
    });
  });
}

test("the page of the README", { timeout: 60_000 }, async () => {
  const [, html] = /```html\n([^]*?)```/.exec(readFileSync(join(PACKAGE, "README.md"), "utf8"));
  writeFileSync(join(ROOT, "plain", "out", "readme.html"), html.replace("<title>", "<link rel=icon href=data:,><title>"));
  await onPage({ file: "readme.html" }, async (page) => {
    await cell(page, "a7").click();
    await cell(page, "b6").click();
    // The engine has answered: there are at least five pieces, and x is to move.
    await page.getByText("x to move").waitFor();
    await page.waitForFunction(() => document.querySelector("sparring-board").shadowRoot.querySelectorAll(".piece").length > 5);
    await page.locator("sparring-board .source").first().waitFor();
    await picture(page, "readme");
  });
});

test("servers without elements can import it", async () => {
  const { SparringBoard } = await import("sparring/board");
  assert.equal(typeof SparringBoard, "function");
});
