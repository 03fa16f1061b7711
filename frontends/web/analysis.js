// Analysis: an engine that looks at the position for as long as it is shown.

import { h, replace, setText } from "../dom.js";
import { count, signed } from "../text.js";
import { squaresOf } from "./moves.js";
import { Panel } from "./panel.js";
import { Thinker } from "./players.js";

const HASH = 64;
// Plies of the line that are drawn on the board, and those that are listed.
const ARROWS = 4;
const LISTED = 12;
const FOREVER = { depth: 200 };
// Pieces at which the bar is three quarters full.
const SPAN = 3;

// A report from the first side: `pieces`, or who wins and in how many plies.
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

// The bar beside the board: how much of it is the first side's.
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
  // `show` gets the report of a depth, or null when there is none; `play` the moves of a line.
  constructor(game, sets, { show, play, fail }) {
    super(game, sets, { name: "analysis", title: "Analysis", action: "Analyse", does: "analyses" });
    Object.assign(this, { show, play, fail, thinker: null });
    this.score = h("p", { class: "big" });
    this.numbers = h("p", { class: "soft" });
    this.line = h("ol", { class: "line", "aria-label": "Best line" });
    this.body.append(this.score, this.numbers, this.line);
  }

  leave() {
    this.thinker?.end();
    this.thinker = null;
  }

  turned() {
    if (!this.isOn) this.thinker?.stop();
    this.show(null);
  }

  // Looks at the position that is shown now.
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
      const found = await thinker.search(game.position, FOREVER, tell);
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
    replace(this.line);
    this.show(null);
  }

  tell(report, turn) {
    if (!this.isOn) return;
    const { depth, nodes, seconds, pv } = report;
    const score = scoreOf(report, turn);
    const speed = seconds > 0.02 ? `, ${count(nodes / seconds / 1000)},000 a second` : "";
    setText(this.score, scoreText(score, this.game.rules.sides));
    setText(this.numbers, `depth ${depth}, ${count(nodes)} positions${speed}`);
    replace(this.line, pv.slice(0, LISTED).map((move, index) =>
      h("li", {}, h("button", { type: "button", onclick: () => this.play(pv.slice(0, index + 1)) }, move))));
    this.show({ score, arrows: pv.slice(0, ARROWS).map((move) => squaresOf(move, this.game.size)) });
  }
}
