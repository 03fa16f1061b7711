// Several runs over each other: at equal games and at equal time.

import { Chart, RUN_ROLES, padded, zoomButtons } from "./charts.js";
import { breakable, h, replace, setText, unavailable } from "./dom.js";
import { listen, page } from "./server.js";
import { STATES, axis, count, elo, errorOfKnob, limits, ofKnob, signed, span } from "./text.js";

/* global uPlot */

export async function show(place) {
  const runs = [...new Set(new URLSearchParams(location.search).getAll("run"))].slice(0, RUN_ROLES.length);
  if (runs.length < 1) {
    replace(place, h("h1", {}, "Compare"), h("p", {}, "Tick two runs or more in the ", h("a", { href: "/" }, "list of all runs"), "."));
    return;
  }
  const view = new Comparison(place, runs);
  listen(`runs=${runs.map(encodeURIComponent).join("/")}`, { run: (document) => view.update(document) }, (error) => unavailable(place, error));
}

// `still`: the page is a file, beside which there is no other page.
export class Comparison {
  constructor(place, runs, { still = false } = {}) {
    Object.assign(this, { runs, still, documents: new Map() });
    this.facts = h("div", { class: "scroll", tabindex: "0" });
    this.weights = h("section", {}, h("h2", {}, "Weights"));
    this.table = h("div", { class: "scroll", tabindex: "0" });
    this.weights.append(h("p", { class: "soft" }, "The latest values, or the tuned ones. The further a value is from the start of its run, for the weight\u2019s range, the deeper its colour."), this.table);
    this.readings = { games: h("p", { class: "soft reading", "aria-hidden": "true" }), seconds: h("p", { class: "soft reading", "aria-hidden": "true" }) };
    this.few = Object.fromEntries(["games", "seconds"].map((key) => [key, h("p", { class: "soft", hidden: true }, "No run has enough pairs for a curve so far.")]));
    const lines = [{ role: "start", width: 1, dash: [5, 4], name: "even" }, ...runs.map((_, index) => ({ role: RUN_ROLES[index], name: runs[index] }))];
    const spec = (label, x, key, sync) => ({
      label, file: `compare-${sync}`, height: 300, x, y: { name: "Elo" }, lines, sync, spanGaps: true,
      range: (min, max) => padded(Math.min(min ?? 0, 0), Math.max(max ?? 0, 0)),
      caption: (index) => this.read(key, index),
    });
    this.charts = {
      games: new Chart(h("div"), spec("Elo of the runs over the games", { name: "games", format: axis }, "games", "games")),
      seconds: new Chart(h("div"), spec("Elo of the runs over the time of work", { name: "time of work", format: clock }, "seconds", "time")),
    };
    const figure = (title, note, key) => h("section", { class: "charted" }, h("div", { class: "bar-top" }, h("h2", {}, title), zoomButtons(this.charts[key])), h("p", { class: "soft" }, note), this.legend(), this.few[key], this.charts[key].place, this.readings[key]);
    replace(place,
      still ? null : h("p", { class: "soft crumbs" }, h("a", { href: "/" }, "Runs"), " / compare"),
      h("h1", {}, `Comparing ${runs.length} runs`),
      h("section", {}, this.facts),
      figure("Elo at equal games", "Each run against what its own optimizer began with, by the latest probe pairs of each moment.", "games"),
      figure("Elo at equal time", "The same over the time of work, pauses left out.", "seconds"),
      this.weights);
  }

  legend() {
    return h("ul", { class: "legend runs" }, this.runs.map((run, index) => h("li", {}, h("i", { class: RUN_ROLES[index] }), this.link(run))));
  }

  link(run) {
    return this.still ? h("span", {}, breakable(run)) : h("a", { href: page(run) }, breakable(run));
  }

  update(document) {
    this.documents.set(document.run, document);
    this.updateFacts();
    this.updateCharts();
    this.updateWeights();
  }

  known() {
    return this.runs.map((run) => this.documents.get(run) ?? { run, state: "waiting" });
  }

