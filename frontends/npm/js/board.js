// The custom element `sparring-board` shows positions and takes moves. It needs neither the module
// nor other parts of the package, and knows no rules: the page supplies the legal moves.

import { BoardDrawing, kindOf } from "./board-drawing.js";
import { dress } from "./board-style.js";
import { LegalMoves, moveOf, squareName, squareNumber, squaresOf } from "./moves.js";

/** The games of the package: their default boards, and the names of the sides. */
const GAMES = {
  breakthrough: { title: "Breakthrough", board: "8x8", sides: ["White", "Black"] },
  ataxx: { title: "Ataxx", board: "7x7", sides: ["x", "o"] },
  breakthru: { title: "Breakthru", board: "11x11", sides: ["Gold", "Silver"] },
};
const DEFAULTS = {
  game: "breakthrough",
  board: null,
  position: null,
  orientation: "first",
  lastMove: null,
  legal: null,
  interactive: false,
  label: null,
  arrows: [],
  numbers: [],
  signs: ["", ""],
};
const ATTRIBUTES = {
  game: "game",
  board: "board",
  position: "position",
  orientation: "orientation",
  "last-move": "lastMove",
  legal: "legal",
  interactive: "interactive",
  label: "label",
};
/** The most columns or rows: as many as there are letters. */
const MOST_SQUARES = 26;
/** The distance in pixels at which a press becomes a drag. */
const DRAG = 5;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The rows of a position, given as a FEN or as rows, with one sign for each square. */
function rowsOf(position) {
  const isList = Array.isArray(position);
  const rows = isList
    ? position.map(String)
    : String(position).trim().split(/\s+/)[0].split("/").map((row) => row.replace(/\d+/g, (count) => ".".repeat(Math.min(count, MOST_SQUARES + 1))));
  const [{ length: cols }] = rows.length ? rows : [""];
  const isBoard = cols > 0 && cols <= MOST_SQUARES && rows.length <= MOST_SQUARES && rows.every(({ length }) => length === cols);
  if (!isBoard) {
    throw new RangeError(`position \`${position}\`: not rows of equal length, up to ${MOST_SQUARES} squares each; give a FEN or the rows from the top`);
  }
  return rows;
}

/** The side to move in a FEN, 0 or 1; null if it is missing. */
function turnOf(position) {
  const side = Array.isArray(position) ? undefined : String(position ?? "").trim().split(/\s+/)[1];
  const at = [["w", "x", "gold"], ["b", "o", "silver"]].findIndex((names) => names.includes(side));
  return at < 0 ? null : at;
}

const isText = (value) => typeof value === "string";
const areTexts = (value) => Array.isArray(value) && value.every(isText);
const isMove = (move) => isText(move) || isText(move?.text) || areTexts(move);
const isNumber = (number) => isText(number?.square) && ["string", "number"].includes(typeof number.text);

/** A check that a property is as `give` says. */
const need = (name, isRight, give) => (value) => {
  if (isRight(value)) return value;
  throw new TypeError(`${name}: give ${give}`);
};

const POSITION = need("position", (value) => isText(value) || areTexts(value), "a FEN, or the rows from the top as texts");

/** Checks for each property: they return the value to store, or throw. */
const CHECKS = {
  game: need("game", (value) => isText(value) && value !== "", `${Object.keys(GAMES).join(", ")}, or the name of another game`),
  board(value) {
    const [, cols, rows] = /^(\d+)x(\d+)$/.exec(value) ?? [];
    if (cols >= 1 && rows >= 1 && cols <= MOST_SQUARES && rows <= MOST_SQUARES) return String(value);
    throw new RangeError(`board \`${value}\`: give columns x rows, for example 8x8, up to ${MOST_SQUARES}x${MOST_SQUARES}`);
  },
  position(value) {
    rowsOf(POSITION(value));
    return value;
  },
  orientation(value) {
    if (value === "first" || value === "second") return value;
    throw new RangeError(`orientation \`${value}\`: give \`first\` or \`second\`, the side that is below`);
  },
  legal(value) {
    const isList = typeof value[Symbol.iterator] === "function";
    const moves = isText(value) ? value.split(/\s+/).filter(Boolean) : isList ? [...value] : [];
    if (isList && moves.every((move) => isText(move) || isText(move?.text))) return moves;
    throw new TypeError("legal: give moves, as texts or as objects with `text`, `from` and `to`");
  },
  interactive: Boolean,
  lastMove: need("lastMove", isMove, "a move or the names of its squares"),
  label: need("label", isText, "a text"),
  arrows: need("arrows", (value) => Array.isArray(value) && value.every(isMove), "a list of moves"),
  numbers: need("numbers", (value) => Array.isArray(value) && value.every(isNumber), "a list of objects with `square` and `text`"),
  signs: need("signs", (value) => areTexts(value) && value.length === 2, "two texts, the signs of each side's pieces"),
};

