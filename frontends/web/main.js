// The page for playing and analysis.

import "../engine/js/board.js";
import { load, Weights } from "../engine/js/index.js";
import { EngineWorker } from "../engine/js/worker.js";
import { h, notify, replace, setText } from "../dom.js";
import { Analysis, ScoreBar, scoreOf, scoreText } from "./analysis.js";
import { Explain } from "./explain.js";
import { Game } from "./game.js";
import { Players } from "./players.js";
import { label, Sets } from "./sets.js";
import { Setup } from "./setup.js";

// The size limit of weight files, in bytes.
const MOST_BYTES = 64 << 20;
// The prefix of the names of sets exported with the page.
const OWN = "own/";
// The value of `set` in the address when a person plays the second side.
const NOBODY = "none";

// Whether a file is an opening book, compact or not.
const isBook = (bytes) => /^SPARBOOK|"kind":\s*"opening-tree"/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 200)));

class Page {
  constructor(place, engine, entries) {
    const fail = (error) => notify(error.message, "wrong");
    this.told = [null, null];
    this.score = null;
    const only = place.dataset.only?.split(" ") ?? [];
    this.game = new Game(engine.Board, entries, only, () => this.changed());
    this.sets = new Sets(engine, EngineWorker, entries);
    this.players = new Players(this.game, this.sets, { tell: (report, side) => this.tell(report, side), fail: (error) => { fail(error); this.showPlayers(); } });
    this.analysis = new Analysis(this.game, this.sets, { show: (found) => this.showAnalysis(found), play: (moves) => this.try(moves), fail });
    this.explain = new Explain(engine, this.game, this.sets, { show: (numbers) => this.showNumbers(numbers), fail });
    this.setup = new Setup(this.game, this.sets, {
      copy: (what) => this.copy(what), begin: (wanted) => this.begin(wanted), seat: (side, name) => this.seat(side, name), open: (files) => this.open(files),
      book: (book) => this.chooseBook(book), think: (limits) => { this.players.limits = limits; this.players.go(); },
    });
    this.bar = new ScoreBar();
    this.build(place);
  }

  build(place) {
    const button = (text, words, act) => h("button", { type: "button", "aria-label": words, title: words, onclick: act }, text);
    const { game } = this;
    this.first = button("\u00ab", "To the start", () => this.goTo(0));
    this.back = button("\u2039", "Back", () => this.goTo(game.ply - 1));
    this.on = button("\u203a", "On", () => this.goTo(game.ply + 1));
    this.last = button("\u00bb", "To the end", () => this.goTo(game.line.length));
    this.undo = h("button", { type: "button", class: "word", onclick: () => this.takeBack() }, "Take back");
    this.pause = h("button", { type: "button", class: "word", onclick: () => this.setPaused(!this.players.isPaused) });
    const fresh = h("button", { type: "button", class: "word strong", onclick: () => this.begin({ game: game.board.game, board: game.board.size }) }, "New game");
    const flip = h("button", { type: "button", class: "word", onclick: () => this.flip() }, "Turn the board");
    this.sides = [0, 1].map((side) => {
      const parts = { dot: h("i", { class: side ? "second" : "first" }), name: h("b"), who: h("span", { class: "soft" }), told: h("span", { class: "told soft" }) };
      return { ...parts, element: h("p", { class: "side" }, parts.dot, parts.name, parts.who, parts.told) };
    });
    this.words = h("p", { class: "words", role: "status" });
    this.board = h("sparring-board", { interactive: true });
    this.board.addEventListener("move", ({ detail }) => game.play(detail.text));
    this.place = h("div", { class: "board-place" }, this.board);
    this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.moves = h("ol", { class: "moves", "aria-label": "Moves" });
    replace(place, h("h1", { class: "unseen" }, "Play"), this.table = h("div", { class: "play" },
      h("div", {},
        h("section", { class: "stage" }, this.words, this.sides[1].element, this.row = h("div", { class: "board-row" }, this.bar.element, this.place), this.sides[0].element,
          h("div", { class: "tools steps" }, this.first, this.back, this.on, this.last, this.undo, this.pause, flip, fresh))),
      h("div", { class: "aside" }, h("section", {}, h("h2", {}, "Moves"), this.moves), this.setup.element, this.analysis.element, this.explain.element)));
    addEventListener("keydown", (event) => this.key(event));
    this.takeDrops();
  }

  // Begins a game on a board or from a position. Players that cannot play it are removed.
  begin({ game, board, fen }) {
    try {
      this.game.begin({ game, board, fen });
    } catch (error) {
      notify(error.message, "wrong");
    }
  }

