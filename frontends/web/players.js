// Engines in workers, for the players of a game and for analysis.

// An engine that runs one search at a time; a new search replaces the current one.
export class Thinker {
  #start;
  #worker = null;
  #running = null;
  #wanted = 0;

  // `start` creates an EngineWorker; it is called for the first search.
  constructor(start) {
    this.#start = start;
  }

  // The result of the search; null if it was replaced or stopped meanwhile.
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

  // Stops the search if there is one.
  async stop() {
    this.#wanted += 1;
    await this.#halt();
  }

  // Ends the engine and its worker.
  async end() {
    this.#wanted += 1;
    const worker = this.#worker;
    this.#worker = null;
    await (await worker?.catch(() => null))?.terminate().catch(() => {});
  }
}

// The delay of a book move in milliseconds, so that users can follow the game.
const BOOK_WAIT = 300;

// The players of the two sides: a person (null) or a set by its name.
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

  // Ends all engines after a change of board, which they do not support.
  reset() {
    for (const side of [0, 1]) {
      this.thinkers[side]?.end();
      this.thinkers[side] = null;
    }
  }

  get isPerson() {
    return this.names[this.game.turn] === null;
  }

  // Whether an engine is to move, even if the game is paused.
  get isEngines() {
    const { game } = this;
    return !this.isPerson && game.isAtEnd && !game.board.isGameOver();
  }

  // Starts the engine whose turn it is, and drops searches of other positions.
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

  // Plays a move from the book.
  playKnown(known, side) {
    this.tell(known, side);
    this.game.play(known.move);
  }
}
