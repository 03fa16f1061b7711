// An engine in a separate thread, so that the page stays responsive during a search.

import { BUNDLED, Weights, boardOptions, checkLimits, compiled, folderOf, isNode, optionsOf } from "./index.js";

/** Creates a worker with the same few methods in browsers and in Node. */
async function begin(base, listen, fail) {
  if (isNode) {
    const name = ["node:worker", "threads"].join("_");
    const threads = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
    const here = import.meta.url;
    const worker = new threads.Worker(new URL("worker-main.js", here));
    worker.on("message", listen);
    worker.on("error", fail);
    return worker;
  }
  const worker = base
    ? workerAt(new URL("js/worker-main.js", base))
    : new Worker(new URL("./worker-main.js", import.meta.url), { type: "module" });
  worker.onmessage = (event) => listen(event.data);
  worker.onerror = (event) => {
    const place = base ? new URL("js/worker-main.js", base).href : "the worker's script";
    const remedy = base ? "see that the package's folder is there" : BUNDLED;
    fail(new Error(`${event.message ?? `${place} cannot be read`}; ${remedy}`));
  };
  return worker;
}

/** Creates a worker from the address of its script, which may be on another server. */
function workerAt(script) {
  if (script.origin === globalThis.location.origin) return new Worker(script, { type: "module" });
  const text = `import ${JSON.stringify(script.href)};`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}

/** An engine in a worker. Create it with `EngineWorker.start`. */
export class EngineWorker {
  #worker;
  #base;
  #settings;
  #flag =
    typeof SharedArrayBuffer === "undefined" ? null : new Int32Array(new SharedArrayBuffer(4));
  #open = new Map();
  #last = 0;
  #searching = null;
  /** The error that ended the worker; null while it lives. */
  #ended = null;

  /**
   * Starts a worker with an engine. `weights` is the name of a package set, the bytes or the object
   * of a file, or Weights. `base` is the address of the package's folder, needed if a bundler has
   * moved this code.
   */
  static async start(weights, options) {
    const { board, hash = 16, place = "the weights", base } =
      optionsOf(options, ["board", "hash", "place", "base"], "worker option");
    const made = new EngineWorker();
    made.#base = isNode ? null : folderOf(base);
    made.#settings = { weights: Weights.fileOf(weights), board, hash, place, base: made.#base?.href };
    try {
      await made.#launch();
    } catch (error) {
      await made.#worker?.terminate();
      throw error;
    }
    return made;
  }

  async #launch() {
    await new Promise((resolve, reject) => {
      const listen = (message) => (message.ready ? resolve() : this.#hear(message));
      const fail = (error) => {
        reject(error);
        this.#end(error);
      };
      begin(this.#base, listen, fail).then((worker) => (this.#worker = worker), reject);
    });
    await this.#ask("prepare", { ...this.#settings, wasm: compiled });
  }

  #ask(request, rest, onDepth) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const message = { id, request, ...rest };
      this.#open.set(id, { resolve, reject, onDepth, message, report: null });
      this.#worker.postMessage(message);
    });
  }

  #hear({ id, report, answer, error }) {
    const asked = this.#open.get(id);
    if (!asked) return;
    if (report) return this.#tell(asked, report);
    this.#open.delete(id);
    if (error === undefined) asked.resolve(answer);
    else asked.reject(new Error(error));
  }

  /** Calls `onDepth`. An exception ends the search, which then fails with it. */
  #tell(asked, report) {
    asked.report = report;
    try {
      asked.onDepth?.(report);
    } catch (error) {
      asked.onDepth = null;
      asked.resolve = () => asked.reject(error);
      this.stop().catch(asked.reject);
    }
  }

  /** Fails all pending and later requests. */
  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  /**
   * Searches a position: a `Board`, { game, board, fen, moves }, or the name of a game. Only one
   * search at a time.
   */
  async search(position, limits, onDepth) {
    if (this.#searching) throw new Error("a search is under way; stop it first");
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    const request = {
      ...describe(position),
      limits: checkLimits(limits),
      stop: this.#flag ?? undefined,
    };
    const searching = this.#ask("search", request, onDepth);
    this.#searching = this.#last;
    try {
      return await searching;
    } finally {
      this.#searching = null;
    }
  }

  /**
   * Ends the running search, which returns its result so far. If threads cannot share memory (on a
   * page that is not cross-origin isolated), the worker is replaced: the result is then the last
   * completed depth, and the engine loses its memory.
   */
  async stop() {
    const asked = this.#open.get(this.#searching);
    if (!asked) return;
    if (this.#flag) {
      Atomics.store(this.#flag, 0, 1);
      return;
    }
    // The first depth is nearly instant, and without it there would be no move.
    while (!asked.report && this.#open.has(this.#searching)) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (!this.#open.delete(this.#searching)) return;
    this.#worker.terminate();
    const waiting = [...this.#open.values()];
    await this.#launch();
    for (const { message } of waiting) this.#worker.postMessage(message);
    asked.resolve(asked.report);
  }

  /** The static value of a position, term by term. Waits for the running search. */
  async explain(position) {
    return this.#ask("explain", describe(position));
  }

  /** Clears all memory, as before each game. */
  clear() {
    return this.#ask("clear", {});
  }

  /** Ends the worker thread. */
  async terminate() {
    this.#end(new Error("the worker was ended; start another one"));
    await this.#worker.terminate();
  }
}

/** A position as a message. Its moves let the engine recognize repetitions. */
function describe(position) {
  if (typeof position?.fen !== "function") return boardOptions(position, "moves");
  return {
    game: position.game,
    board: position.size,
    fen: position.startFen,
    moves: position.history(),
  };
}