  // Updates everything after a change of the game.
  changed() {
    const { game, players } = this;
    const { game: name, size, startFen } = game.board;
    if (this.shown !== `${name} ${size}`) {
      this.shown = `${name} ${size}`;
      const sets = this.sets.of(name, size);
      const seats = players.names.map((player) => (player === null || sets.some((set) => set.name === player) ? player : this.sets.strongest(name, size)));
      players.reset();
      seats.forEach((player, side) => players.seat(side, player));
      const { cols, rows } = game.size;
      this.table.dataset.game = name;
      this.row.style.setProperty("--cols", cols);
      this.row.style.setProperty("--rows", rows);
      this.board.numbers = [];
      this.analysis.reset();
      this.explain.reset();
    }
    if (this.begun !== game.board) {
      this.begun = game.board;
      players.isPaused = false;
      this.told = [null, null];
      this.setScore(null);
    }
    if (game.board.isGameOver()) this.setScore(this.finalScore());
    this.draw();
    players.go();
    this.showPlayers();
    if (!startFen || game.ply) this.setup.showPosition(game.board.fen());
    this.follow();
    this.analysis.go();
    this.explain.go();
  }

  // Writes what is shown into the address, so that users can keep, send and reload it.
  follow() {
    if (!this.isStarted) return;
    const { board, line, ply } = this.game;
    const query = new URLSearchParams({ game: board.game, ...(board.startFen ? { fen: board.startFen } : { board: board.size }) });
    if (line.length) query.set("moves", line.join(" "));
    if (ply < line.length) query.set("ply", ply);
    const [first, second] = this.players.names.map((name) => (name && this.sets.isListed(name) ? name : null));
    if (first) query.set("first", first);
    if (second) query.set("set", second);
    else if (this.players.names[1] === null) query.set("set", NOBODY);
    // Browsers allow some hundred updates in half a minute, which engines playing fast can exceed.
    clearTimeout(this.following);
    this.following = setTimeout(() => history.replaceState(null, "", `?${query}`), 200);
  }

  draw() {
    const { game, players } = this;
    const isOver = game.board.isGameOver();
    const isPersons = !isOver && (players.isPerson || players.isPaused || !game.isAtEnd);
    Object.assign(this.board, {
      game: game.rules.name, position: game.board.fen(), lastMove: game.line[game.ply - 1], legal: isPersons ? game.board.legalMoves() : null,
      arrows: [], label: `${game.rules.name} ${game.board.size}, ${this.state()}`,
    });
    this.first.disabled = this.back.disabled = game.ply === 0;
    this.on.disabled = this.last.disabled = game.isAtEnd;
    this.undo.disabled = game.ply === 0;
    this.list();
  }

  state() {
    const { game } = this;
    const { sides } = game.rules;
    const result = game.board.result();
    if (result === "1/2-1/2") return "a draw";
    if (result !== "*") return `${sides[result === "1-0" ? 0 : 1]} wins`;
    return `${sides[game.turn]} to move${game.isMidTurn ? " a second ship" : ""}`;
  }

  showPlayers() {
    const { game, players } = this;
    this.setup.show(players.names);
    const state = this.state();
    this.sides.forEach(({ element, name, who, told }, side) => {
      setText(name, game.rules.sides[side]);
      setText(who, players.names[side] === null ? "you" : this.sets.label(players.names[side]));
      setText(told, this.told?.[side] ?? "");
      element.classList.toggle("to-move", !game.board.isGameOver() && game.turn === side);
    });
    const last = game.ply ? `${game.line[game.ply - 1]} \u00b7 ` : "";
    setText(this.words, `${last}${state}${players.thinking === null ? "" : ", thinking \u2026"}`);
    this.pause.hidden = players.names.every((name) => name === null);
    setText(this.pause, players.isPaused ? "Let it play" : "Pause");
  }

  // Shows a playing engine's report.
  tell(report, side) {
    const score = scoreOf(report, side);
    // A move that wins at once has no depth.
    const by = report.depth === undefined ? "book, " : report.depth ? `depth ${report.depth}, ` : "";
    this.told[side] = by + scoreText(score, this.game.rules.sides);
    setText(this.sides[side].told, this.told[side]);
    this.setScore(score);
  }

  // Shows a score unless the analysis shows its own.
  setScore(score) {
    this.score = score;
    if (!this.analysis.isOn) this.bar.show(score, this.game.rules.sides);
  }

  finalScore() {
    const winner = { "1-0": 0, "0-1": 1 }[this.game.board.result()];
    return winner === undefined ? { pieces: 0 } : { winner, plies: 0 };
  }

  showAnalysis(found) {
    this.arrows = found?.arrows ?? [];
    this.showArrows();
    if (found || !this.analysis.isOn) this.bar.show(found?.score ?? this.score, this.game.rules.sides);
  }

