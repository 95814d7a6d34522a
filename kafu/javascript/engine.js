// @ts-check
/**
 * The rules of Kafu in JavaScript: the Python library in a worker, for browsers and Node 20.16 or later.
 *
 * `Engine.start` loads Pyodide and the library once. README.md says where their files are.
 */

/** The version of the library that this module works with. */
export const VERSION = "0.5.0";

/** An error of the library, with its place in the game, or a failure of the engine itself. */
export class EngineError extends Error {
  constructor({ code, message, line = null, column = null, deal = null, turn = null, expected = [] }) {
    super(message);
    this.name = "EngineError";
    Object.assign(this, { code, line, column, deal, turn, expected });
  }
}

/** Starts the worker, in Node as a thread; `receive` gets its messages, `fail` what it failed of. */
function startWorker(receive, fail) {
  const address = new URL("./engine_worker.js", import.meta.url);
  const threads = /** @type {any} */ (globalThis).process?.getBuiltinModule?.("node:worker_threads");
  if (threads) {
    const thread = new threads.Worker(address, { execArgv: [] }); // without `--input-type` and the like
    thread.on("message", receive);
    thread.on("error", (error) => fail(error.message));
    return thread;
  }
  const worker = new Worker(address, { type: "module" });
  worker.addEventListener("message", ({ data }) => receive(data));
  worker.addEventListener("error", ({ message }) => fail(message || "the worker did not start"));
  return worker;
}

export class Engine {
  #worker;
  #waiting = new Map();
  #number = 0;
  #failure = null;

  constructor() {
    this.#worker = startWorker(
      (message) => this.#receive(message),
      (reason) => this.#fail(reason),
    );
  }

  /**
   * Loads the engine. `base` is the folder with engine.json, by default `engine/` next to this module.
   * `onProgress` is called with the loaded share, from 0 to 1. Throws EngineError `engine-failed` if a
   * file is missing, altered or of another version.
   */
  static async start({ base = new URL("./engine/", import.meta.url), onProgress = undefined } = {}) {
    const folder = new URL(String(base).replace(/\/?$/, "/"), globalThis.location?.href ?? import.meta.url);
    const engine = new Engine();
    try {
      await engine.#send({ start: folder.href, version: VERSION }, onProgress);
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  /** Returns the JSON form of the game in a text: Kafu, its JSON form, or a log of another program. */
  read(text) {
    return this.call("read", { text });
  }

  /** Returns the canonical text of a game. */
  write(text) {
    return this.call("write", { text });
  }

  /** Returns the verdict on a game, with messages in `lang` ("en" or "ja"). */
  verify(text, { lang = "en" } = {}) {
    return this.call("verify", { text, lang });
  }

  /** Returns all deals step by step, up to the end or the first fault. */
  replay(text, { lang = "en" } = {}) {
    return this.call("replay", { text, lang });
  }

  /** Returns the table after the last step of a game, and of a turn begun after it, with the legal actions. */
  legal(text, { begun = "" } = {}) {
    return this.call("legal", { text, begun });
  }

  /** Returns a game after a legal action: its text, and the turn that the action began. */
  apply(text, action, { begun = "" } = {}) {
    return this.call("apply", { text, action, begun });
  }

  /** Returns the analysis of a game. At most `most` deals are sampled for a comparison. */
  analyse(text, { seed = 0, most = null } = {}) {
    return this.call("analyse", { text, seed, most });
  }

  /** Returns the score sheet of a game: its payments without its cards. */
  sheet(text) {
    return this.call("sheet", { text });
  }

  /** Calls a function of the module that engine.json names, by default those above, with an object. */
  call(name, parameters) {
    return this.#send({ name, parameters: JSON.stringify(parameters) });
  }

  /** Ends the worker. Calls that wait are rejected. */
  close() {
    this.#worker.terminate();
    this.#fail("the engine is closed");
  }

  #send(message, onProgress = undefined) {
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure;
      const number = ++this.#number;
      this.#waiting.set(number, { resolve, reject, onProgress });
      this.#worker.postMessage({ number, ...message }, []);
    });
  }

  #receive({ number, share, value, error }) {
    const call = this.#waiting.get(number);
    if (!call) return;
    if (share !== undefined) {
      call.onProgress?.(share);
      return;
    }
    this.#waiting.delete(number);
    if (error) call.reject(new EngineError(error));
    else call.resolve(value);
  }

  #fail(message) {
    this.#failure ??= new EngineError({ code: "engine-failed", message });
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
