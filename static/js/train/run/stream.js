/**
 * The server as source of states: single requests, or a stream that survives lost connections.
 *
 * EventSource stops reconnecting after an HTTP error and does not know which steps arrived, so a new
 * stream is opened from the last step received.
 */
import { Carried } from "./carried.js";
import { snapshotOf, logOf } from "./decode.js";
import { LeanReader } from "./lean.js";
import { EventRate } from "./event-rate.js";
import { PASSING, Backoff, fetchJson, busyMessage, pathTo, refusal, versioned } from "./server.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Listener} Listener */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {import("./types.js").Setup} Setup */

const [BUSY, REFUSED, FAILED] = [503, 400, 500];

/** @implements {Source} @typedef {import("./types.js").Source} Source */
export class Server {
  /** @param {string} query the run's, edits included @param {Setup} setup */
  constructor(query, setup) {
    this.query = query;
    this.setup = setup;
    /** @type {EventSource | null} */ this.events = null;
    /** @type {number | undefined} */ this.timer = undefined;
    this.last = 0;
    this.rate = new EventRate({ every: 1, fps: 1 });
    this.backoff = new Backoff();
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] */
  async state(step, losses, signal) {
    /** @type {Answer} */
    const answer = await fetchJson(pathTo("state", this.query, { step, ...(losses ? { losses: 1 } : {}) }), signal);
    return { snapshot: snapshotOf(answer), log: logOf(answer) };
  }

  /** @param {number} from @param {Look} look @param {Listener} listener */
  start(from, look, listener) {
    this.stop();
    this.last = from;
    this.backoff = new Backoff();
    this.rate = new EventRate(look);
    this.#open(look, listener);
  }

  /** @param {Look} look @param {Listener} listener */
  #open(look, listener) {
    const asked = this.rate.asked;
    const path = versioned(pathTo("stream", this.query, { from: this.last, see: look.see, ...asked, form: "lean" }));
    const events = new EventSource(path);
    const reader = new LeanReader(this.setup, look.see);
    const carried = new Carried(asked);
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
      const isDrawn = listener.onSnapshot(snapshotOf(answer, reader.read(answer)), logOf(answer));
      carried.note(performance.now(), answer.step, answer.late ?? 0);
      listener.onPace(carried.words);
      if (!this.rate.changes(isDrawn && !carried.words) || this.events !== events) return;
      events.close();
      this.#open(look, listener);
    });
    events.addEventListener("done", () => {
      if (this.events !== events) return;
      this.stop();
      listener.onDone();
    });
    events.addEventListener("error", () => {
      if (this.events !== events) return;
      events.close();
      this.#again(events, look, listener, isOpen ? "" : path);
    });
  }

  /** Reconnect with backoff. @param {EventSource} events @param {Look} look @param {Listener} listener @param {string} path to probe for the cause if the stream never opened */
  async #again(events, look, listener, path) {
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
    this.timer = window.setTimeout(() => this.#open(look, listener), this.backoff.wait(answer));
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