  // The numbers on squares would be hard to read under arrows.
  showArrows() {
    this.board.arrows = this.explain.isOn ? [] : this.arrows ?? [];
  }

  showNumbers(numbers) {
    this.board.numbers = numbers;
    this.showArrows();
  }

  list() {
    const { game } = this;
    const sides = game.movers;
    let turn = 0;
    const number = (index) => (sides[index] === "first" && sides[index - 1] !== "first" ? h("span", { class: "soft" }, `${++turn}.`) : null);
    replace(this.moves, game.line.map((move, index) => h("li", {}, number(index), h("i", { class: sides[index] }),
      h("button", { type: "button", "aria-current": index + 1 === game.ply ? "step" : null, onclick: () => this.goTo(index + 1) }, move))));
    if (!game.line.length) replace(this.moves, h("li", { class: "soft" }, "none yet"));
    const current = this.moves.querySelector("[aria-current]")?.parentElement;
    this.moves.scrollTop = current ? current.offsetTop - this.moves.clientHeight / 2 : 0;
  }

  // Shows another position of the game and pauses the engines.
  goTo(ply) {
    const { game, players } = this;
    players.isPaused = players.names.some((name) => name !== null) && ply < game.line.length;
    game.goTo(ply);
  }

  // The mouse wheel over the board steps through the game; pinching still zooms.
  wheel(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.goTo(this.game.ply + Math.sign(event.deltaY));
  }

  // Copies the position, or the moves up to it.
  async copy(what) {
    const { board, line, ply } = this.game;
    try {
      await navigator.clipboard.writeText(what === "moves" ? line.slice(0, ply).join(" ") : board.fen());
      notify(`Copied: the ${what}.`);
    } catch {
      notify("This browser does not let pages copy; select the text and copy it by hand.", "wrong");
    }
  }

  // Plays moves of a displayed line.
  try(moves) {
    this.players.isPaused = this.players.names.some((name) => name !== null);
    this.game.play(...moves);
  }

  takeBack() {
    const { names } = this.players;
    const isPersons = (side) => names[side] === null;
    this.players.isPaused = names.every((name) => name !== null);
    this.game.takeBack((side) => !names.some((name) => name === null) || isPersons(side));
  }

  setPaused(isPaused) {
    this.players.isPaused = isPaused;
    if (!isPaused) this.game.goTo(this.game.line.length);
    this.changed();
  }

  seat(side, name) {
    this.players.seat(side, name);
    this.told[side] = null;
    // A person who plays only the second side sees it at the bottom.
    const [first, second] = this.players.names;
    if ((first !== null && second === null) !== Boolean(this.isFlipped) && (first === null) !== (second === null)) this.flip();
    this.changed();
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.board.flip();
    this.bar.flip(this.isFlipped);
    const [below, above] = this.isFlipped ? [...this.sides].reverse() : this.sides;
    this.row.before(above.element);
    this.row.after(below.element);
    this.draw();
    this.analysis.go();
    this.explain.go();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const { game } = this;
    const steps = { ArrowLeft: game.ply - 1, ArrowRight: game.ply + 1, Home: 0, End: game.line.length };
    if (event.key in steps) this.goTo(steps[event.key]);
    else if (event.key === "f") this.flip();
    else return;
    event.preventDefault();
  }

  takeDrops() {
    const isOfFiles = (event) => event.dataTransfer?.types.includes("Files");
    const mark = (isOver) => document.body.classList.toggle("dropping", isOver);
    addEventListener("dragover", (event) => {
      if (!isOfFiles(event)) return;
      event.preventDefault();
      mark(true);
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));
    addEventListener("drop", (event) => {
      mark(false);
      if (!isOfFiles(event)) return;
      event.preventDefault();
      this.open([...event.dataTransfer.files]);
    });
  }

  // Loads weight files and opening books; the last valid set becomes the person's opponent.
  async open(files) {
    let entry = null;
    for (const file of files) {
      try {
        if (file.size > MOST_BYTES) throw new Error(`${file.name}: ${file.size} bytes are too many for this page`);
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (isBook(bytes)) await this.takeBook(file.name, bytes);
        else entry = this.sets.take(file.name, bytes, this.game);
      } catch (error) {
        const about = error.message.includes(file.name) ? "" : `${file.name}: `;
        notify(about + error.message, "wrong");
      }
    }
    if (entry) this.playAgainst(entry);
  }

  // Loads an opening book, with its script on first use.
  async takeBook(name, bytes) {
    const { Book } = await import("../engine/js/book.js");
    const book = new Book(name, bytes);
    const { board } = this.game;
    if (board.game !== book.game || board.size !== book.board) this.begin({ game: book.game, board: book.board });
    this.setup.addBook(book);
    this.playBook(book);
    notify(`${name}: engines take their moves from this book.`);
  }

