// A board of any game as SVG, drawn from the signs of a position. A square is 10 units wide.

export const CELL = 10;
const EDGE = 6;
const SVG = "http://www.w3.org/2000/svg";

/** The signs of positions: the side of a piece, its shape, and its name. */
export const SIGNS = {
  P: ["first", "pawn", "pawn"], p: ["second", "pawn", "pawn"],
  x: ["first", "stone", "stone"], o: ["second", "stone", "stone"],
  g: ["first", "stone", "ship"], s: ["second", "stone", "ship"], F: ["first", "flagship", "flagship"],
  "-": [null, "blocked", "blocked"],
};

const PAWN = "M-2.9 3.6h5.8q0-1.9-1.9-3a2.1 2.1 0 1 0-2 0q-1.9 1.1-1.9 3z";
const STAR = "M0-2.6l.8 1.7 1.8.2-1.3 1.3.3 1.8-1.6-.9-1.6.9.3-1.8-1.3-1.3 1.8-.2z";
/** The shapes of chess pieces, for user-defined games. */
const CHESS = {
  knight: "M-2.6 3.6h5.2q.6-4.4-.6-6.2-1-1.4-2.8-1.5l-.3-.6-1 1.3q-1.2 1.6-1.4 3.2l1 .7 1.9-1q.2 1-.5 1.7-1.4 1-1.5 2.4z",
  bishop: "M-2.9 3.6h5.8q0-1.2-1.6-1.6 1-1 .9-2.4-.2-1.6-2.2-3.2-2 1.6-2.2 3.2-.1 1.4.9 2.4-1.6.4-1.6 1.6zM0-4.4a.6.6 0 1 0 .01 0z",
  rook: "M-3 3.6h6v-1.2l-.9-.8v-2.8l.9-.7v-2h-1.5v.9h-.9v-.9h-1.2v.9h-.9v-.9h-1.5v2l.9.7v2.8l-.9.8z",
  queen: "M-2.9 3.6h5.8l-.4-1.5 1.3-4.6-2 2-.8-3.2-1 3-1-3-.8 3.2-2-2 1.3 4.6z",
  king: "M-2.9 3.6h5.8l-.4-1.5q2-2.2 1-3.6-1.2-1.3-3 .1v-1.2h1v-1h-1v-.9h-1v.9h-1v1h1v1.2q-1.8-1.4-3-.1-1 1.4 1 3.6z",
};
/** The signs of games whose sides are told apart by upper and lower case. */
const ANY_SIGNS = { P: SIGNS.P, p: SIGNS.p, "-": SIGNS["-"] };
for (const [sign, shape] of Object.entries({ N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" })) {
  ANY_SIGNS[sign] = ["first", shape, shape];
  ANY_SIGNS[sign.toLowerCase()] = ["second", shape, shape];
}

/** The games whose signs are `SIGNS`. */
const OWN = ["breakthrough", "ataxx", "breakthru"];

/** The side, shape and name of a sign; null for an empty square. `signs` are each side's signs. */
export function kindOf(sign, { game, signs }) {
  if (sign === ".") return null;
  if (OWN.includes(game) && SIGNS[sign]) return SIGNS[sign];
  const side = ["first", "second"][signs.findIndex((own) => own.includes(sign))];
  if (!side) {
    const isFirst = sign === sign.toUpperCase();
    return ANY_SIGNS[sign] ?? [isFirst ? "first" : "second", "letter", sign];
  }
  return [side, signs.some((own) => own.length > 1) ? "letter" : "stone", sign];
}

/** Creates an SVG element. */
function svg(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

const layer = (name) => svg("g", { class: name, "aria-hidden": "true" });

export class BoardDrawing {
  constructor(cols, rows) {
    Object.assign(this, { cols, rows, flipped: false });
    const [width, height] = [cols * CELL, rows * CELL];
    for (const name of ["heat", "marks", "hints", "pieces", "labels", "numbers", "arrows", "drawn"]) this[name] = layer(name);
    const button = (square) => ({ width: CELL, height: CELL, rx: 0.6, role: "button", tabindex: -1, "data-cell": square });
    this.cells = svg("g", { class: "cells" }, Array.from({ length: cols * rows }, (_, square) => svg("rect", button(square))));
    this.element = svg("svg", { class: "board", viewBox: `${-EDGE} -1 ${width + EDGE + 1} ${height + EDGE + 1}` },
      this.squares(), svg("rect", { x: 0, y: 0, width, height, class: "frame" }), this.marks, this.heat, this.hints,
      this.pieces, this.labels, this.numbers, this.arrows, this.drawn);
    this.element.style.setProperty("--_cols", cols);
    this.layOut();
  }

  squares() {
    const colour = (row, col) => ((row + col) % 2 === this.rows % 2 ? "light" : "dark");
    return Array.from({ length: this.cols * this.rows }, (_, square) => {
      const [row, col] = [Math.floor(square / this.cols), square % this.cols];
      return svg("rect", { x: col * CELL, y: row * CELL, width: CELL, height: CELL, class: colour(row, col) });
    });
  }

  /** Draws the names of columns and rows, and the clickable cells, for this orientation. */
  layOut() {
    const text = (x, y, word) => svg("text", { x, y, "text-anchor": "middle" }, String(word));
    const cols = Array.from({ length: this.cols }, (_, col) => {
      const at = this.flipped ? this.cols - 1 - col : col;
      return text((at + 0.5) * CELL, this.rows * CELL + 4.6, String.fromCharCode(97 + col));
    });
    const rows = Array.from({ length: this.rows }, (_, row) => {
      const at = this.flipped ? row : this.rows - 1 - row;
      return text(-3, (at + 0.5) * CELL + 1.4, row + 1);
    });
    this.labels.replaceChildren(...cols, ...rows);
    [...this.cells.children].forEach((cell, square) => {
      const [x, y] = this.place(square);
      cell.setAttribute("x", x);
      cell.setAttribute("y", y);
    });
  }

  turn(isFlipped) {
    if (isFlipped === this.flipped) return;
    this.flipped = isFlipped;
    this.layOut();
  }

  /** Makes the squares buttons in a group, or the whole board one image. */
  setInteractive(isInteractive) {
    this.element.setAttribute("role", isInteractive ? "group" : "img");
    this.element.classList.toggle("live-board", isInteractive);
    if (!isInteractive) this.cells.remove();
    else if (!this.cells.parentNode) this.element.append(this.cells);
  }

  /** The corner of a square in units of the board. */
  place(square) {
    const [col, row] = [square % this.cols, Math.floor(square / this.cols)];
    return this.flipped ? [(this.cols - 1 - col) * CELL, (this.rows - 1 - row) * CELL] : [col * CELL, row * CELL];
  }

  middle(square) {
    return this.place(square).map((side) => side + CELL / 2);
  }

  /** Converts a pointer position to units of the board. */
  at({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM().inverse());
    return [x, y];
  }

  /** The square at a pointer; null outside the board. */
  squareAt(event) {
    const [col, row] = this.at(event).map((place) => Math.floor(place / CELL));
    if (col < 0 || row < 0 || col >= this.cols || row >= this.rows) return null;
    return this.flipped ? (this.rows - 1 - row) * this.cols + this.cols - 1 - col : row * this.cols + col;
  }

  /** Draws the pieces of a game; `signs` are each side's signs. */
  showPieces(squares, { game, signs }) {
    this.pieces.replaceChildren(...[...squares].flatMap((sign, square) => this.piece(square, sign, kindOf(sign, { game, signs }))));
  }

  piece(square, sign, kind) {
    if (!kind) return [];
    const [side, shape] = kind;
    const [x, y] = this.place(square);
    const [cx, cy] = this.middle(square);
    const part = (tag, props, ...children) => svg(tag, { ...props, "data-square": square }, ...children);
    const path = (d, name) => part("path", { d, transform: `translate(${cx} ${cy})`, class: name });
    if (shape === "blocked") {
      return [svg("rect", { x, y, width: CELL, height: CELL, class: "blocked" }), svg("path", { d: `M${x + 2.5} ${y + 2.5}l5 5m0-5l-5 5`, class: "cross" })];
    }
    const outline = CHESS[shape] ?? (shape === "pawn" ? PAWN : null);
    if (outline) return [path(outline, `piece ${side}`)];
    const stone = part("circle", { cx, cy, r: shape === "flagship" ? 4.2 : 3.5, class: `piece ${side}` });
    if (shape === "flagship") return [stone, path(STAR, "star")];
    if (shape !== "letter") return [stone];
    return [stone, part("text", { x: cx, y: cy + 1.6, "text-anchor": "middle", class: `letter ${side}` }, sign)];
  }

  partsOf(square) {
    return [...this.pieces.querySelectorAll(`[data-square="${square}"]`)];
  }

  /** Shows a dragged piece, at this offset from its square. */
  hold(square, [dx, dy]) {
    const [cx, cy] = this.middle(square);
    for (const part of this.partsOf(square)) {
      const [x, y] = part.tagName === "path" ? [cx + dx, cy + dy] : [dx, dy];
      part.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      part.classList.add("held");
      this.pieces.append(part);
    }
  }

  letGo(square) {
    const [cx, cy] = this.middle(square);
    for (const part of this.partsOf(square)) {
      part.setAttribute("transform", part.tagName === "path" ? `translate(${cx} ${cy})` : "translate(0 0)");
      part.classList.remove("held");
    }
  }

  box(square, name, props = {}) {
    const [x, y] = this.place(square);
    return svg("rect", { x, y, width: CELL, height: CELL, class: name, ...props });
  }

  ring(square, r, name) {
    const [cx, cy] = this.middle(square);
    return svg("circle", { cx, cy, r, class: name });
  }

  /** Marks the squares of the last move. */
  showLast(squares) {
    this.marks.replaceChildren(...squares.map((square, index) => this.box(square, index === squares.length - 1 ? "mark to" : "mark")));
  }

  /** Marks the chosen piece and its targets. */
  showChoice(chosen, targets, isEmpty) {
    const hints = targets.map((square) => (isEmpty(square) ? this.ring(square, 1.4, "dot") : this.ring(square, 4.4, "ring")));
    this.hints.replaceChildren(...(chosen === null ? [] : [this.box(chosen, "chosen")]), ...hints);
  }

  /** Shows the arrows drawn by the user. */
  showDrawn(drawn) {
    this.drawn.replaceChildren(...drawn.map(([from, to]) =>
      from === to ? this.ring(from, 4.4, "own ring") : svg("path", { d: this.arrow(from, to), class: "own" })));
  }

  /** Arrows for the moves of a line, the first one strongest. A move with one square is a ring. */
  showArrows(moves) {
    const shapes = moves.map((squares, index) => {
      const name = `line-arrow step-${index}`;
      if (squares.length === 1) return this.ring(squares[0], 3, `${name} new`);
      return squares.length === 2 ? svg("path", { d: this.arrow(...squares), class: name }) : null;
    });
    this.arrows.replaceChildren(...shapes.filter(Boolean).reverse());
  }

  arrow(from, to) {
    const [[x, y], [u, v]] = [this.middle(from), this.middle(to)];
    const length = Math.max(Math.hypot(u - x, v - y), 1e-6);
    const [dx, dy] = [(u - x) / length, (v - y) / length];
    const at = (along, across) => `${(x + dx * along - dy * across).toFixed(2)} ${(y + dy * along + dx * across).toFixed(2)}`;
    const neck = length - 3.4;
    return `M${at(1.5, 0.55)}L${at(neck, 0.55)}L${at(neck, 1.7)}L${at(length - 0.6, 0)}L${at(neck, -1.7)}L${at(neck, -0.55)}L${at(1.5, -0.55)}z`;
  }

  /** Shows numbers on squares, each with a share of -1 to 1 for its colour.  */
  showNumbers(numbers) {
    const tint = ({ square, share = 0 }) => this.box(square, share < 0 ? "less" : "more", { opacity: (0.15 + 0.7 * Math.abs(share)).toFixed(2) });
    const word = ({ square, text }) => svg("text", { x: this.middle(square)[0], y: this.place(square)[1] + 9.2, "text-anchor": "middle" }, String(text));
    this.heat.replaceChildren(...numbers.map(tint));
    this.numbers.replaceChildren(...numbers.map(word));
  }
}
