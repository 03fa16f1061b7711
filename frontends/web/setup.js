// The settings: game, players and thinking time.

import { h, replace } from "../dom.js";
import { kind, label } from "./sets.js";

const LIMITS = [
  ["200 positions", { nodes: 200 }], ["1,000 positions", { nodes: 1000 }], ["10,000 positions", { nodes: 10_000 }],
  ["0.1 seconds", { movetime: 100 }], ["1 second", { movetime: 1000 }], ["3 seconds", { movetime: 3000 }], ["10 seconds", { movetime: 10_000 }],
];
const USUAL_LIMIT = 4;

// Fills a selection of sets, grouped by kind, after the options `first`.
export function setSelect(select, sets, chosen, first = []) {
  const kinds = Map.groupBy ? Map.groupBy(sets, ({ name }) => kind(name)) : grouped(sets);
  const option = (set) => h("option", { value: set.name }, label(set));
  replace(select, first, [...kinds].map(([name, sets]) => h("optgroup", { label: name }, sets.map(option))));
  select.value = chosen ?? "";
}

function grouped(sets) {
  const kinds = new Map();
  for (const set of sets) kinds.set(kind(set.name), [...(kinds.get(kind(set.name)) ?? []), set]);
  return kinds;
}

export class Setup {
  // `copy` receives "position" or "moves"; `begin` the game, board and position; `seat` a side and
  // its player; `think` the limits; `book` an opening book or null; `open` files.
  constructor(game, sets, { copy, begin, seat, think, book, open }) {
    Object.assign(this, { game, sets, begin });
    const options = (names) => names.map((name) => h("option", { value: name }, name));
    this.games = h("select", { onchange: () => begin({ game: this.games.value }) }, options(game.games.map(({ name }) => name)));
    this.boards = h("select", { onchange: () => begin({ game: this.games.value, board: this.boards.value }) });
    this.seats = [0, 1].map((side) => h("select", { onchange: (event) => seat(side, event.target.value || null) }));
    this.names = [h("span"), h("span")];
    this.limit = h("select", { onchange: () => think(LIMITS[this.limit.value][1]) }, LIMITS.map(([words], index) => h("option", { value: index }, words)));
    this.limit.value = USUAL_LIMIT;
    this.books = [null];
    this.chooseBook = book;
    this.book = h("select", { onchange: () => book(this.books[this.book.value]) }, h("option", { value: 0 }, "none"));
    this.bookField = h("label", { hidden: true }, "Opening book", this.book);
    this.fen = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "a position as text" });
    this.file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: ".json,.bin", onchange: () => { open([...this.file.files]); this.file.value = ""; } });
    const field = (name, element) => h("label", {}, name, element);
    this.element = h("section", { class: "setup" }, h("h2", {}, "Game"),
      h("div", { class: "fields" }, field("Game", this.games), field("Board", this.boards),
        field(this.names[0], this.seats[0]), field(this.names[1], this.seats[1]), field("Engines think", this.limit), this.bookField),
      h("div", { class: "tools" },
        h("button", { type: "button", onclick: () => this.file.click() }, "Open a file \u2026"), this.file),
      h("p", { class: "soft" }, "Weight files, JSON or compact, and opening books can be dropped anywhere on the page. They stay in this browser."),
      h("details", {}, h("summary", {}, "Position"),
        h("form", { class: "both", onsubmit: (event) => { event.preventDefault(); begin({ game: this.games.value, fen: this.fen.value.trim() }); } },
          h("label", { class: "grow" }, h("span", { class: "unseen" }, "Position as text"), this.fen), h("button", { type: "submit" }, "Set up")),
        h("div", { class: "tools" },
          h("button", { type: "button", onclick: () => copy("position") }, "Copy the position"),
          h("button", { type: "button", onclick: () => copy("moves") }, "Copy the moves"))));
  }

  // Shows the current settings; `names` are the players.
  show(names) {
    const { rules, board } = this.game;
    this.games.value = rules.name;
    if (this.listed !== rules.name) {
      replace(this.boards, rules.boards.map((name) => h("option", { value: name }, name)));
      this.listed = rules.name;
    }
    this.boards.value = board.size;
    this.showBooks();
    const sets = this.sets.of(rules.name, board.size);
    for (const side of [0, 1]) {
      this.names[side].textContent = `${rules.sides[side]}${side ? "" : " (begins)"}`;
      setSelect(this.seats[side], sets, names[side], [h("option", { value: "" }, "you")]);
    }
  }

  // Adds the books that come with the page; each is loaded when it is chosen. The first of the
  // user's own books that fits the board is chosen at once.
  offerBooks(entries) {
    for (const entry of entries) {
      const place = this.books.push(entry) - 1;
      this.book.append(h("option", { value: place }, entry.title ?? `${entry.game} ${entry.board}`));
    }
    this.showBooks();
    const { board } = this.game;
    const own = this.books.findIndex((book) => book?.title && book.game === board.game && book.board === board.size);
    if (own > 0) {
      this.book.value = own;
      this.chooseBook(this.books[own]);
    }
  }

  // Shows the books for the current board.
  showBooks() {
    const { board } = this.game;
    let found = 0;
    for (const option of this.book.options) {
      const book = this.books[option.value];
      const isFor = !book || (book.game === board.game && book.board === board.size);
      option.hidden = option.disabled = !isFor;
      if (book && isFor) found += 1;
    }
    this.bookField.hidden = found === 0;
  }

  // Adds an opening book to the list and selects it.
  addBook(book) {
    const at = this.books.findIndex((known) => known?.name === book.name);
    const place = at < 0 ? this.books.push(book) - 1 : at;
    this.books[place] = book;
    if (at < 0) this.book.append(h("option", { value: place }, book.name));
    this.book.value = place;
    this.showBooks();
  }

  showPosition(fen) {
    if (document.activeElement !== this.fen) this.fen.value = fen;
  }
}