  // Lists the books that come with the program.
  async offerBooks() {
    const reply = await fetch(new URL("../books/index.json", import.meta.url));
    if (reply.ok) this.setup.offerBooks(await reply.json());
  }

  // Makes engines play from a book, loading it if it is one of the program's.
  async chooseBook(book) {
    try {
      if (book?.file) book.read ??= await this.readBook(book);
      this.playBook(book?.read ?? book);
    } catch (error) {
      notify(error.message, "wrong");
    }
  }

  async readBook({ name, file }) {
    const { Book } = await import("../engine/js/book.js");
    const reply = await fetch(new URL(`../books/${file}`, import.meta.url));
    if (!reply.ok) throw new Error(`${name}: the server answers ${reply.status}`);
    const unpacked = new Response(reply.body.pipeThrough(new DecompressionStream("gzip")));
    return new Book(name, new Uint8Array(await unpacked.arrayBuffer()));
  }

  // Makes engines play from a book, or from none.
  playBook(book) {
    this.players.book = book;
    this.players.go();
  }

  // Makes a set the person's opponent, on a board that it supports.
  playAgainst(entry) {
    const { game, players } = this;
    const side = players.names[0] === null || players.names[1] !== null ? 1 : 0;
    players.seat(side, null);
    if (game.board.game !== entry.game || (entry.fits ?? game.board.size) !== game.board.size) {
      this.begin({ game: entry.game, board: entry.fits ?? entry.board ?? undefined });
    }
    this.seat(side, entry.name);
    this.analysis.offer();
    this.explain.offer();
    notify(`${label(entry)} plays ${game.rules.sides[side]}.`);
  }

  // The listed set that an address names; null if it names none.
  named(name) {
    if (name === null || name === NOBODY) return null;
    const entry = this.sets.find(name);
    if (!entry) notify(`set \`${name}\`: not in the list of this page`, "wrong");
    return entry ?? null;
  }

  // Begins with the state in the address: sets, game, board, position, moves, the number of moves
  // made, and analysis without an opponent.
  start(query) {
    // A page with exported sets begins with the first of them.
    const own = [...query].length ? null : this.sets.first(OWN);
    const [first, second] = ["first", "set"].map((key) => this.named(query.get(key)));
    const entry = second ?? first ?? own;
    const [{ name: usual }] = this.game.games;
    const game = entry?.game ?? query.get("game") ?? usual;
    const board = query.get("board") ?? entry?.fits ?? entry?.board ?? undefined;
    this.begin({ game, board, fen: query.get("fen") ?? undefined });
    if (!this.shown) this.begin({ game: usual });
    this.replay(query.get("moves"));
    if (query.has("ply")) this.game.goTo(Number(query.get("ply")));
    const { game: begun, size } = this.game.board;
    this.isStarted = true;
    const isAnalysed = query.has("analyse");
    const isNobody = isAnalysed || query.get("set") === NOBODY;
    const fits = (set) => this.sets.of(begun, size).includes(set);
    this.noteUnused(query.get("game"), [first, second].filter(Boolean), fits);
    if (fits(first)) this.players.seat(0, first.name);
    this.seat(1, isNobody ? null : [second, own].find(fits)?.name ?? this.sets.strongest(begun, size));
    if (isAnalysed) this.analysis.turn(true);
  }

  // Says which parts of an address the page does not use, since others contradict them.
  noteUnused(named, sets, fits) {
    const { game, size } = this.game.board;
    for (const set of sets.filter((set) => !fits(set))) {
      notify(`${label(set)}: a set of ${set.game}${set.fits ? ` on ${set.fits}` : ""}, which does not play ${game} on ${size}`, "wrong");
    }
    if (named !== null && named !== game && sets.some(fits)) notify(`The address names the game ${named}, but its set plays ${game}.`, "wrong");
  }

  // Plays the moves of an address as far as they are legal.
  replay(text) {
    try {
      for (const move of (text ?? "").split(/\s+/).filter(Boolean)) this.game.play(move);
    } catch (error) {
      notify(error.message, "wrong");
    }
  }
}

const place = document.querySelector("#page");
try {
  const [engine, entries] = await Promise.all([load(), Weights.shipped()]);
  const page = new Page(place, engine, entries);
  page.start(new URLSearchParams(location.search));
  // Without books the page still works.
  page.offerBooks().catch(() => {});
} catch (error) {
  replace(place, h("h1", {}, "This page cannot be shown"), h("p", {}, error.message));
}