/** Servers that render pages have no elements, but can still import this. */
const Element = globalThis.HTMLElement ?? class {};

export class SparringBoard extends Element {
  static observedAttributes = Object.keys(ATTRIBUTES);

  static {
    for (const name of Object.keys(DEFAULTS)) {
      const get = function () {
        return this.#given[name];
      };
      const set = function (value) {
        this.#given[name] = value === null || value === undefined ? DEFAULTS[name] : (CHECKS[name]?.(value) ?? value);
        this.#change();
      };
      Object.defineProperty(this.prototype, name, { get, set, enumerable: true, configurable: true });
    }
  }

  #given = { ...DEFAULTS };
  #isDue = false;
  #place;
  #pass;
  #drawing = null;
  #squares = "";
  #moves = null;
  /** The squares of the chosen piece, the focus and the dragged piece, and the user's arrows. */
  #chosen = null;
  #focused = 0;
  #held = null;
  #from = null;
  #drawn = [];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.#place = document.createElement("div");
    this.#place.className = "place";
    this.#pass = document.createElement("button");
    Object.assign(this.#pass, { type: "button", className: "pass", textContent: "Pass", hidden: true });
    this.#pass.setAttribute("part", "pass");
    this.#pass.addEventListener("click", () => this.#make(this.#moves.pass));
    this.#place.append(this.#pass);
    // Not on SVG elements: Chromium makes those with such a listener tab stops.
    this.#place.addEventListener("focusin", ({ target }) => target.dataset.cell && this.#focusOn(Number(target.dataset.cell)));
    // Dragging a piece must not scroll the page: Chromium ignores `touch-action` in drawings.
    this.#place.addEventListener("touchmove", (event) => this.#held && !this.#held.isTap && event.touches.length === 1 && event.preventDefault(), { passive: false });
    root.append(this.#place);
    dress(root);
    this.#change();
  }

  connectedCallback() {
    // Values that a page set before the element was defined hide the properties.
    for (const name of Object.keys(DEFAULTS)) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  attributeChangedCallback(name, _, value) {
    this[ATTRIBUTES[name]] = name === "interactive" ? value !== null : value;
  }

  /** Shows a game, a `Board` of the package: its position, last move and legal moves. */
  show(board) {
    const { game } = board;
    Object.assign(this, { game, position: board.fen(), legal: board.legalMoves(), lastMove: board.history().at(-1) });
  }

  /** Turns the board around. */
  flip() {
    this.orientation = this.orientation === "first" ? "second" : "first";
  }

  /** Moves the keyboard focus to the board. */
  focus(options) {
    this.#draw();
    if (this.interactive) this.#cell(this.#focused).focus(options);
  }

  /** Schedules one redraw for all changes. */
  #change() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#isDue && this.#draw());
  }

  #draw() {
    this.#isDue = false;
    const { position, lastMove, arrows, numbers, interactive } = this;
    const rows = position === null ? this.#emptyRows() : rowsOf(position);
    this.#lay(rows[0].length, rows.length);
    const drawing = this.#drawing;
    const isFlipped = this.orientation === "second";
    if (drawing.flipped !== isFlipped) this.#letGo();
    drawing.turn(isFlipped);
    drawing.setInteractive(interactive);
    drawing.element.setAttribute("aria-label", this.label ?? this.#words());
    this.#place.dataset.game = this.game;
    const isMoved = this.#squares !== rows.join("");
    this.#squares = rows.join("");
    this.#takeMoves(rows);
    if (isMoved) this.#drawn = [];
    if (isMoved || !this.#moves.starts(this.#chosen)) this.#chosen = null;
    // A dragged piece stays in the hand while arrows and numbers change.
    if (this.#held && this.#chosen !== this.#held.square) this.#letGo();
    if (!this.#held) drawing.showPieces(this.#squares, this);
    drawing.showLast(this.#numbersOf(lastMove));
    drawing.showArrows(arrows.map((move) => this.#numbersOf(move)));
    drawing.showNumbers(numbers.map((number) => ({ ...number, square: squareNumber(number.square, drawing) })).filter(({ square }) => square >= 0));
    drawing.showDrawn(this.#drawn);
    this.#hint();
    this.#focusOn(this.#focused);
  }

  #emptyRows() {
    const [cols, rows] = (this.board ?? GAMES[this.game]?.board ?? "8x8").split("x").map(Number);
    return Array(rows).fill(".".repeat(cols));
  }

  /** Creates the squares when the size of the board changes. */
  #lay(cols, rows) {
    if (this.#drawing?.cols === cols && this.#drawing.rows === rows) return;
    this.#drawing?.element.remove();
    this.#drawing = new BoardDrawing(cols, rows);
    this.#focused = 0;
    this.#chosen = null;
    this.#place.prepend(this.#drawing.element);
    this.#listen();
  }

  #takeMoves(rows) {
    const { game, legal, interactive } = this;
    const side = ["first", "second"][turnOf(this.position)];
    const moves = (interactive && legal) || [];
    const objects = moves.map((move) => (typeof move === "string" ? moveOf(move, game, rows) : { from: null, to: null, captured: null, ...move }));
    const isOwn = (square) => side !== undefined && kindOf(this.#squares[square], this)?.[0] === side;
    this.#moves = new LegalMoves(objects, this.#drawing, isOwn);
    this.#pass.hidden = !this.#moves.pass;
  }

  #numbersOf(move) {
    return squaresOf(move).map((name) => squareNumber(name, this.#drawing)).filter((square) => square >= 0);
  }

  /** The name of the board for screen readers. */
  #words() {
    const { title, sides } = GAMES[this.game] ?? { title: this.game, sides: ["the first side", "the second side"] };
    const turn = turnOf(this.position);
    return `${title} ${this.#drawing.cols}x${this.#drawing.rows}${turn === null ? "" : `, ${sides[turn]} to move`}`;
  }

  #nameOf(square) {
    const name = squareName(square, this.#drawing);
    const kind = kindOf(this.#squares[square], this);
    if (!kind) return name;
    const [side, , piece] = kind;
    const sides = GAMES[this.game]?.sides ?? ["first", "second"];
    return side === null ? `${name}, ${piece}` : `${name}, ${sides[side === "first" ? 0 : 1]} ${piece}`;
  }

  #cell(square) {
    return this.#drawing.cells.children[square];
  }

  /** Marks the squares that can be used next, also in their names. */
  #hint() {
    const targets = this.#moves.from(this.#chosen);
    [...this.#drawing.cells.children].forEach((cell, square) => {
      const isSource = this.#moves.starts(square);
      const isTarget = targets.has(square) || (this.#chosen === null && Boolean(this.#moves.onto(square)));
      cell.classList.toggle("source", isSource);
      cell.classList.toggle("target", isTarget);
      const state = square === this.#chosen ? "chosen" : isTarget ? "a move leads here" : isSource ? "can move" : "";
      cell.setAttribute("aria-label", [this.#nameOf(square), state].filter(Boolean).join(", "));
      cell.setAttribute("aria-pressed", square === this.#chosen);
    });
    this.#drawing.showChoice(this.#chosen, [...targets.keys()], (square) => this.#squares[square] === ".");
  }

  /** Makes one square at a time a tab stop. */
  #focusOn(square) {
    this.#cell(this.#focused).setAttribute("tabindex", -1);
    this.#focused = square;
    this.#cell(square).setAttribute("tabindex", 0);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail, bubbles: true, composed: true }));
  }

  /** Reports a move to the page. The board shows it once the page sets the new position. */
  #make(move) {
    this.#choose(null);
    this.#tell("move", { ...move });
  }

  #choose(square) {
    this.#chosen = square;
    this.#hint();
  }

  /** The user points at a square: moves there, selects its piece, or cancels the selection. */
  #point(square) {
    const move = this.#moves.from(this.#chosen).get(square) ?? (this.#chosen === null ? this.#moves.onto(square) : null);
    if (move) {
      this.#make(move);
      return;
    }
    const isLeft = square === this.#chosen;
    this.#choose(!isLeft && this.#moves.starts(square) ? square : null);
    const moves = isLeft ? [] : [...this.#moves.from(square).values()].map((move) => ({ ...move }));
    this.#tell("select", { square: isLeft ? null : squareName(square, this.#drawing), moves });
  }

  #listen() {
    const { cells } = this.#drawing;
    const on = (kind, handle) => cells.addEventListener(kind, handle);
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#drag(event));
    on("pointerup", (event) => this.#release(event));
    on("pointercancel", () => this.#letGo());
    on("contextmenu", (event) => event.preventDefault());
    on("keydown", (event) => this.#key(event));
    // Screen readers click without a press; other clicks were handled as presses.
    on("click", (event) => event.detail === 0 && this.#point(Number(event.target.dataset.cell)));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      const { cols, rows, flipped } = this.#drawing;
      const [col, row] = [this.#focused % cols, Math.floor(this.#focused / cols)].map((at, axis) => at + step[axis] * (flipped ? -1 : 1));
      if (col >= 0 && col < cols && row >= 0 && row < rows) this.#cell(row * cols + col).focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#point(this.#focused);
    } else if (event.key === "Escape" && this.#chosen !== null) {
      this.#point(this.#chosen);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #press(event) {
    const square = this.#drawing.squareAt(event);
    if (square === null) return;
    if (event.button === 2) {
      this.#from = square;
      this.#drawing.cells.setPointerCapture(event.pointerId);
      return;
    }
    this.#setDrawn([]);
    if (event.button !== 0) return;
    const wasChosen = this.#chosen === square;
    if (this.#moves.from(this.#chosen).has(square) || !this.#moves.starts(square)) {
      // A finger may be about to scroll the page.
      if (event.pointerType === "touch") this.#held = { square, isTap: true, from: [event.clientX, event.clientY], moved: false };
      else this.#point(square);
      return;
    }
    if (!wasChosen) this.#point(square);
    this.#held = { square, wasChosen, from: [event.clientX, event.clientY], start: this.#drawing.at(event), moved: false };
    this.#drawing.cells.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const held = this.#held;
    if (!held) return;
    held.moved ||= Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > DRAG;
    if (!held.moved || held.isTap) return;
    const [x, y] = this.#drawing.at(event);
    this.#drawing.hold(held.square, [x - held.start[0], y - held.start[1]]);
  }

  #release(event) {
    if (this.#from !== null) this.#mark(this.#from, this.#drawing.squareAt(event));
    this.#from = null;
    const held = this.#held;
    if (!held) return;
    this.#letGo();
    const square = this.#drawing.squareAt(event);
    if (held.isTap) return void (held.moved || this.#point(held.square));
    if (held.moved && this.#moves.from(held.square).has(square)) this.#point(square);
    // A second tap cancels the selection.
    else if (!held.moved && held.wasChosen) this.#point(held.square);
  }

  #letGo() {
    if (!this.#held) return;
    this.#drawing.letGo(this.#held.square);
    this.#held = null;
  }

  /** Draws a user's arrow (right button), or a ring on a square; drawing it again removes it. */
  #mark(from, to) {
    if (to === null) return;
    const isThis = ([a, b]) => a === from && b === to;
    this.#setDrawn(this.#drawn.some(isThis) ? this.#drawn.filter((mark) => !isThis(mark)) : [...this.#drawn, [from, to]]);
  }

  #setDrawn(drawn) {
    this.#drawn = drawn;
    this.#drawing.showDrawn(drawn);
  }
}

if (globalThis.customElements && !customElements.get("sparring-board")) customElements.define("sparring-board", SparringBoard);
