// Analysis: an engine that searches the current position for as long as the position is shown.

import { h, replace, setText } from "../dom.js";
import { count, signed } from "../text.js";
import { Panel } from "./panel.js";
import { Thinker } from "./players.js";

const HASH = 64;
// The numbers of plies of the line that are drawn on the board, and that are listed.
const ARROWS = 4;
const LISTED = 12;
const FOREVER = { depth: 200 };
// The numbers of lines to choose from.
const COUNTS = [1, 2, 3, 5];
// The lead in pieces at which the bar is three quarters full.
const SPAN = 3;

// A report's score from the first side: `pieces`, or the winner and the plies to the win.
export function scoreOf(report, turn) {
  const sign = turn === 0 ? 1 : -1;
  if (report.winIn !== null) return { winner: turn, plies: report.winIn };
  if (report.lossIn !== null) return { winner: 1 - turn, plies: report.lossIn };
  return { pieces: report.pieces * sign };
}

export function scoreText({ winner, plies, pieces }, sides) {
  if (winner === undefined) return signed(pieces, 2);
  return plies ? `${sides[winner]} wins in ${plies}` : `${sides[winner]} has won`;
}

// The bar beside the board, whose filled part is the first side's share.
export class ScoreBar {
  constructor() {
    this.fill = h("i");
    this.text = h("b");
    this.element = h("div", { class: "score-bar", role: "meter", "aria-label": "Score from the side that began, in pieces", "aria-valuemin": -10, "aria-valuemax": 10 }, this.fill, this.text);
    this.show(null, []);
  }

  flip(isFlipped) {
    this.element.classList.toggle("flipped", isFlipped);
  }

  show(score, sides) {
    const pieces = score?.pieces ?? (score ? (score.winner === 0 ? 10 : -10) : 0);
    const share = score?.winner === undefined ? 50 + 50 * Math.tanh((pieces * Math.atanh(0.5)) / SPAN) : score.winner === 0 ? 100 : 0;
    this.fill.style.setProperty("--share", `${share.toFixed(1)}%`);
    this.element.classList.toggle("behind", share < 50);
    const short = !score ? "" : score.winner === undefined ? signed(score.pieces, 1) : score.plies ? `#${score.plies}` : "";
    setText(this.text, short);
    this.element.setAttribute("aria-valuenow", Math.max(-10, Math.min(10, pieces)).toFixed(1));
    this.element.setAttribute("aria-valuetext", score ? scoreText(score, sides) : "unknown");
  }
}

export class Analysis extends Panel {
  // `show` receives the report of a depth, or null if there is none; `play` the moves of a line.
  constructor(game, sets, { show, play, fail }) {
    super(game, sets, { name: "analysis", title: "Analysis", action: "Analyse", does: "analyses" });
    Object.assign(this, { show, play, fail, thinker: null });
    this.score = h("p", { class: "big" });
    this.numbers = h("p", { class: "soft" });
    this.lines = h("div", {});
    this.count = h("select", { "aria-label": "Lines", onchange: () => this.go() },
      COUNTS.map((count) => h("option", { value: count }, count === 1 ? "1 line" : `${count} lines`)));
    this.body.append(this.score, this.numbers, this.count, this.lines);
  }

  leave() {
    this.thinker?.end();
    this.thinker = null;
  }

  turned() {
    if (!this.isOn) this.thinker?.stop();
    this.show(null);
  }

  // Searches the position that is shown now.
  async go() {
    if (!this.isOn) return;
    const { game } = this;
    const isOver = game.board.isGameOver();
    this.clear(isOver ? "The game is over." : "Thinking \u2026");
    if (isOver) {
      this.thinker?.stop();
      return;
    }
    const turn = game.turn;
    const thinker = this.thinker ??= new Thinker(() => this.sets.start(this.name, game.board.size, HASH));
    try {
      const tell = (report) => this.tell(report, turn);
      const limits = { ...FOREVER, multipv: Number(this.count.value) };
      const found = await thinker.search(game.position, limits, tell);
      if (found) tell(found);
    } catch (error) {
      if (this.thinker !== thinker) return;
      this.turn(false);
      this.fail(error);
    }
  }

  clear(words) {
    setText(this.score, words);
    setText(this.numbers, "\u00a0");
    replace(this.lines);
    this.show(null);
  }

  // A line as buttons that play its moves. With several lines its score comes first.
  row(line, index, turn) {
    const { pv } = line;
    const score = Number(this.count.value) > 1 ? h("li", { class: "soft" }, scoreText(scoreOf(line, turn), this.game.rules.sides)) : [];
    const button = (move, last) => h("button", { type: "button", onclick: () => this.play(pv.slice(0, last + 1)) }, move);
    return h("ol", { class: "line", "aria-label": index === 0 ? "Best line" : `Line ${index + 1}` },
      score, pv.slice(0, LISTED).map((move, last) => h("li", {}, button(move, last))));
  }

  tell(report, turn) {
    if (!this.isOn) return;
    const { depth, nodes, seconds, pv } = report;
    const score = scoreOf(report, turn);
    const speed = seconds > 0.02 ? `, ${count(nodes / seconds / 1000)},000 a second` : "";
    setText(this.score, scoreText(score, this.game.rules.sides));
    setText(this.numbers, `depth ${depth}, ${count(nodes)} positions${speed}`);
    replace(this.lines, (report.lines ?? [report]).map((line, index) => this.row(line, index, turn)));
    this.show({ score, arrows: pv.slice(0, ARROWS) });
  }
}