  updateFacts() {
    const rows = this.known().map((document, index) => {
      const [word, kind] = STATES[document.state] ?? ["\u2026", "idle"];
      return h("tr", {},
        h("td", { class: "run-name" }, h("i", { class: `swatch ${RUN_ROLES[index]}` }), this.link(document.run)),
        h("td", {}, h("span", { class: `state ${kind}` }, word)),
        h("td", { class: "n" }, document.series ? elo(document) ?? "\u2013" : ""),
        h("td", { class: "soft" }, document.against ?? ""),
        h("td", {}, [document.game, document.board].filter(Boolean).join(" ")),
        h("td", {}, document.method ?? ""),
        h("td", {}, limits(document.summary?.limits ?? document.contest?.players[0].limits)),
        h("td", { class: "n" }, document.games === undefined ? "" : count(document.games)),
        h("td", { class: "n" }, document.series ? span(document.series.seconds_worked) : ""));
    });
    const titles = ["run", "state", "Elo", "against", "game", "method", "limits", "games", "time"];
    const numbers = new Set(["games", "time", "Elo"]);
    replace(this.facts, h("table", {}, h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col", class: numbers.has(title) ? "n" : null }, title)))), h("tbody", {}, rows)));
  }

  updateCharts() {
    for (const [key, chart] of Object.entries(this.charts)) {
      const tables = this.known().map((document) => course(document, key));
      const isKnown = tables.some(([, y]) => y.some((value) => value !== null));
      this.few[key].hidden = isKnown || this.documents.size < this.runs.length;
      chart.place.hidden = this.documents.size === this.runs.length && !isKnown;
      if (tables.every(([x]) => x.length === 0)) continue;
      const joined = uPlot.join(tables.map(([x, y]) => (x.length ? [x, y] : [[0], [null]])));
      chart.set([joined[0], joined[0].map(() => 0), ...joined.slice(1)]);
    }
  }

  // The values under the cursor, of each run that of its last moment before.
  read(key, index) {
    const { data } = this.charts[key];
    if (index === null || !data) return setText(this.readings[key], "");
    const values = data.slice(2).map((column, run) => {
      let at = index;
      while (at > 0 && (column[at] === null || column[at] === undefined)) at -= 1;
      const value = column[at];
      return value === null || value === undefined ? null : `${this.runs[run]}: ${signed(value, 0)}`;
    });
    const x = key === "games" ? `${count(data[0][index])} games` : span(data[0][index]);
    setText(this.readings[key], [x, ...values.filter(Boolean)].join(" \u00b7 "));
  }

  updateWeights() {
    const documents = this.known();
    const names = [...new Set(documents.flatMap(({ summary }) => (summary?.knobs ?? []).map(({ name }) => name)))];
    this.weights.hidden = names.length === 0;
    const cells = names.map((name) => {
      const rows = documents.map(({ summary }) => summary?.knobs?.find((row) => row.name === name));
      return h("tr", {}, h("td", {}, breakable(name)), rows.map((row) => {
        if (!row) return h("td", { class: "n soft" }, "\u2013");
        const share = Math.min(1, Math.abs(row.tuned - row.start) / row.range);
        const error = row.error === null ? "" : ` ${errorOfKnob(row)}`;
        const cell = h("td", { class: `n heat ${row.tuned < row.start ? "less" : "more"}`, title: `from ${row.start}` }, ofKnob(row, row.tuned), h("span", { class: "soft" }, error));
        cell.style.setProperty("--share", String(Math.round(share * 32)));
        return cell;
      }));
    });
    const head = documents.map(({ run }, index) => h("th", { scope: "col", class: "n run-name" }, h("i", { class: `swatch ${RUN_ROLES[index]}` }), breakable(run)));
    replace(this.table, h("table", { class: "weights" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "weight"), head)), h("tbody", {}, cells)));
  }
}

// The Elo of a run over its games or seconds: of a tune's answers, or of the match that it is.
function course({ series, contest }, key) {
  if (!series) return [[], []];
  if (!contest) return increasing(series.strength[key], series.strength.elo);
  if (!series.match) return [[], []];
  const x = key === "games" ? series.match.pairs.map((pairs) => 2 * pairs) : series.match.seconds;
  return increasing(x, series.match.elo);
}

// Without the rows whose x is not above the one before, which a join does not take.
function increasing(x, y) {
  const [xs, ys] = [[], []];
  x.forEach((value, index) => {
    if (xs.length && value <= xs.at(-1)) return;
    xs.push(value);
    ys.push(y[index]);
  });
  return [xs, ys];
}

function clock(seconds) {
  if (seconds < 120) return `${Number(seconds.toFixed(1))} s`;
  return seconds < 7200 ? `${Number((seconds / 60).toFixed(1))} min` : `${Number((seconds / 3600).toFixed(1))} h`;
}
