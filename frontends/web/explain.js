// Explains a set's value of a position, term by term and piece by piece on the squares. A piece's
// share in a term is the term's loss without the piece.

import { h, replace, setText } from "../dom.js";
import { signed } from "../text.js";
import { squareName } from "../engine/js/moves.js";
import { Panel } from "./panel.js";

const ALL = "";
// The number of terms to show, the greatest first.
const MOST = 14;

// The products of an explanation by the names of the terms, in pieces for the first side.
function products({ terms, tables, network, scale, unit }, turn) {
  const share = (turn === 0 ? 1 : -1) / (scale * unit);
  const found = new Map();
  for (const { name, product } of [...terms, ...tables]) found.set(name, product * share);
  if (network) found.set("network", network.product * share);
  return found;
}

const total = (found) => [...found.values()].reduce((sum, value) => sum + value, 0);

// The FEN of a position without the piece on a square.
function without(board, square, cols) {
  const rows = board.squares();
  const [row, col] = [Math.floor(square / cols), square % cols];
  rows[row] = `${rows[row].slice(0, col)}.${rows[row].slice(col + 1)}`;
  const packed = rows.map((text) => text.replace(/\.+/g, (dots) => dots.length)).join("/");
  return [packed, ...board.fen().split(" ").slice(1)].join(" ");
}

export class Explain extends Panel {
  // `show` receives the numbers for the squares.
  constructor({ Board, Engine }, game, sets, { show, fail }) {
    super(game, sets, { name: "explain", title: "What counts", action: "Explain", does: "is explained" });
    Object.assign(this, { Board, Engine, show, fail, engine: null, term: ALL, asked: 0 });
    this.sum = h("p", {});
    this.rows = h("tbody");
    this.body.append(this.sum,
      h("table", { class: "bars terms" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "term"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "as a bar")), h("th", { scope: "col", class: "n" }, "pieces"))), this.rows),
      h("p", { class: "soft" }, "In pieces, from the side that began. On the board: the loss of the value, or of the chosen term, without each piece."));
  }

  leave() {
    this.term = ALL;
    this.engine?.free();
    this.engine = null;
  }

  turned() {
    if (!this.isOn) this.show([]);
  }

  async go() {
    this.asked += 1;
    const asked = this.asked;
    if (!this.isOn) return;
    try {
      const weights = await this.sets.weights(this.name);
      if (asked !== this.asked) return;
      this.engine ??= new this.Engine(weights, { board: this.game.board.size, hash: 1 });
      this.explain();
    } catch (error) {
      if (asked !== this.asked) return;
      this.turn(false);
      this.fail(error);
    }
  }

  explain() {
    const { board, turn } = this.game;
    const { cols } = this.game.size;
    this.whole = products(this.engine.explain(board), turn);
    this.pieces = [...board.squares().join("")].flatMap((sign, square) => {
      if (sign === "." || sign === "-") return [];
      const rest = this.rest(without(board, square, cols));
      return rest ? [{ square, rest }] : [];
    });
    this.list();
    this.mark();
  }

  // The products of the position without a piece; null if it is not a valid position.
  rest(fen) {
    let board;
    try {
      board = new this.Board({ game: this.game.board.game, fen });
    } catch {
      return null;
    }
    const found = products(this.engine.explain(board), this.game.turn);
    board.free();
    return found;
  }

  list() {
    const found = [...this.whole].filter(([, value]) => value !== 0).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
    const sum = total(this.whole);
    const most = Math.max(0.01, ...[sum, ...found.map(([, value]) => value)].map(Math.abs));
    const row = (name, words, value) => {
      const bar = h("span", { class: value < 0 ? "bar less" : "bar more" });
      bar.style.width = `${((Math.abs(value) / most) * 100).toFixed(1)}%`;
      const choose = h("button", { type: "button", "aria-pressed": this.term === name, onclick: () => this.choose(name) }, words);
      return h("tr", {}, h("td", {}, choose), h("td", {}, bar), h("td", { class: "n" }, signed(value, 2)));
    };
    setText(this.sum, `The static value is ${signed(sum, 2)}, without any search.`);
    replace(this.rows, row(ALL, "all terms", sum), found.slice(0, MOST).map(([name, value]) => row(name, name.replaceAll("_", " "), value)));
  }

  choose(name) {
    this.term = name;
    this.list();
    this.mark();
    this.rows.querySelector('[aria-pressed="true"]')?.focus();
  }

  mark() {
    const of = (found) => (this.term === ALL ? total(found) : found.get(this.term) ?? 0);
    const all = this.pieces.map(({ square, rest }) => ({ square, value: of(this.whole) - of(rest) }));
    const numbers = all.filter(({ value }) => Math.abs(value) >= 0.005);
    const most = Math.max(0.01, ...numbers.map(({ value }) => Math.abs(value)));
    // Big boards have small squares.
    const digits = this.game.size.cols > 8 ? 1 : 2;
    this.show(numbers.map(({ square, value }) => ({ square: squareName(square, this.game.size), share: value / most, text: signed(value, digits) })));
  }
}
