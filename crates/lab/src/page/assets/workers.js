// The workers on other machines who play a run.

import { breakable, h } from "./dom.js";
import { count, decimal, plural } from "./text.js";

// Workers that have a line of their own.
const MOST_WORKERS = 50;

const TITLES = ["threads", "nodes/s", "jobs", "jobs/s", "errors"];

export function workersOf(playing) {
  if (!playing) return [];
  const { workers } = playing;
  const threads = workers.reduce((sum, worker) => sum + worker.threads, 0);
  const cell = (value) => h("td", { class: "n" }, value);
  const rows = workers.slice(0, MOST_WORKERS).map((worker) => h("tr", {}, h("td", {}, breakable(worker.name)),
    cell(count(worker.threads)), cell(count(Math.round(worker.speed / 1000) * 1000)), cell(count(worker.done)), cell(decimal(worker.rate, 1)), cell(count(worker.errors))));
  return [
    h("h2", {}, "Workers"),
    h("p", { class: "soft" }, `${plural(workers.length, "worker")} with ${plural(threads, "thread")} do ${decimal(playing.rate, 1)} jobs a second for this run; ${plural(playing.open, "job")} in progress or waiting, ${count(playing.done)} done since its process began. A job is a pair, or some games of a fit.`),
    Object.entries(playing.quarantined).map(([name, reason]) => h("p", { class: "reason" }, `${name} is quarantined: ${reason}`)),
    playing.latest_errors.map((error) => h("p", { class: "soft" }, error)),
    workers.length ? h("div", { class: "scroll", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "worker"), TITLES.map((text) => h("th", { scope: "col", class: "n" }, text)))), h("tbody", {}, rows))) : null,
    workers.length > MOST_WORKERS ? h("p", { class: "soft" }, `and ${count(workers.length - MOST_WORKERS)} more`) : null,
  ];
}
