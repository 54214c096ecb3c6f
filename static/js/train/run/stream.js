/**
 * The server as source of states: single requests, or a stream that survives lost connections.
 *
 * EventSource stops reconnecting after an HTTP error and does not know which steps arrived, so a new
 * stream is opened from the last step received.
 */
import { snapshotOf, logOf } from "./decode.js";
import { PASSING, Backoff, fetchJson, busyMessage, pathTo, refusal, versioned } from "./server.js";

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
    this.backoff = new Backoff();
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] */
  async state(step, losses, signal) {
    /** @type {Answer} */
    const answer = await fetchJson(pathTo("state", this.query, { step, ...(losses ? { losses: 1 } : {}) }), signal);
    return { snapshot: snapshotOf(answer), log: logOf(answer) };
  }

  /** @param {number} from @param {Speed} speed @param {Listener} listener */
  start(from, speed, listener) {
    this.stop();
    this.last = from;
    this.backoff = new Backoff();
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
      if (answer.step <= this.last) return; // a duplicate
      this.last = answer.step;
      this.backoff = new Backoff();
      listener.onProblem(null);
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

  /** Reconnect with backoff. @param {EventSource} events @param {Speed} speed @param {Listener} listener @param {string} path to probe for the cause if the stream never opened */
  async #again(events, speed, listener, path) {
    listener.onProblem(`Connection lost at step ${this.last}. Trying again…`);
    const answer = path ? await reason(path) : null;
    if (this.events !== events) return;
    if (answer?.status === BUSY) {
      const why = await busyMessage(answer);
      if (this.events !== events) return;
      listener.onProblem(`${why} This is step ${this.last}. Trying again…`);
    }
    else if (answer && !PASSING.has(answer.status) && answer.status >= REFUSED && answer.status < FAILED) {
      const why = await refusal(answer);
      if (this.events === events) listener.onRefused(why);
      return;
    }
    this.timer = window.setTimeout(() => this.#open(speed, listener), this.backoff.wait(answer));
  }

  stop() {
    clearTimeout(this.timer);
    this.events?.close();
    this.events = null;
  }
}

/** The failed answer of a stream, which EventSource does not expose. @param {string} path @returns {Promise<Response | null>} null: none */
async function reason(path) {
  const asking = new AbortController();
  try {
    const answer = await fetch(path, { signal: asking.signal, cache: "no-store" });
    if (!answer.ok) return answer;
  } catch {
    // The server is unreachable.
  }
  asking.abort(); // it succeeded: close this second stream
  return null;
}
