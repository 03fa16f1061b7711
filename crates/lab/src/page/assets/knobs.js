// The tuned weights or constants over the games, and all their numbers.

import { Chart, legend } from "./charts.js";
import { breakable, h, replace, setText } from "./dom.js";
import { axis, changeOfKnob, decimal, errorOfKnob, ofKnob, signed } from "./text.js";

const KINDS = {
  weights: { one: "weight", title: "Weights" },
  search: { one: "constant", title: "Constants of the search" },
  options: { one: "option", title: "Options of the engine" },
};
const ORDERS = [["file", "as in the file"], ["moved", "moved furthest"], ["late", "still moving"], ["name", "name"]];

export class Knobs {
  constructor() {
    this.element = h("section", { class: "charted", hidden: true });
    this.knobs = new Map();
  }

  update({ series, summary }) {
    const { answers } = series;
    const rows = summary?.knobs ?? [];
    this.element.hidden = rows.length === 0 || answers.games.length < 1;
    if (this.element.hidden) return;
    if (!this.grid) this.build(rows, summary);
    rows.forEach((row, index) => this.setKnob(row, answers, index));
    this.arrange();
    const { state, target } = summary;
    replace(this.numbers, table(rows, target, { accepted: "tuned", tuning: "now" }[state] ?? "candidate"));
  }

  build(rows, { target }) {
    this.grid = h("div", { class: "many" });
    this.numbers = h("div", { class: "scroll", tabindex: "0" });
    this.order = h("select", { onchange: () => this.arrange() }, ORDERS.map(([value, text]) => h("option", { value }, text)));
    replace(this.element,
      h("div", { class: "bar-top" }, h("h2", {}, `${(KINDS[target] ?? KINDS.weights).title} over the games`), h("label", { class: "sort" }, "Order ", this.order)),
      legend([["line", "value"], ["band", "95\u00a0% interval"], ["start", "start"], ["bound", "bound, where it is near"]]),
      this.grid,
      h("details", {}, h("summary", {}, "All numbers"), this.numbers, h("p", { class: "soft" },
        target !== "weights" ? "" : "In pieces: the change divided by what a piece is worth under the start. ",
        "Error: half the width of the 95\u00a0% interval, if the surface is quadratic and all of them matter equally over their ranges. Range: how far it must move to matter. Last quarter: how far it moved in the last quarter of the games, in steps; above 1 it was still under way.")));
    rows.forEach((row, index) => this.addKnob(row, index));
  }

  addKnob(row, index) {
    const place = h("div");
    const words = h("span");
    const figure = h("figure", {}, h("figcaption", {}, h("b", {}, breakable(row.name)), words), place);
    const knob = { index, row, words, figure };
    const line = (role, name) => ({ role, name, width: 1, dash: [5, 4] });
    const band = (name) => ({ hidden: true, role: "band", name });
    knob.chart = new Chart(place, {
      label: `${row.name} over the games`, height: 150, small: true,
      x: { name: "games" }, y: { name: "" },
      lines: [band("low"), band("high"), line("start", "start"), line("bound", "min"), line("bound", "max"), { role: "line", name: row.name }],
      bands: [[2, 1, "band"]],
      range: () => knobRange(knob),
      caption: (at) => knobWords(knob, at),
    });
    this.knobs.set(row.name, knob);
    this.grid.append(figure);
  }

  setKnob(row, answers, index) {
    const knob = this.knobs.get(row.name);
    const { value, error } = answers.knobs[index];
    Object.assign(knob, { row, value, error, games: answers.games });
    const flat = (level) => answers.games.map(() => level);
    const around = (sign) => value.map((now, at) => (error[at] === null ? null : now + sign * error[at]));
    knob.chart.set([answers.games, around(-1), around(1), flat(row.start), flat(row.min), flat(row.max), value]);
    knobWords(knob, null);
  }

  arrange() {
    const moved = ({ row }) => -Math.abs(row.tuned - row.start) / row.range;
    const keys = { file: ({ index }) => index, moved, late: ({ row }) => -row.late_steps, name: ({ row }) => row.name };
    const key = keys[this.order.value];
    const sorted = [...this.knobs.values()].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.index - b.index));
    const now = [...this.grid.children];
    if (sorted.some(({ figure }, index) => figure !== now[index])) this.grid.append(...sorted.map(({ figure }) => figure));
  }
}

function knobWords({ words, row, value, error, games }, at) {
  const now = at === null ? null : value[at];
  if (now !== null && now !== undefined) {
    setText(words, `${[ofKnob(row, now), errorOfKnob(row, error[at] ?? null)].filter(Boolean).join(" ")} at ${axis(games[at])} games`);
    return;
  }
  const bound = row.at_bound ? ", at its bound" : "";
  const tuned = [ofKnob(row, row.tuned), errorOfKnob(row)].filter(Boolean).join(" ");
  setText(words, `${ofKnob(row, row.start)} \u2192 ${tuned}${bound}`);
}

function table(rows, target, column) {
  const isWeight = target === "weights";
  const titles = [(KINDS[target] ?? KINDS.weights).one, "start", column, "error", "change", ...(isWeight ? ["in pieces"] : []), "range", "bounds", "last quarter"];
  const body = rows.map((row) => {
    const cells = [ofKnob(row, row.start), ofKnob(row, row.tuned), errorOfKnob(row) ?? "\u2013", changeOfKnob(row),
      ...(!isWeight ? [] : [row.change_in_pieces === null ? "\u2013" : signed(row.change_in_pieces, 2)]),
      ofKnob(row, row.range), `${ofKnob(row, row.min)} \u2026 ${ofKnob(row, row.max)}`, decimal(row.late_steps, 1)];
    return h("tr", {}, h("td", {}, breakable(row.name), row.at_bound ? h("span", { class: "flag" }, " at bound") : null), cells.map((text) => h("td", { class: "n" }, text)));
  });
  return h("table", {}, h("thead", {}, h("tr", {}, titles.map((text, index) => h("th", { scope: "col", class: index ? "n" : null }, text)))), h("tbody", {}, body));
}

// The share of the values, at either end, that may lie beyond the chart: the first answers of a tune
// leap far.
const OUTLIERS = 0.04;

// The start, most of the values, and the latest one with its error; bounds only where they are near.
function knobRange({ row, value, error }) {
  const sorted = [...value].sort((a, b) => a - b);
  const most = Math.floor(sorted.length * OUTLIERS);
  const [now, off] = [value.at(-1), Math.min(error.at(-1) ?? 0, row.range)];
  const ends = [row.start, sorted[most], sorted.at(-1 - most), now - off, now + off];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max((high - low) * 0.1, row.step / 3);
  return [low - room, high + room];
}
