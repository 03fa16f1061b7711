// A board that moves are made on: by drag, by tap, by keyboard.

import { Board, CELL, SIGNS } from "../board.js";
import { s } from "../dom.js";
import { squareName } from "./moves.js";

// Pixels after which a press becomes a drag.
const DRAG = 5;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SHAPES = { pawn: "pawn", stone: "stone", flagship: "flagship" };

export class PlayBoard extends Board {
  // `onMove` gets the text of a move.
  constructor(cols, rows, sides, onMove) {
    super(cols, rows);
    Object.assign(this, { sides, onMove, legal: null, chosen: null, focused: 0, held: null, own: [], drawing: null });
    this.heat = s("g", { class: "heat" });
    this.hints = s("g", { class: "hints" });
    this.arrows = s("g", { class: "arrows", "aria-hidden": "true" });
    this.drawn = s("g", { class: "drawn", "aria-hidden": "true" });
    this.numbers = s("g", { class: "numbers", "aria-hidden": "true" });
    this.cells = s("g", { class: "cells" }, Array.from({ length: cols * rows }, (_, square) =>
      s("rect", { width: CELL, height: CELL, rx: 0.6, role: "button", tabindex: -1, "data-cell": square })));
    this.pieces.before(this.heat, this.hints);
    this.element.append(this.numbers, this.arrows, this.drawn, this.cells);
    this.element.setAttribute("role", "group");
    this.element.classList.add("live-board");
    this.listen();
    this.layOut();
  }

