// The weight sets that can be played with: the list's, and files that were dropped on the page.

const FILE = "file:";

export class Sets {
  // The classes come from the package.
  constructor({ Weights, Engine }, EngineWorker, entries) {
    Object.assign(this, { Weights, Engine, EngineWorker, entries });
    this.files = new Map();
    this.read = new Map();
  }

  find(name) {
    return this.entries.find((set) => set.name === name);
  }

  // The first set whose name begins so.
  first(prefix) {
    return this.entries.find((set) => set.name.startsWith(prefix)) ?? null;
  }

  // Whether others who open the page find it in the list too.
  isListed(name) {
    return !name.startsWith(FILE) && this.find(name) !== undefined;
  }

  // What a set is called on the page.
  label(name) {
    return label(this.find(name) ?? { name });
  }

  // The sets for a board.
  of(game, board) {
    return this.entries.filter((set) => set.game === game && (set.fits === null || set.fits === board));
  }

  // The set of the list that plays a board best, as far as its name tells.
  strongest(game, board) {
    const sets = this.of(game, board);
    return (this.Weights.strongestOf(sets, game, board) ?? sets[0]).name;
  }

  // Takes a weight file, and gives the line for it. Throws what is wrong with it.
  take(file, bytes) {
    const weights = new this.Weights(bytes, file);
    // An engine also checks that the game has these features.
    new this.Engine(weights, { hash: 1 }).free();
    const name = FILE + file;
    const entry = { name, game: weights.game, board: weights.board, fits: weights.fits, bytes: bytes.length, usual: false };
    this.files.set(name, bytes);
    this.read.set(name, Promise.resolve(weights));
    this.entries = [entry, ...this.entries.filter((set) => set.name !== name)];
    return entry;
  }

  // An engine in a worker.
  start(name, board, hash) {
    const bytes = this.files.get(name);
    return bytes ? this.EngineWorker.start(bytes, { board, hash, place: this.label(name) }) : this.EngineWorker.start(name, { board, hash });
  }

  // The weights themselves.
  async weights(name) {
    if (!this.read.has(name)) {
      const reading = this.Weights.named(name);
      this.read.set(name, reading);
      reading.catch(() => this.read.delete(name));
    }
    return this.read.get(name);
  }
}

// What a set is called on the page.
export function label({ name, title }) {
  if (title) return title;
  return name.startsWith(FILE) ? name.slice(FILE.length) : name.slice(name.indexOf("/") + 1);
}

// The kind of a set, for lists.
export function kind(name) {
  if (name.startsWith(FILE)) return "Your files";
  return { runs: "Runs", own: "Own sets" }[name.split("/")[0]] ?? "Shipped sets";
}
