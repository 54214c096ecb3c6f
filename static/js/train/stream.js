/**
 * States from the server: one by one, or as a stream that survives lost connections.
 *
 * The browser's own way of connecting again gives up when the server answers with an error, and knows
 * nothing of the steps that were drawn; so the stream is opened anew from the last step that arrived.
 */
import { frameOf, logOf } from "./decode.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Listener} Listener */
/** @typedef {import("./types.js").Speed} Speed */

const FIRST_WAIT = 250; // milliseconds; doubled with each attempt that fails
const LONGEST_WAIT = 4000;

export class Refused extends Error {
  /** @param {string} message @param {string} field */
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

/** The JSON at an address. Throws Refused for what the server will not do.
 * @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function ask(path, signal) {
  const answer = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (answer.ok) return answer.json();
  const problem = await answer.json().catch(() => ({}));
  throw new Refused(problem.detail ?? `The server answered with ${answer.status}.`, problem.field ?? "spec");
}

/** An address below /train. @param {string} name @param {string} query @param {Record<string, string | number>} more */
export function address(name, query, more = {}) {
  const rest = Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const all = [query, ...rest].filter(Boolean).join("&");
  return `/train${name && `/${name}`}${all && `?${all}`}`;
}

/** @implements {Source} @typedef {import("./types.js").Source} Source */
export class Server {
  /** @param {string} query the run's, edits included */
  constructor(query) {
    this.query = query;
    /** @type {EventSource | null} */ this.events = null;
    /** @type {number | undefined} */ this.timer = undefined;
    this.last = 0;
    this.wait = FIRST_WAIT;
  }

  /** @param {number} step @param {boolean} losses @param {AbortSignal} [signal] */
  async state(step, losses, signal) {
    /** @type {Answer} */
    const answer = await ask(address("state", this.query, { step, ...(losses ? { losses: 1 } : {}) }), signal);
    return { frame: frameOf(answer), log: logOf(answer) };
  }

  /** @param {number} from @param {Speed} speed @param {Listener} listener */
  start(from, speed, listener) {
    this.stop();
    this.last = from;
    this.wait = FIRST_WAIT;
    this.#open(speed, listener);
  }

  /** @param {Speed} speed @param {Listener} listener */
  #open(speed, listener) {
    const events = new EventSource(address("stream", this.query, { from: this.last, ...speed }));
    this.events = events;
    events.addEventListener("state", (event) => {
      if (this.events !== events) return;
      /** @type {Answer} */ const answer = JSON.parse(event.data);
      if (answer.step <= this.last) return; // never twice
      this.last = answer.step;
      this.wait = FIRST_WAIT;
      listener.onTrouble(null);
      listener.onFrame(frameOf(answer), logOf(answer));
    });
    events.addEventListener("done", () => {
      if (this.events !== events) return;
      this.stop();
      listener.onDone();
    });
    events.addEventListener("error", () => this.#again(events, speed, listener));
  }

  /** @param {EventSource} events @param {Speed} speed @param {Listener} listener */
  #again(events, speed, listener) {
    if (this.events !== events) return;
    events.close();
    listener.onTrouble(`The connection is lost at step ${this.last}. Trying again…`);
    this.timer = window.setTimeout(() => this.#open(speed, listener), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  stop() {
    clearTimeout(this.timer);
    this.events?.close();
    this.events = null;
  }
}
