// A board of any of the games, drawn from the signs of a position.

import { s } from "./dom.js";

export const CELL = 10;
const EDGE = 6;

// What the signs of a position are: the side of a piece, and its shape.
export const SIGNS = {
  P: ["first", "pawn"], p: ["second", "pawn"],
  x: ["first", "stone"], o: ["second", "stone"],
  g: ["first", "stone"], s: ["second", "stone"], F: ["first", "flagship"],
  "-": [null, "blocked"],
};

// The pieces of chess, around the middle of their squares.
const CHESS = {
  knight: "M-2.6 3.6h5.2q.6-4.4-.6-6.2-1-1.4-2.8-1.5l-.3-.6-1 1.3q-1.2 1.6-1.4 3.2l1 .7 1.9-1q.2 1-.5 1.7-1.4 1-1.5 2.4z",
  bishop: "M-2.9 3.6h5.8q0-1.2-1.6-1.6 1-1 .9-2.4-.2-1.6-2.2-3.2-2 1.6-2.2 3.2-.1 1.4.9 2.4-1.6.4-1.6 1.6zM0-4.4a.6.6 0 1 0 .01 0z",
  rook: "M-3 3.6h6v-1.2l-.9-.8v-2.8l.9-.7v-2h-1.5v.9h-.9v-.9h-1.2v.9h-.9v-.9h-1.5v2l.9.7v2.8l-.9.8z",
  queen: "M-2.9 3.6h5.8l-.4-1.5 1.3-4.6-2 2-.8-3.2-1 3-1-3-.8 3.2-2-2 1.3 4.6z",
  king: "M-2.9 3.6h5.8l-.4-1.5q2-2.2 1-3.6-1.2-1.3-3 .1v-1.2h1v-1h-1v-.9h-1v.9h-1v1h1v1.2q-1.8-1.4-3-.1-1 1.4 1 3.6z",
};
// Their signs, where a game names none of its own.
const CHESS_SIGNS = {};
for (const [sign, shape] of Object.entries({ N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" })) {
  CHESS_SIGNS[sign] = ["first", shape];
  CHESS_SIGNS[sign.toLowerCase()] = ["second", shape];
}

export class Board {
  // `signs` are those of each side's pieces, for games whose signs are not listed above; without
  // them the first side's are upper-case letters.
  constructor(cols, rows, signs = ["", ""]) {
    Object.assign(this, { cols, rows, signs, flipped: false });
    this.pieces = s("g");
    this.marks = s("g");
    const [width, height] = [cols * CELL, rows * CELL];
    this.labels = s("g", { class: "labels" });
    this.element = s("svg", { class: "board", viewBox: `${-EDGE} -1 ${width + EDGE + 1} ${height + EDGE + 1}`, role: "img" },
      this.squares(), s("rect", { x: 0, y: 0, width, height, class: "frame" }), this.marks, this.pieces, this.labels);
    this.label();
  }

  squares() {
    const squares = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let col = 0; col < this.cols; col += 1) {
        squares.push(s("rect", { x: col * CELL, y: row * CELL, width: CELL, height: CELL, class: (row + col) % 2 === this.rows % 2 ? "light" : "dark" }));
      }
    }
    return squares;
  }

  label() {
    const text = (x, y, word) => s("text", { x, y, "text-anchor": "middle" }, word);
    const cols = Array.from({ length: this.cols }, (_, col) => {
      const at = this.flipped ? this.cols - 1 - col : col;
      return text((at + 0.5) * CELL, this.rows * CELL + 4.6, String.fromCharCode(97 + col));
    });
    const rows = Array.from({ length: this.rows }, (_, row) => {
      const at = this.flipped ? row : this.rows - 1 - row;
      return text(-3, (at + 0.5) * CELL + 1.4, row + 1);
    });
    this.labels.replaceChildren(...cols, ...rows);
  }

  flip() {
    this.flipped = !this.flipped;
    this.label();
  }

  // The corner of a square, which is numbered from the left in rows from the top.
  place(square) {
    const [col, row] = [square % this.cols, Math.floor(square / this.cols)];
    return this.flipped ? [(this.cols - 1 - col) * CELL, (this.rows - 1 - row) * CELL] : [col * CELL, row * CELL];
  }

  // Shows a position: a sign for each square, the squares of the last move, and words for it.
  show(squares, move, words) {
    this.element.setAttribute("aria-label", words);
    this.put(squares, move);
    if (move.length === 2) this.marks.append(this.arrow(...move));
  }

  put(squares, move) {
    this.pieces.replaceChildren(...[...squares].flatMap((sign, square) => this.piece(sign, square)));
    this.marks.replaceChildren(...move.map((square, index) => {
      const [x, y] = this.place(square);
      return s("rect", { x, y, width: CELL, height: CELL, class: index === move.length - 1 ? "mark to" : "mark" });
    }));
  }

  middle(square) {
    return this.place(square).map((side) => side + CELL / 2);
  }

  arrow(from, to) {
    const [a, b] = [from, to].map((square) => this.middle(square));
    return s("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: "way" });
  }

  // The side and the shape of a sign.
  kind(sign) {
    if (sign === ".") return null;
    const side = this.signs.findIndex((signs) => signs.includes(sign));
    if (side < 0) return SIGNS[sign] ?? CHESS_SIGNS[sign] ?? [sign === sign.toUpperCase() ? "first" : "second", "letter"];
    if (SIGNS[sign]?.[0] === ["first", "second"][side]) return SIGNS[sign];
    return [["first", "second"][side], this.signs[side].length > 1 ? "letter" : "stone"];
  }

  piece(sign, square) {
    const known = this.kind(sign);
    if (!known) return [];
    const [side, shape] = known;
    const [x, y] = this.place(square);
    const [cx, cy] = this.middle(square);
    if (shape === "blocked") return [s("rect", { x, y, width: CELL, height: CELL, class: "blocked" }), s("path", { d: `M${x + 2.5} ${y + 2.5}l5 5m0-5l-5 5`, class: "cross" })];
    if (shape === "pawn") {
      const pawn = `M${cx - 2.9} ${cy + 3.6}h5.8q0-1.9-1.9-3a2.1 2.1 0 1 0-2 0q-1.9 1.1-1.9 3z`;
      return [s("path", { d: pawn, class: `piece ${side}`, "data-square": square })];
    }
    if (CHESS[shape]) return [s("path", { d: CHESS[shape], transform: `translate(${cx} ${cy})`, class: `piece ${side}`, "data-square": square })];
    const stone = s("circle", { cx, cy, r: 3.5, class: `piece ${side}`, "data-square": square });
    if (shape === "letter") return [stone, s("text", { x: cx, y: cy + 1.6, "text-anchor": "middle", class: `letter ${side}`, "data-square": square }, sign)];
    if (shape !== "flagship") return [stone];
    return [s("circle", { cx, cy, r: 4.2, class: `piece ${side}`, "data-square": square }), s("path", { "data-square": square, d: `M${cx} ${cy - 2.6}l.8 1.7 1.8.2-1.3 1.3.3 1.8-1.6-.9-1.6.9.3-1.8-1.3-1.3 1.8-.2z`, class: "star" })];
  }
}
