// Begins the page; one whose contents the server wrote stays as it is.

import { h, replace } from "./dom.js";

const PAGES = {
  list: () => import("./list.js"),
  run: () => import("./run.js"),
  game: () => import("./viewer.js"),
  compare: () => import("./compare.js"),
};

const place = document.querySelector("#page");
const { page } = place.dataset;
if (page) begin(page);

async function begin(name) {
  try {
    const page = await PAGES[name]();
    await page.show(place, place.dataset);
  } catch (error) {
    replace(place, h("h1", {}, "This page cannot be shown"), h("p", {}, error.message), h("p", {}, h("a", { href: "/" }, "All runs")));
  }
}