  listen() {
    const on = (kind, handle) => this.cells.addEventListener(kind, handle);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.drag(event));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", () => this.letGo());
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => this.key(event));
    on("focusin", (event) => this.focusOn(Number(event.target.dataset.cell)));
    // Of those who read the screen: other clicks have been seen as presses.
    on("click", (event) => event.detail === 0 && this.point(Number(event.target.dataset.cell)));
  }

  layOut() {
    [...this.cells.children].forEach((cell, square) => {
      const [x, y] = this.place(square);
      cell.setAttribute("x", x);
      cell.setAttribute("y", y);
    });
  }

  flip() {
    super.flip();
    this.layOut();
    this.drawOwn();
  }

  // Shows a position: its signs, the squares of the last move, the moves of the player (or none), and
  // words for it.
  draw(squares, last, legal, words) {
    if (this.position !== squares) this.erase();
    Object.assign(this, { position: squares, squares: [...squares], legal, chosen: null });
    this.letGo();
    this.element.setAttribute("aria-label", words);
    this.put(this.squares, last);
    this.element.classList.toggle("waiting", !legal);
    this.hint();
    this.focusOn(this.focused);
  }

  // What can be done next, on the squares and in their names.
  hint() {
    const targets = this.legal?.from(this.chosen) ?? new Map();
    [...this.cells.children].forEach((cell, square) => {
      const isSource = Boolean(this.legal?.starts(square));
      const isTarget = targets.has(square) || (this.chosen === null && Boolean(this.legal?.onto(square)));
      cell.classList.toggle("source", isSource);
      cell.classList.toggle("target", isTarget);
      const state = square === this.chosen ? "chosen" : isTarget ? "a move leads here" : isSource ? "can move" : "";
      cell.setAttribute("aria-label", [this.nameOf(square), state].filter(Boolean).join(", "));
      cell.setAttribute("aria-pressed", square === this.chosen);
    });
    const shapes = [...targets.keys()].map((square) => {
      const [cx, cy] = this.middle(square);
      return s("circle", { cx, cy, r: this.squares[square] === "." ? 1.4 : 4.4, class: this.squares[square] === "." ? "dot" : "ring" });
    });
    if (this.chosen !== null) {
      const [x, y] = this.place(this.chosen);
      shapes.unshift(s("rect", { x, y, width: CELL, height: CELL, class: "chosen" }));
    }
    this.hints.replaceChildren(...shapes);
  }

  nameOf(square) {
    const [side, shape] = SIGNS[this.squares?.[square]] ?? [];
    const name = squareName(square, this);
    if (!shape) return name;
    if (shape === "blocked") return `${name}, blocked`;
    const kind = "gs".includes(this.squares[square]) ? "ship" : SHAPES[shape];
    return `${name}, ${this.sides[side === "first" ? 0 : 1]} ${kind}`;
  }

  // One square at a time can be reached with the tabulator.
  focusOn(square) {
    this.cells.children[this.focused].setAttribute("tabindex", -1);
    this.focused = square;
    this.cells.children[square].setAttribute("tabindex", 0);
  }

  // A player points at a square: chooses a piece, moves it, or lets it go.
  point(square) {
    if (!this.legal) return;
    const move = this.legal.from(this.chosen).get(square) ?? (this.chosen === null ? this.legal.onto(square) : null);
    if (move) {
      this.onMove(move);
      return;
    }
    this.chosen = this.legal.starts(square) && square !== this.chosen ? square : null;
    this.hint();
  }

  key(event) {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) {
      const turn = this.flipped ? -1 : 1;
      const col = (this.focused % this.cols) + step[0] * turn;
      const row = Math.floor(this.focused / this.cols) + step[1] * turn;
      if (col >= 0 && col < this.cols && row >= 0 && row < this.rows) this.cells.children[row * this.cols + col].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.point(this.focused);
    } else if (event.key === "Escape" && this.chosen !== null) {
      this.point(this.chosen);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // The place of a pointer, in the units of the board.
  at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM().inverse());
    return [x, y];
  }

  squareAt(event) {
    const [col, row] = this.at(event).map((place) => Math.floor(place / CELL));
    if (col < 0 || row < 0 || col >= this.cols || row >= this.rows) return null;
    return this.flipped ? (this.rows - 1 - row) * this.cols + this.cols - 1 - col : row * this.cols + col;
  }

  press(event) {
    const square = this.squareAt(event);
    if (square === null) return;
    if (event.button === 2) {
      this.drawing = square;
      this.cells.setPointerCapture(event.pointerId);
      return;
    }
    this.erase();
    if (event.button !== 0 || !this.legal) return;
    const wasChosen = this.chosen === square;
    if (this.legal.from(this.chosen).has(square) || !this.legal.starts(square)) {
      this.point(square);
      return;
    }
    this.chosen = square;
    this.hint();
    this.held = { square, wasChosen, from: [event.clientX, event.clientY], start: this.at(event), moved: false };
    this.cells.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const { held } = this;
    if (!held) return;
    held.moved ||= Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > DRAG;
    if (!held.moved) return;
    const [x, y] = this.at(event);
    for (const shape of this.shapesOf(held.square)) {
      shape.setAttribute("transform", `translate(${(x - held.start[0]).toFixed(2)} ${(y - held.start[1]).toFixed(2)})`);
      shape.classList.add("held");
      this.pieces.append(shape);
    }
  }

  release(event) {
    if (this.drawing !== null) this.mark(this.drawing, this.squareAt(event));
    this.drawing = null;
    const { held } = this;
    if (!held) return;
    this.letGo();
    const square = this.squareAt(event);
    if (held.moved && this.legal?.from(held.square).has(square)) this.point(square);
    // A second tap lets the piece go.
    else if (!held.moved && held.wasChosen) this.point(held.square);
  }

  letGo() {
    if (!this.held) return;
    for (const shape of this.shapesOf(this.held.square)) {
      shape.removeAttribute("transform");
      shape.classList.remove("held");
    }
    this.held = null;
  }

  shapesOf(square) {
    return [...this.pieces.querySelectorAll(`[data-square="${square}"]`)];
  }

  // What a player draws with the right button: an arrow between squares, a ring on one; drawn once more
  // it is gone.
  mark(from, to) {
    if (to === null) return;
    const isThis = ([a, b]) => a === from && b === to;
    this.own = this.own.some(isThis) ? this.own.filter((mark) => !isThis(mark)) : [...this.own, [from, to]];
    this.drawOwn();
  }

  erase() {
    this.own = [];
    this.drawOwn();
  }

  drawOwn() {
    this.drawn.replaceChildren(...this.own.map(([from, to]) => {
      const [cx, cy] = this.middle(from);
      return from === to ? s("circle", { cx, cy, r: 4.4, class: "own ring" }) : s("path", { d: this.arrowPath(from, to), class: "own" });
    }));
  }

  // Arrows for the moves of a line, the first the strongest. A move of one square is a ring.
  showLine(moves) {
    this.arrows.replaceChildren(...moves.map((squares, index) => {
      const kind = `line-arrow step-${index}`;
      if (squares.length === 1) {
        const [cx, cy] = this.middle(squares[0]);
        return s("circle", { cx, cy, r: 3, class: `${kind} new` });
      }
      return squares.length === 2 ? s("path", { d: this.arrowPath(...squares), class: kind }) : null;
    }).filter(Boolean).reverse());
  }

  arrowPath(from, to) {
    const [[x, y], [u, v]] = [this.middle(from), this.middle(to)];
    const length = Math.hypot(u - x, v - y);
    const [dx, dy] = [(u - x) / length, (v - y) / length];
    const at = (along, across) => `${(x + dx * along - dy * across).toFixed(2)} ${(y + dy * along + dx * across).toFixed(2)}`;
    const neck = length - 3.4;
    return `M${at(1.5, 0.55)}L${at(neck, 0.55)}L${at(neck, 1.7)}L${at(length - 0.6, 0)}L${at(neck, -1.7)}L${at(neck, -0.55)}L${at(1.5, -0.55)}z`;
  }

  // Numbers on squares, each with a share of -1 to 1 for its colour.
  showNumbers(numbers) {
    const tint = ({ square, share }) => {
      const [x, y] = this.place(square);
      return s("rect", { x, y, width: CELL, height: CELL, class: share < 0 ? "less" : "more", opacity: (0.15 + 0.7 * Math.abs(share)).toFixed(2) });
    };
    const word = ({ square, text }) => {
      const [x] = this.middle(square);
      return s("text", { x, y: this.place(square)[1] + 9.2, "text-anchor": "middle" }, text);
    };
    this.heat.replaceChildren(...numbers.map(tint));
    this.numbers.replaceChildren(...numbers.map(word));
  }
}
