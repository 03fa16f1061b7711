// The match that decides: a tune's validation, or the match that the run is.

import { Chart, clipped, padded, zoomButtons } from "./charts.js";
import { h, replace } from "./dom.js";
import { forest, llrBar, numbers, pairBars } from "./match.js";
import { axis, count, decimal, elo, isOpen } from "./text.js";

export class Proof {
  constructor() {
    this.element = h("section", { class: "charted" });
  }

  update({ series, summary, state, contest, match: ownMatch }) {
    const match = summary ? summary.validation : ownMatch;
    const course = series.match;
    this.element.hidden = Boolean(contest && !match);
    if (this.element.hidden) return;
    if (!match || match.games === 0 || !course) {
      if (!this.charts) replace(this.element, h("h2", {}, summary ? "Validation" : "Match"), h("p", {}, whyNone(summary, state)));
      return;
    }
    this.course = course;
    if (!this.charts) this.build(summary);
    const { pairs, elo: values, elo_error: errors, llr, llr_bounds: bounds } = course;
    // The test begins at 0, which a single point does not show.
    const isPoint = pairs.length === 1;
    const [tested, ratio] = isPoint ? [[0, ...pairs], [0, ...llr]] : [pairs, llr];
    const around = (sign) => values.map((value, at) => (value === null || errors[at] === null ? null : value + sign * errors[at]));
    // A curve of one point would show no interval.
    const isCurve = values.filter((value) => value !== null).length > 1;
    this.curve.hidden = this.zoom.hidden = !isCurve;
    this.charts[0].set([pairs, pairs.map(() => 0), around(-1), around(1), values]);
    if (bounds) {
      this.charts[1].set([tested, tested.map(() => bounds[0]), tested.map(() => bounds[1]), ratio]);
      const sprt = summary ? summary.sprt : contest.sprt;
      replace(this.test, llrBar(match, sprt, bounds, summary?.decision, !isOpen(state)));
    }
    replace(this.cells, pairBars(match.pairs));
    replace(this.words, summary ? [forest(summary), numbers(match, [], summary.decision)] : numbers(match, contest.encounters));
  }

  build(summary) {
    const [first, second] = [h("div"), h("div")];
    [this.test, this.cells, this.words] = [h("div"), h("div"), h("div")];
    const hasTest = Boolean(this.course.llr_bounds);
    const figure = (name, note, place) => h("figure", {}, h("figcaption", {}, h("b", {}, name), h("span", {}, note)), place);
    this.buildCharts(first, hasTest ? second : null);
    this.curve = figure("Elo", "with its 95\u00a0% interval", first);
    this.zoom = zoomButtons(this.charts[0]);
    replace(this.element,
      h("div", { class: "bar-top" }, h("h2", {}, summary ? "Validation" : "Strength over the pairs"), this.zoom),
      this.test,
      h("div", { class: hasTest ? "two" : null },
        this.curve,
        hasTest ? figure("LLR", "between the bounds of the test", second) : null),
      h("div", { class: "two" }, this.cells, this.words),
      h("p", { class: "soft" }, summary
        ? "The candidate against the start, one opening with both colours in each pair, on openings that the tune never saw."
        : "The first player against the second, one opening with both colours in each pair."));
  }

  buildCharts(first, second) {
    const at = (index) => {
      const { pairs, elo: values, elo_error: errors } = this.course;
      return { pairs: count(pairs[index]), elo: elo({ elo: values[index], elo_error: errors[index] }) ?? "no" };
    };
    const band = (name) => ({ hidden: true, role: "band", name });
    const spec = (name, more) => ({ label: `${name} over the pairs`, height: 190, small: true, sync: "match", x: { name: "pairs", format: (value) => (Number.isInteger(value) ? axis(value) : "") }, y: { name }, ...more });
    this.charts = [new Chart(first, spec("Elo", {
      file: "match-elo",
      lines: [{ role: "start", width: 1, dash: [5, 4], name: "even" }, band("low"), band("high"), { role: "proof", name: "Elo" }], bands: [[3, 2, "proof-band"]], range: clipped,
      tip: (index) => `${at(index).pairs} pairs\n${at(index).elo} Elo`,
    }))];
    if (!second) return;
    const [low, high] = this.course.llr_bounds;
    this.charts.push(new Chart(second, spec("LLR", {
      file: "match-llr",
      lines: [{ role: "bad", width: 1, dash: [5, 4], name: "H0" }, { role: "good", width: 1, dash: [5, 4], name: "H1" }, { role: "proof", name: "LLR" }],
      range: (min, max) => padded(Math.min(min ?? low, low), Math.max(max ?? high, high)),
      tip: (index) => `${count(this.charts[1].data[0][index])} pairs\nLLR ${decimal(this.charts[1].data[3][index] ?? 0, 2)}`,
    })));
  }
}

function whyNone(summary, state) {
  if (!summary) return "No batch is finished yet.";
  if (state === "running" || state === "stopped") return "It follows the tune: the answer plays the start on openings that the tune never saw.";
  if (state === "rejected" && !summary.changed) return "The candidate is the start, so there was nothing to play.";
  return "No match was played, so nothing is proven.";
}
