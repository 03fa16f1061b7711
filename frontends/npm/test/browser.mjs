// The installed package in Chromium, from a cross-origin isolated page and from another page: the
// same search as in Node, stopping a worker, and no console errors. Needs playwright-core, and
// CHROMIUM if the browser is not /usr/bin/chromium.

import assert from "node:assert/strict";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { load } from "sparring";
import { startChromium } from "./chromium.mjs";

const TYPES = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".html": "text/html",
};
const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const PAGE = "<!doctype html><meta charset=utf-8><title>test</title><link rel=icon href=data:,>";

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const isolation = searchParams.has("plain") ? {} : ISOLATION;
  const file = normalize(join(process.cwd(), pathname));
  if (pathname === "/") {
    response.writeHead(200, { "Content-Type": "text/html", ...isolation }).end(PAGE);
  } else if (file.startsWith(process.cwd()) && existsSync(file)) {
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, ...isolation });
    createReadStream(file).pipe(response);
  } else {
    response.writeHead(404).end();
  }
});

let browser;
before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await startChromium();
});
after(async () => {
  await browser?.close();
  server.close();
});

/** Results in a page: a search, a stopped search, and UCI. */
async function inPage() {
  const { load } = await import("/node_modules/sparring/js/index.js");
  const { EngineWorker } = await import("/node_modules/sparring/js/worker.js");
  const { uci } = await import("/node_modules/sparring/js/uci.js");
  const { Board, Weights, Engine } = await load();
  const board = new Board();
  board.push("d2d3");
  const found = new Engine(await Weights.strongest("breakthrough", "8x8")).search(board, {
    depth: 8,
  });
  const worker = await EngineWorker.start("breakthrough/8x8-network");
  const same = await worker.search(board, { depth: 8 });
  const stopped = await worker.search(
    board,
    { depth: 150 },
    ({ depth }) => depth === 5 && worker.stop(),
  );
  const again = await worker.search(board, { depth: 3 });
  await worker.terminate();
  const engine = await uci();
  const move = await new Promise((resolve) => {
    engine.onmessage = ({ data }) => data.startsWith("bestmove") && resolve(data);
    engine.postMessage("position startpos moves d2d3");
    engine.postMessage("go depth 8");
  });
  await engine.terminate();
  return { found, same, stopped, again, move, isolated: globalThis.crossOriginIsolated };
}

for (const [path, isolated] of [
  ["/", true],
  ["/?plain", false],
]) {
  test(isolated ? "an isolated page" : "a page like any other", { timeout: 120_000 }, async () => {
    const errors = [];
    const page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}${path}`);
    const shown = await page.evaluate(inPage);
    const { Board, Weights, Engine } = await load();
    const board = new Board();
    board.push("d2d3");
    const expected = new Engine(await Weights.named("breakthrough/8x8-network")).search(board, {
      depth: 8,
    });
    const timeless = (report) => ({ ...report, seconds: 0 });
    assert.equal(shown.isolated, isolated);
    assert.deepEqual(timeless(shown.found), timeless(expected));
    assert.deepEqual(timeless(shown.same), timeless(expected));
    assert.ok(shown.stopped.best && shown.stopped.depth >= 5);
    assert.equal(shown.again.depth, 3);
    assert.equal(shown.move, `bestmove ${expected.best}`);
    assert.deepEqual(errors, []);
    await page.close();
  });
}
