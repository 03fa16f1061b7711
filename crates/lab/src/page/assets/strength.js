// The strength of a tune's answers over the games.

import { Chart, clipped, legend, zoomButtons } from "./charts.js";
import { h, replace } from "./dom.js";
import { count, signed, span } from "./text.js";

export class Strength {
  constructor() {
    this.element = h("section", { class: "charted strength", hidden: true });
  }

  update({ series, summary }) {
    const { strength } = series;
    this.series = strength;
    this.element.hidden = !summary || ["logistic", "network"].includes(summary.method);
    if (this.element.hidden) return;
    if (!this.chart) this.build(summary.method === "joined" ? "the fit" : "the start");
    const known = strength.elo.some((value) => value !== null);
    this.few.hidden = known;
    this.chart.place.hidden = !known;
    this.chart.set([strength.games, strength.games.map(() => 0), strength.elo_low, strength.elo_high, strength.elo]);
  }

  build(against) {
    const place = h("div");
    this.few = h("p", { class: "soft" }, "Too few probe pairs for a curve.");
    this.chart = new Chart(place, {
      label: "Elo over the games", file: "strength", height: 260,
      x: { name: "games" }, y: { name: "Elo" },
      lines: [{ role: "start", width: 1, dash: [5, 4], name: against }, { hidden: true, role: "band", name: "low" }, { hidden: true, role: "band", name: "high" }, { role: "line", name: "Elo" }],
      bands: [[3, 2, "band"]],
      range: clipped,
      tip: (index) => this.tip(index),
    });
    replace(this.element, h("div", { class: "bar-top" }, h("h2", {}, "Strength over the games"), zoomButtons(this.chart)),
      legend([["line", "estimate"], ["band", "95\u00a0% interval"], ["zero", against]]), this.few, place,
      h("p", { class: "soft" }, `Elo of the optimizer\u2019s answers against ${against}, by the latest probe pairs of each moment. Drag over a chart to zoom in, double-click to see all.`));
  }

  tip(index) {
    const { games, seconds, elo, elo_low: low, elo_high: high } = this.series;
    const at = `${count(games[index])} games`;
    if (elo[index] === null) return `${at}: no Elo`;
    return `${at}, ${span(seconds[index])}\n${signed(elo[index])} Elo (${signed(low[index] ?? NaN)} to ${signed(high[index] ?? NaN)})`;
  }
}
