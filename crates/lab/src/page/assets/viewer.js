// A game on a board: replayed with buttons, keys and clicks, with the score of every move.

import "./engine/js/board.js";
import { squareName } from "./engine/js/moves.js";
import { h, replace, s, setText } from "./dom.js";
import { api, get, page } from "./server.js";
import { PLAYED, count, signed } from "./text.js";

// Scores beyond this many pieces look alike on the chart.
const MOST = 6;
const CHART = { width: 600, height: 120 };

export async function show(place, { run, number }) {
  const path = `${api(run)}/games/${number}`;
  const viewer = new Viewer(place, run, await get(path));
  viewer.at(0);
  // The scores are searched for now, which takes longer than the game.
  viewer.score(await get(`${path}?scores=true`));
}

// A move for people: the text of a pass is that of a null move.
function moveText({ move }) {
  return move === "0000" ? "pass" : move;
}

// Whether the first side has the dark pieces, as in Othello.
function isDark([first, second]) {
  return first.toLowerCase() === "black" && second.toLowerCase() === "white";
}

class Viewer {
  constructor(place, run, game) {
    Object.assign(this, { game, ply: 0 });
    this.board = h("sparring-board");
    Object.assign(this.board, { game: game.game, signs: game.signs });
    this.sides = [this.side(0), this.side(1)];
    this.slider = h("input", { type: "range", min: 0, max: game.plies.length - 1, value: 0, "aria-label": "Ply", oninput: () => this.at(Number(this.slider.value)) });
    this.words = h("p", { class: "words", role: "status" });
    this.moves = h("ol", { class: "moves", "aria-label": "Moves" }, game.plies.slice(1).map((ply, index) => this.move(ply, index + 1)));
    this.board.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      this.at(this.ply + Math.sign(event.deltaY));
    }, { passive: false });
    this.scores = h("div", { class: "scores" }, h("p", { class: "soft" }, "Searching for the scores \u2026"));
    const button = (text, label, to) => h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.at(to()) }, text);
    this.first = button("\u00ab", "To the start", () => 0);
    this.back = button("\u2039", "Back", () => this.ply - 1);
    this.on = button("\u203a", "On", () => this.ply + 1);
    this.last = button("\u00bb", "To the end", () => game.plies.length - 1);
    this.analyse = PLAYED.includes(game.game) ? h("a", {}, "Analyse") : null;
    const flip = h("button", { type: "button", onclick: () => this.flip() }, "Turn the board");
    const around = (at, text) => (at >= 1 && at <= game.total ? h("a", { href: `${page(run)}/games/${at}` }, text) : null);
    replace(place,
      h("p", { class: "soft crumbs" }, h("a", { href: "/" }, "Runs"), " / ", h("a", { href: page(run) }, run)),
      h("div", { class: "title" }, h("h1", {}, `Game ${count(game.number)}`), h("div", { class: "tools" }, this.analyse, around(game.number - 1, "\u2190 game before"), around(game.number + 1, "next game \u2192"))),
      h("p", { class: "soft run" }, `${game.game} ${game.board}, ${game.stage}, pair ${game.pair + 1}`),
      h("section", { class: "viewer", "data-game": game.game, "data-first": isDark(game.sides) ? "dark" : null },
        h("div", { class: "stage" }, this.sides[1], this.board, this.sides[0],
          h("div", { class: "tools steps" }, this.first, this.back, this.on, this.last, flip), this.slider),
        h("div", { class: "aside" }, this.words, this.scores,
          this.moves, this.ending())));
    addEventListener("keydown", (event) => this.key(event));
  }

  // Takes the game with its scores.
  score(game) {
    this.game = game;
    const by = game.scores_by ? `Score${game.in_pieces ? " in pieces" : ""} from the first side, by ${game.scores_by}` : `No scores: ${game.scores_error}`;
    replace(this.scores, this.drawScores(), h("p", { class: "soft" }, by));
    this.at(this.ply);
  }

  side(index) {
    const { game } = this;
    const won = { "1-0": 0, "0-1": 1 }[game.result] === index;
    // From some starts the second side moves first.
    const name = index ? "second" : "first";
    const begun = game.plies[1]?.by;
    const turn = begun ? h("span", { class: "soft" }, begun === name ? "begins" : "moves second") : null;
    return h("p", { class: "side" }, h("i", { class: name }), h("b", {}, game.players[index]), turn, won ? h("span", { class: "state good" }, "won") : null);
  }

  ending() {
    const { game } = this;
    const result = game.result.replace("1/2-1/2", "\u00bd\u2013\u00bd").replace("-", "\u2013");
    return h("p", {}, h("b", {}, result), ` ended by ${game.ending}`, game.forfeit ? h("span", {}, `: ${game.forfeit}`) : null);
  }

  move(ply, index) {
    const button = h("button", { type: "button", onclick: () => this.at(index) }, moveText(ply));
    const { plies } = this.game;
    const begins = (at) => at === 1 || (plies[at].by === "first" && plies[at - 1].by !== "first");
    const turn = begins(index) && plies.slice(1, index + 1).filter((_, before) => begins(before + 1)).length;
    return h("li", { class: ply.opening ? "opening" : null }, turn ? h("span", { class: "soft" }, `${turn}${ply.by === "first" ? "." : "\u2026"}`) : null, h("i", { class: ply.by }), button);
  }

  key(event) {
    if (event.target.matches?.("input, select, textarea") && event.target !== this.slider) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.game.plies.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      this.at(steps[event.key]);
    } else if (event.key === "f") {
      this.flip();
    }
  }

  flip() {
    this.board.flip();
    this.sides.reverse();
    const [below, above] = this.sides;
    this.board.before(above);
    this.board.after(below);
    this.at(this.ply);
  }

  at(ply) {
    const { plies } = this.game;
    this.ply = Math.min(Math.max(ply, 0), plies.length - 1);
    const now = plies[this.ply];
    const words = this.describe(now);
    const rows = Array.from({ length: this.game.rows }, (_, row) => now.squares.slice(row * this.game.cols, (row + 1) * this.game.cols));
    Object.assign(this.board, { position: rows, lastMove: now.marks.map((square) => squareName(square, this.game)), label: words });
    setText(this.words, words);
    this.slider.value = this.ply;
    this.analyse?.setAttribute("href", this.analysis());
    this.slider.setAttribute("aria-valuetext", words);
    this.first.disabled = this.back.disabled = this.ply === 0;
    this.on.disabled = this.last.disabled = this.ply === plies.length - 1;
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.moves.children[this.ply - 1]?.querySelector("button");
    if (current) {
      current.setAttribute("aria-current", "step");
      const [list, item] = [this.moves, current.parentElement];
      if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = item.offsetTop - list.clientHeight / 2;
      }
    } else {
      this.moves.scrollTop = 0;
    }
    this.cursor?.setAttribute("transform", `translate(${this.x(this.ply)} 0)`);
  }

  // The address of this game on the page to play on, at the position that is shown.
  analysis() {
    const { game, ply } = this;
    const moves = game.plies.slice(1).map(({ move }) => move).join(" ");
    return `/play?${new URLSearchParams({ game: game.game, fen: game.start, moves, ply, analyse: 1 })}`;
  }

  describe(ply) {
    if (!ply.move) return "Start of the game";
    const score = this.scoreText(ply);
    const searched = [ply.depth ? `depth ${ply.depth}` : null, ply.ms === undefined ? null : `${ply.ms / 1000} s`].filter(Boolean);
    return `Ply ${ply.ply} of ${this.game.plies.length - 1}: ${ply.by} side ${moveText(ply)}${ply.opening ? ", opening" : ""}${score ? `; ${score}` : ""}${searched.length ? `; ${searched.join(", ")}` : ""}`;
  }

  scoreText(ply) {
    if (ply.winner) return ply.win_in ? `the ${ply.winner} side wins in ${ply.win_in}` : `the ${ply.winner} side has won`;
    return ply.score === null ? null : `score ${signed(ply.score, 1)}`;
  }

  x(ply) {
    return (CHART.width * ply) / Math.max(1, this.game.plies.length - 1);
  }

  // Bars above and below an even game, which can be clicked.
  drawScores() {
    const { plies } = this.game;
    const middle = CHART.height / 2;
    const value = (ply) => (ply.winner ? (ply.winner === "first" ? MOST : -MOST) : Math.max(-MOST, Math.min(MOST, ply.score ?? 0)));
    const y = (ply) => middle - (value(ply) / MOST) * (middle - 4);
    const known = plies.filter((ply) => ply.score !== null || ply.winner);
    const line = known.map((ply) => `${this.x(ply.ply).toFixed(1)},${y(ply).toFixed(1)}`).join(" ");
    const ends = known.length ? [this.x(known[0].ply), this.x(known.at(-1).ply)] : [0, 0];
    this.cursor = s("line", { y1: 0, y2: CHART.height, class: "cursor" });
    const scale = [MOST / 2, -MOST / 2].map((mark) => s("text", { x: 4, y: middle - (mark / MOST) * (middle - 4) + 4 }, `${signed(mark, 0)}`));
    const svg = s("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, class: "course-of-game", role: "img", "aria-label": "Score over the plies of the game" },
      s("rect", { width: CHART.width, height: middle, class: "up" }), s("rect", { y: middle, width: CHART.width, height: middle, class: "down" }),
      known.length ? s("polygon", { points: `${ends[0]},${middle} ${line} ${ends[1]},${middle}`, class: "area" }) : null,
      s("line", { x1: 0, x2: CHART.width, y1: middle, y2: middle, class: "zero" }),
      s("polyline", { points: line, class: "line" }), scale, this.cursor);
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      this.at(Math.round(((event.clientX - box.left) / box.width) * (plies.length - 1)));
    });
    return svg;
  }
}

