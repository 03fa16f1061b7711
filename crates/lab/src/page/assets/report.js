// Begins the page of a report, whose data are in it.

import { Comparison } from "./compare.js";
import { RunPage } from "./run.js";

const place = document.querySelector("#page");
const data = JSON.parse(document.querySelector("#data").textContent);
if (Array.isArray(data)) {
  const page = new Comparison(place, data.map(({ run }) => run), { still: true });
  data.forEach((view) => page.update(view));
} else {
  new RunPage(place, data.run).update(data);
}
