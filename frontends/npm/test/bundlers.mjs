// Pages bundled from the package by vite, webpack, esbuild and rollup, and one without a bundler,
// opened in Chromium from a sub-folder: a search in the page and one in a worker, with a named set
// and with Weights, and no console errors. Needs playwright-core and the bundlers in node_modules,
// and CHROMIUM if the browser is not /usr/bin/chromium.

import assert from "node:assert/strict";
import { cpSync, createReadStream, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { startChromium } from "./chromium.mjs";

const ROOT = join(process.cwd(), "bundled");
const PACKAGE = join(process.cwd(), "node_modules", "sparring");
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const PAGE = (script) =>
  `<!doctype html><meta charset=utf-8><title>test</title><link rel=icon href=data:,>` +
  `<script type=module src="${script}"></script>`;

/** The code of a page. `base` is the address of the package's folder, if it is needed. */
const CODE = (from, base) => `
import { load } from "${from("index")}";
import { EngineWorker } from "${from("worker")}";
const options = ${JSON.stringify(base ? { base } : {})};
async function main() {
  const { Board, Weights, Engine } = await load(options);
  const board = new Board("breakthrough");
  const weights = await Weights.named("breakthrough/spsa");
  const found = new Engine(weights).search(board, { depth: 4 });
  const bests = [];
  for (const set of ["breakthrough/spsa", weights]) {
    const worker = await EngineWorker.start(set, options);
    bests.push((await worker.search(board, { depth: 4 })).best);
    await worker.terminate();
  }
  return { best: found.best, bests };
}
main().then((found) => (globalThis.found = found), (error) => (globalThis.found = { error: String(error) }));
`;

/** The code of a page without the package's folder: the module and the worker are bundled. */
const ALONE = `
import { load } from "sparring";
import { EngineWorker } from "sparring/worker";
async function main() {
  const { Board, Weights } = await load();
  const weights = new Weights(JSON.stringify(__SET__));
  const worker = await EngineWorker.start(weights);
  const { best } = await worker.search(new Board(), { depth: 4 });
  const told = await Weights.named("breakthrough/spsa").then(() => "", (error) => error.message);
  await worker.terminate();
  return { best, bests: [best], told };
}
main().then((found) => (globalThis.found = found), (error) => (globalThis.found = { error: String(error) }));
`;

/** Creates a folder for a page, with its source if there is any. */
function folder(name, source) {
  const path = join(ROOT, name);
  mkdirSync(join(path, "out"), { recursive: true });
  if (source) writeFileSync(join(path, "main.js"), source);
  return path;
}

function besides(path) {
  cpSync(PACKAGE, join(path, "out", "sparring"), { recursive: true });
}

const bundlers = {
  async vite(path) {
    const { build } = await import("vite");
    writeFileSync(join(path, "index.html"), PAGE("./main.js"));
    const settings = { outDir: join(path, "out"), emptyOutDir: false };
    await build({ root: path, base: "./", logLevel: "error", configFile: false, build: settings });
  },
  async webpack(path) {
    const { default: webpack } = await import("webpack");
    const output = { path: join(path, "out"), filename: "main.js" };
    const compiler = webpack({ mode: "production", context: path, entry: "./main.js", output });
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, stats) => (error ? reject(error) : resolve(stats))),
    );
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual(errors, []);
    // Warnings about the size of a set are no fault.
    const own = warnings.filter(({ message }) => !/size limit|code splitting|performance/.test(message));
    assert.deepEqual(own, []);
    writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  },
  async esbuild(path) {
    const { build } = await import("esbuild");
    const outfile = join(path, "out", "main.js");
    const entryPoints = [join(path, "main.js")];
    const { warnings } = await build({ entryPoints, outfile, bundle: true, format: "esm" });
    assert.deepEqual(warnings, []);
    writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  },
  async rollup(path) {
    const { rollup } = await import("rollup");
    const { nodeResolve } = await import("@rollup/plugin-node-resolve");
    const onwarn = (warning) => assert.fail(warning.message);
    const made = await rollup({ input: join(path, "main.js"), plugins: [nodeResolve()], onwarn });
    await made.write({ file: join(path, "out", "main.js"), format: "es" });
    writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  },
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = normalize(join(ROOT, decodeURIComponent(pathname)));
  if (!file.startsWith(ROOT) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "Content-Type": type });
  createReadStream(file).pipe(response);
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

/** Opens a page and returns its results. */
async function open(name) {
  const errors = [];
  const page = await browser.newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/${name}/out/index.html`);
  await page.waitForFunction(() => globalThis.found, null, { timeout: 60_000 });
  const found = await page.evaluate(() => globalThis.found);
  await page.close();
  return { found, errors };
}

function check({ found, errors }) {
  assert.equal(found.error, undefined);
  assert.match(found.best, /^[a-h][12][a-h][23]$/);
  assert.ok(found.bests.every((best) => best === found.best));
  assert.deepEqual(errors, []);
}

test("a page without a bundler", { timeout: 120_000 }, async () => {
  const path = folder("plain");
  besides(path);
  writeFileSync(join(path, "out", "main.js"), CODE((part) => `./sparring/js/${part}.js`));
  writeFileSync(join(path, "out", "index.html"), PAGE("./main.js"));
  check(await open("plain"));
});

const part = (name) => (name === "index" ? "sparring" : `sparring/${name}`);
for (const [name, build] of Object.entries(bundlers)) {
  test(`${name}, with the package's folder beside the page`, { timeout: 240_000 }, async () => {
    const path = folder(name, CODE(part, "sparring"));
    await build(path);
    besides(path);
    check(await open(name));
  });
}

for (const name of ["vite", "webpack"]) {
  test(`${name}, with nothing but what it has made`, { timeout: 240_000 }, async () => {
    const { Weights, load } = await import("sparring");
    await load();
    const set = JSON.stringify((await Weights.named("breakthrough/spsa")).toJSON());
    const path = folder(`${name}-alone`, ALONE.replace("__SET__", () => set));
    await bundlers[name](path);
    const { found, errors } = await open(`${name}-alone`);
    // The sets are missing, and the error explains how to supply them.
    assert.match(found.told, /load\(\{ base: "sparring\/" \}\)/);
    const others = errors.filter((error) => !/404|not allowed to load local resource/i.test(error));
    check({ found, errors: others });
  });
}
