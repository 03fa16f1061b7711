// Engines that think: for the players of a game, and for analysis.

// An engine that does one search at a time; a new one takes the place of the one under way.
export class Thinker {
  #start;
  #worker = null;
  #running = null;
  #wanted = 0;

  // `start` gives an EngineWorker, and is called when the first search is wanted.
  constructor(start) {
    this.#start = start;
  }

  // What the search finds; null where another or none is wanted meanwhile.
  async search(position, limits, onDepth) {
    this.#wanted += 1;
    const wanted = this.#wanted;
    const isWanted = () => wanted === this.#wanted;
    await this.#halt();
    if (!isWanted()) return null;
    const worker = await this.#begun();
    if (!isWanted()) return null;
    const running = worker.search(position, limits, (report) => isWanted() && onDepth?.(report));
    const settled = running.then(() => {}, () => {});
    this.#running = settled;
    try {
      const found = await running;
      return isWanted() ? found : null;
    } finally {
      if (this.#running === settled) this.#running = null;
    }
  }

  #begun() {
    if (!this.#worker) {
      const begun = this.#start();
      this.#worker = begun;
      begun.catch(() => { this.#worker = null; });
    }
    return this.#worker;
  }

  async #halt() {
    while (this.#running) {
      const running = this.#running;
      await (await this.#worker).stop();
      await running;
    }
  }

  // Ends the search, if there is one.
  async stop() {
    this.#wanted += 1;
    await this.#halt();
  }

  // Ends the engine.
  async end() {
    this.#wanted += 1;
    const worker = this.#worker;
    this.#worker = null;
    await (await worker?.catch(() => null))?.terminate().catch(() => {});
  }
}

// How long a move of the book waits, in milliseconds, so that one sees what was played.
const BOOK_WAIT = 300;

// Who plays the two sides: a person (null) or a set by its name.
export class Players {
  // `tell` is called with the report of a search and its side; `fail` with an error.
  constructor(game, sets, { tell, fail }) {
    Object.assign(this, { game, sets, tell, fail, names: [null, null], limits: { movetime: 1000 }, book: null, isPaused: false });
    this.thinkers = [null, null];
    this.thinking = null;
  }

  seat(side, name) {
    if (this.names[side] === name) return;
    this.names[side] = name;
    this.thinkers[side]?.end();
    this.thinkers[side] = null;
  }

  // After the board has changed, whose engines know no other.
  reset() {
    for (const side of [0, 1]) {
      this.thinkers[side]?.end();
      this.thinkers[side] = null;
    }
  }

  get isPerson() {
    return this.names[this.game.turn] === null;
  }

  // Whether an engine is to move, or would be, were the game not paused.
  get isEngines() {
    const { game } = this;
    return !this.isPerson && game.isAtEnd && !game.board.isGameOver();
  }

  // Lets the engine think whose turn it is; what was thought about another position is dropped.
  async go() {
    const { game } = this;
    const side = game.turn;
    for (const thinker of this.thinkers) thinker?.stop();
    clearTimeout(this.due);
    this.thinking = null;
    if (!this.isEngines || this.isPaused) return;
    const known = this.book?.choose(game.board);
    if (known) {
      this.due = setTimeout(() => this.playKnown(known, side), BOOK_WAIT);
      return;
    }
    const name = this.names[side];
    const thinker = this.thinkers[side] ??= new Thinker(() => this.sets.start(name, game.board.size, 16));
    this.thinking = side;
    try {
      const found = await thinker.search(game.position, this.limits, (report) => this.tell(report, side));
      if (!found) return;
      this.thinking = null;
      this.tell(found, side);
      game.play(found.best);
    } catch (error) {
      this.thinking = null;
      if (this.thinkers[side] !== thinker) return;
      this.isPaused = true;
      this.fail(error);
    }
  }

  // Plays a move of the book.
  playKnown(known, side) {
    this.tell(known, side);
    this.game.play(known.move);
  }
}
