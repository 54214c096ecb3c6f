/**
 * States from the server: one by one, or as a stream that survives lost connections.
 *
 * The browser's own way of connecting again gives up when the server answers with an error, and knows
 * nothing of the steps that were drawn; so the stream is opened anew from the last step that arrived.
 */
import { snapshotOf, logOf } from "./decode.js";
import { PASSING, Patience, ask, busyWords, pathTo, refusal, versioned } from "./server.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Listener} Listener */
/** @typedef {import("./types.js").Speed} Speed */

const [BUSY, REFUSED, FAILED] = [503, 400, 500];

/** @implements {Source} @typedef {import("./types.js").Source} Source */
export class Server {
  /** @param {string} query the run's, edits included */
  constructor(query) {
    this.query = query;
    /** @type {EventSource | null} */ this.events = null;
    /** @type {number | undefined} */ this.timer = undefined;
    this.last = 0;
    this.patience = new Patience();
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] */
  async state(step, losses, signal) {
    /** @type {Answer} */
    const answer = await ask(pathTo("state", this.query, { step, ...(losses ? { losses: 1 } : {}) }), signal);
    return { snapshot: snapshotOf(answer), log: logOf(answer) };
  }

  /** @param {number} from @param {Speed} speed @param {Listener} listener */
  start(from, speed, listener) {
    this.stop();
    this.last = from;
    this.patience = new Patience();
    this.#open(speed, listener);
  }

  /** @param {Speed} speed @param {Listener} listener */
  #open(speed, listener) {
    const path = versioned(pathTo("stream", this.query, { from: this.last, ...speed }));
    const events = new EventSource(path);
    let isOpen = false;
    this.events = events;
    events.addEventListener("open", () => (isOpen = true));
    events.addEventListener("state", (event) => {
      if (this.events !== events) return;
      /** @type {Answer} */ const answer = JSON.parse(event.data);
      if (answer.step <= this.last) return; // never twice
      this.last = answer.step;
      this.patience = new Patience();
      listener.onTrouble(null);
      listener.onSnapshot(snapshotOf(answer), logOf(answer));
    });
    events.addEventListener("done", () => {
      if (this.events !== events) return;
      this.stop();
      listener.onDone();
    });
    events.addEventListener("error", () => {
      if (this.events !== events) return;
      events.close();
      this.#again(events, speed, listener, isOpen ? "" : path);
    });
  }

  /** After an error: soon, or once it is known why. @param {EventSource} events @param {Speed} speed @param {Listener} listener @param {string} path to ask at, if no answer came */
  async #again(events, speed, listener, path) {
    listener.onTrouble(`The connection is lost at step ${this.last}. Trying again…`);
    const answer = path ? await reason(path) : null;
    if (this.events !== events) return;
    if (answer?.status === BUSY) {
      const why = await busyWords(answer);
      if (this.events !== events) return;
      listener.onTrouble(`${why} This is step ${this.last}. Trying again…`);
    }
    else if (answer && !PASSING.has(answer.status) && answer.status >= REFUSED && answer.status < FAILED) {
      const why = await refusal(answer);
      if (this.events === events) listener.onRefused(why);
      return;
    }
    this.timer = window.setTimeout(() => this.#open(speed, listener), this.patience.wait(answer));
  }

  stop() {
    clearTimeout(this.timer);
    this.events?.close();
    this.events = null;
  }
}

/** Why a stream did not begin, which an EventSource does not say. @param {string} path @returns {Promise<Response | null>} null: there is no answer */
async function reason(path) {
  const asking = new AbortController();
  try {
    const answer = await fetch(path, { signal: asking.signal, cache: "no-store" });
    if (!answer.ok) return answer;
  } catch {
    // It is away.
  }
  asking.abort(); // it would be a second stream
  return null;
}
