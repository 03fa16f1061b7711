// Begins the page.

import { h, replace } from "./dom.js";

const PAGES = {
  list: () => import("./list.js"),
  run: () => import("./run.js"),
  game: () => import("./viewer.js"),
  compare: () => import("./compare.js"),
};

const place = document.querySelector("#page");
try {
  const page = await PAGES[place.dataset.page]();
  await page.show(place, place.dataset);
} catch (error) {
  replace(place, h("h1", {}, "This page cannot be shown"), h("p", {}, error.message), h("p", {}, h("a", { href: "/" }, "All runs")));
}
