// Begins the page.

import { unavailable } from "./dom.js";

const PAGES = {
  list: () => import("./list.js"),
  run: () => import("./run.js"),
  game: () => import("./viewer.js"),
  compare: () => import("./compare.js"),
};

const place = document.querySelector("#page");
try {
  // Some pages need no script.
  const page = await PAGES[place.dataset.page]?.();
  await page?.show(place, place.dataset);
} catch (error) {
  unavailable(place, error);
}
