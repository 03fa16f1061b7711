// The rounds of a tune by fitting: the Elo of each, its loss, and a table.

import { Chart, clipped, zoomButtons } from "./charts.js";
import { h, replace } from "./dom.js";
import { count, decimal, elo, isOpen, limits } from "./text.js";

const TITLES = ["round", "games", "positions", "loss before", "loss", "pairs", "Elo over the best before", "judged"];
const JUDGED = { true: ["accepted", "good"], false: ["not accepted", "bad"], none: ["no fit: too few positions", "idle"] };

export class Rounds {
  constructor() {
    this.element = h("section", { class: "charted", hidden: true });
    // The fit that a joined tune begins with.
    this.first = h("section", { hidden: true });
  }

  update({ summary, state, tune_games: games }) {
    this.updateFirst(summary?.first_fit ?? [], summary?.first_fit_limits, (row) => games > row.games || !isOpen(state));
    const rounds = summary?.rounds ?? [];
    this.element.hidden = rounds.length === 0;
    if (!rounds.length) return;
    if (!this.charts) this.build();
    const numbers = rounds.map((row) => row.round);
    const of = (key) => rounds.map((row) => row.match[key] ?? null);
    this.charts[0].set([numbers, numbers.map(() => 0), of("elo_low"), of("elo_high"), of("elo")]);
    this.charts[1].set([numbers, rounds.map((row) => (row.loss === null ? null : row.loss * 1000))]);
    replace(this.rows, rounds.map(tableRow));
  }

  // Whether a row `isOver` that nothing judged: the matches then began with the start.
  updateFirst(rows, at, isOver) {
    this.first.hidden = rows.length === 0;
    if (!rows.length) return;
    const body = h("tbody", {}, rows.map((row) => tableRow(row.accepted === null && isOver(row) ? { ...row, accepted: "none" } : row)));
    replace(this.first, h("h2", {}, "The initial fit"),
      h("p", { class: "soft" }, "Games of the start against itself, a fit to their positions, and a match of the fitted set against the start" + (at ? `, ${limits(at)}.` : ".")),
      table("The first fit", body));
  }

  build() {
    const [first, second] = [h("div"), h("div")];
    this.rows = h("tbody");
    const x = { name: "round", format: (value) => (Number.isInteger(value) ? String(value) : "") };
    const spec = (name, file, lines, more) => ({ label: `${name} of each round`, file, height: 190, small: true, x, y: { name }, lines, sync: "rounds", ...more });
    const band = { hidden: true, role: "band" };
    this.charts = [
      new Chart(first, spec("Elo", "rounds-elo", [{ role: "start", width: 1, dash: [5, 4], name: "even" }, { ...band, name: "low" }, { ...band, name: "high" }, { role: "line", points: true, width: 1, name: "Elo" }], { whiskers: [4, 2, 3], range: clipped })),
      new Chart(second, spec("loss", "rounds-loss", [{ role: "line", points: true, name: "loss" }])),
    ];
    const figure = (name, note, place) => h("figure", {}, h("figcaption", {}, h("b", {}, name), h("span", {}, note)), place);
    replace(this.element, h("div", { class: "bar-top" }, h("h2", {}, "Strength over the rounds"), zoomButtons(this.charts[0])),
      h("div", { class: "two" },
        figure("Elo of each round", "over the best before, with its 95\u00a0% interval", first),
        figure("Validation loss", "after each fit, in thousandths of a nat", second)),
      h("p", { class: "soft" }, "Each round plays games, fits a set to their positions, and plays it against the best before. The matches are steps, not proofs."),
      table("Rounds", this.rows));
  }
}

function table(name, body) {
  return h("div", { class: "scroll", tabindex: "0" }, h("table", {}, h("caption", { class: "unseen" }, name),
    h("thead", {}, h("tr", {}, TITLES.map((text) => h("th", { scope: "col", class: "n" }, text)))), body));
}

function tableRow(row) {
  const loss = (value) => (value === null ? "\u2013" : decimal(value, 6));
  const [word, kind] = JUDGED[row.accepted] ?? ["not finished", "busy"];
  const cell = (text) => h("td", { class: "n" }, text);
  return h("tr", {}, [row.round, count(row.games), count(row.positions), loss(row.loss_before), loss(row.loss), count(row.match.games / 2), elo(row.match) ?? "\u2013"].map(cell),
    h("td", { class: "n" }, h("span", { class: `state ${kind}` }, word)));
}
