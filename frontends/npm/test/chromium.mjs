// The browser of the tests in pages. Needs playwright-core in node_modules, and CHROMIUM where the
// browser is not /usr/bin/chromium.

import { chromium } from "playwright-core";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Starts Chromium without a window and without requests of its own. */
export const startChromium = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
