// Shared helpers for page tests: a browser with a watched console, programs that end with the test,
// and waiting. The folder SPARRING_PEERS has playwright-core in its node_modules.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const require = createRequire(path.join(process.env.SPARRING_PEERS, "node_modules", "peers.js"));
const { chromium } = require("playwright-core");
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const CHROMIUM = "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP evil.example 127.0.0.1",
];
const PATIENCE = 30_000;
export const DESKTOP = { width: 1400, height: 900 };
export const SIZES = [{ width: 1280, height: 800 }, { width: 800, height: 900 }, { width: 360, height: 740 }];

// The program, and the folder for screenshots if one is given.
export const [program, pictures] = process.argv.slice(2).map((argument) => path.resolve(argument));
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spar-browser-"));
const children = [];
// Errors and warnings from the browser's console.
const complaints = [];
let browser = null;

// Starts a program that is ended with the test.
export function begin(command, argv, options) {
  const child = spawn(command, argv, options);
  children.push(child);
  return child;
}

// The first line of a program's output.
export async function firstLine(child) {
  const [line] = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).split("\n"))));
  return line.trim();
}

// A step of a test; fails if a console shows errors.
export async function step(name, work) {
  const begun = Date.now();
  await work();
  assert.deepEqual(complaints, [], name);
  console.log(`${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

// Waits until a question about a page has the wanted answer.
export async function until(what, ask) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    assert.ok(Date.now() < end, `waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// A fresh page of the browser.
export const blankPage = () => browser.newPage();

export async function newPage(options = {}) {
  const page = await browser.newPage({ viewport: DESKTOP, ...options });
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => complaints.push(`a script failed: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return page;
}

// A page in a new browser context, with a proxy that counts its traffic.
export async function countedPage() {
  const count = { bytes: 0 };
  const proxy = http.createServer((request, answer) => {
    const { method, headers, url } = request;
    const forward = http.request(url, { method, headers }, (from) => {
      count.bytes += from.rawHeaders.join("").length;
      from.on("data", (data) => { count.bytes += data.length; });
      answer.writeHead(from.statusCode, from.rawHeaders);
      from.pipe(answer);
    });
    forward.on("error", () => answer.destroy());
    request.pipe(forward);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const server = `http://127.0.0.1:${proxy.address().port}`;
  const page = await newPage({ proxy: { server, bypass: "<-loopback>" } });
  page.on("close", () => proxy.close());
  return { page, count };
}

// A selection list, by its label.
export const choice = (page, name) => page.getByRole("combobox", { name });

export const text = (page, selector) => page.locator(selector).first().innerText();

// Checks that pages fit every window size, light and dark, and takes screenshots if wanted. `paths`
// maps names of pictures to addresses; `ready` waits for the content of a page.
export async function everySizeAndColourFits(url, paths, ready) {
  const backgrounds = new Set();
  for (const colorScheme of ["light", "dark"]) {
    const page = await newPage({ colorScheme });
    for (const [name, place] of Object.entries(paths)) {
      await page.goto(url + place);
      await ready(page);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        // Charts adapt to the size a moment later.
        await until(`${name} to fit into ${size.width} pixels`, () =>
          page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).catch(async (error) => {
          const wide = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > innerWidth).map((element) => element.outerHTML.slice(0, 200)));
          throw new Error(`${error.message}: ${wide.slice(-3).join("\n")}`);
        });
        await nothingHindersReaders(page);
        if (pictures) await picture(page, `${name}-${size.width}-${colorScheme}`);
      }
      await page.setViewportSize(DESKTOP);
    }
    backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await page.close();
  }
  assert.equal(backgrounds.size, 2, "dark is another colour than light");
}

// Checks the accessibility of the page with axe-core.
export async function nothingHindersReaders(page) {
  if (!(await page.evaluate(() => window.axe))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(" ")}`);
  assert.deepEqual(faults, [], page.url());
}

// The minimum contrast of text, and the minimum size of controls in pixels.
const LEAST = { contrast: 4.5, target: 24 };

// Checks that text has contrast, controls suit a finger, and column titles are not empty.
export async function thePageIsReadable(page) {
  const faults = await page.evaluate((least) => {
    const numbers = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    // The first opaque colour behind an element.
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (!colour.startsWith("rgb")) return null;
        const [r, g, b, alpha = 1] = numbers(colour);
        if (alpha === 1) return [r, g, b];
      }
      return [255, 255, 255];
    };
    const found = [];
    const shown = [...document.querySelectorAll("#page *, header *, footer")].filter((element) => element.checkVisibility() && !element.closest("svg, .unseen, .u-over, :disabled"));
    for (const element of shown) {
      const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()).join(" ").trim();
      const back = words ? behind(element) : null;
      if (back) {
        const [a, b] = [light(back), light(numbers(getComputedStyle(element).color))].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < least.contrast) found.push(`contrast ${contrast.toFixed(2)} of "${words.slice(0, 40)}"`);
      }
      if (element.matches("button, select, summary, input")) {
        const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
        if (width < least.target || height < least.target) found.push(`${element.tagName} "${element.innerText}" of ${width} x ${height}`);
      }
      if (element.matches("th") && !element.innerText.trim()) found.push("an empty th");
    }
    return found;
  }, LEAST);
  assert.deepEqual(faults, [], page.url());
}

// Charts are drawn when visible, so this scrolls through the page first.
async function picture(page, name) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 600) {
    await page.evaluate((to) => scrollTo(0, to), at);
    await page.waitForTimeout(80);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

// Runs a test and cleans up in any case. `prepare` does work that must precede the browser's start.
export async function run(prepare, test) {
  try {
    if (pictures) fs.mkdirSync(pictures, { recursive: true });
    const prepared = await prepare();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    await test(prepared);
  } finally {
    await browser?.close();
    children.forEach((child) => child.kill("SIGKILL"));
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
