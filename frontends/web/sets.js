// The available weight sets: those in the list, and files dropped on the page.

const FILE = "file:";

export class Sets {
  // The classes come from the npm package.
  constructor({ Weights, Engine }, EngineWorker, entries) {
    Object.assign(this, { Weights, Engine, EngineWorker, entries });
    this.files = new Map();
    this.read = new Map();
  }

  find(name) {
    return this.entries.find((set) => set.name === name);
  }

  // The first set whose name has this prefix.
  first(prefix) {
    return this.entries.find((set) => set.name.startsWith(prefix)) ?? null;
  }

  // Whether other visitors of the page have this set too.
  isListed(name) {
    return !name.startsWith(FILE) && this.find(name) !== undefined;
  }

  // The name of a set as the page shows it.
  label(name) {
    return label(this.find(name) ?? { name });
  }

  // The sets that can play a board.
  of(game, board) {
    return this.entries.filter((set) => set.game === game && (set.fits === null || set.fits === board));
  }

  // The strongest listed set for a board, judged by its name.
  strongest(game, board) {
    const sets = this.of(game, board);
    return (this.Weights.strongestOf(sets, game, board) ?? sets[0]).name;
  }

  // Loads a weight file and returns its entry; throws if it is invalid, or of no game of the page.
  take(file, bytes, game) {
    const weights = new this.Weights(bytes, file);
    if (!game.games.some(({ name }) => name === weights.game)) throw game.unknown(`a set of ${weights.game}`);
    // Creating an engine also checks the set's features.
    new this.Engine(weights, { hash: 1 }).free();
    const name = FILE + file;
    const entry = { name, game: weights.game, board: weights.board, fits: weights.fits, bytes: bytes.length, usual: false };
    this.files.set(name, bytes);
    this.read.set(name, Promise.resolve(weights));
    this.entries = [entry, ...this.entries.filter((set) => set.name !== name)];
    return entry;
  }

  // Starts an engine in a worker.
  start(name, board, hash) {
    const bytes = this.files.get(name);
    return bytes ? this.EngineWorker.start(bytes, { board, hash, place: this.label(name) }) : this.EngineWorker.start(name, { board, hash });
  }

  // The weights of a set.
  async weights(name) {
    if (!this.read.has(name)) {
      const reading = this.Weights.named(name);
      this.read.set(name, reading);
      reading.catch(() => this.read.delete(name));
    }
    return this.read.get(name);
  }
}

// The name of a set as the page shows it.
export function label({ name, title }) {
  if (title) return title;
  return name.startsWith(FILE) ? name.slice(FILE.length) : name.slice(name.indexOf("/") + 1);
}

// The group of a set in lists.
export function kind(name) {
  if (name.startsWith(FILE)) return "Your files";
  return { runs: "Runs", own: "Own sets" }[name.split("/")[0]] ?? "Shipped sets";
}
