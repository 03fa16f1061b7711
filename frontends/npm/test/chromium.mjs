// Starts the browser for page tests. Needs playwright-core in node_modules, and CHROMIUM if the
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

/** Starts Chromium headless and without background requests. */
export const startChromium = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
