/**
 * Asking the server: with the version that the page came with, so that nothing is put together from
 * two of them, and with patience, so that a server that is away or busy is asked again by itself.
 */
import { LONGEST } from "../../common/drafts.js";
import { VERSION } from "../../common/renewed.js";

const FIRST_WAIT = 250; // milliseconds; doubled with each attempt that fails
const LONGEST_WAIT = 4000;
/** Statuses that are others a moment later. */
export const PASSING = new Set([429, 502, 503, 504]);
const GONE = 410;

/** @typedef {(words: string | null) => void} Say  what is in the way, or that nothing is any more */

export class Refused extends Error {
  /** @param {string} message @param {string} field @param {import("./types.js").Texts} [fitted] as in a setup that is not refused */
  constructor(message, field, fitted) {
    super(message);
    this.field = field;
    this.fitted = fitted;
  }
}

/** The server will not do it now, but may later. */
export class Busy extends Refused {}

/** The server is another one than that which made this page. */
export class Renewed extends Refused {
  constructor() {
    super("Gradlens was renewed while this page was open. Reload the page to go on.", "spec");
  }
}

/** An address below /train. @param {string} name @param {string} query @param {Record<string, string | number>} more */
export function pathTo(name, query, more = {}) {
  const rest = Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const all = [query, ...rest].filter(Boolean).join("&");
  return `/train${name && `/${name}`}${all && `?${all}`}`;
}

/** Where to ask for it: links never have the version in them. @param {string} path */
export const versioned = (path) => (VERSION ? `/v/${VERSION}${path}` : path);

/** Waiting times that grow, and differ from page to page: a class does not come back all at once. */
export class Patience {
  constructor() {
    this.next = FIRST_WAIT;
  }

  /** How long to wait now, in milliseconds. @param {Response | null} [answer] that may say it */
  wait(answer = null) {
    const asked = 1000 * Number(answer?.headers.get("retry-after") || 0);
    const wait = Math.max(this.next, asked || 0) * (0.75 + Math.random() / 2);
    this.next = Math.min(2 * this.next, LONGEST_WAIT);
    return wait;
  }
}

/** @type {Set<object>} requests that wait for the server */ const waiting = new Set();

/** What stands in the page's notice. @type {Say} */
let tell = () => {};
let renewed = () => {};

/** Who is told that the server is away, and that it was renewed. @param {Say} onTrouble @param {() => void} onRenewed */
export function watch(onTrouble, onRenewed) {
  tell = onTrouble;
  renewed = onRenewed;
}

/** The answer at an address, once there is one. Throws Refused for what the server will not do.
 * @template T @param {string} path @param {AbortSignal | undefined} signal @param {(answer: Response) => Promise<T>} take
 * @param {Say} [say] @param {Set<number>} [passing] statuses after which it is asked again @returns {Promise<T>} */
async function patiently(path, signal, take, say, passing = PASSING) {
  if (path.length > LONGEST) throw new Refused(`This is too long to be asked for: ${path.length.toLocaleString("en")} characters, of at most ${LONGEST.toLocaleString("en")}. Take fewer rows, or fewer digits.`, "rows");
  const patience = new Patience();
  const me = {};
  try {
    for (;;) {
      const answer = await fetch(versioned(path), { signal, headers: { accept: "application/json" } }).catch(lost(signal));
      const found = answer && !passing.has(answer.status) ? await taken(answer, take).catch(lost(signal)) : null;
      if (found) return found.value;
      const why = answer && !answer.ok ? await busyWords(answer) : "The server does not answer.";
      signal?.throwIfAborted();
      if (!say) waiting.add(me);
      (say ?? tell)(`${why} Trying again…`);
      await pause(patience.wait(answer), signal);
    }
  } finally {
    if (waiting.delete(me) && !waiting.size) tell(null);
  }
}

/** Errors of a connection that is lost are met with patience. @param {AbortSignal | undefined} signal */
const lost = (signal) => (/** @type {unknown} */ error) => {
  if (signal?.aborted || error instanceof Refused) throw error;
  return null;
};

/** @template T @param {Response} answer @param {(answer: Response) => Promise<T>} take */
async function taken(answer, take) {
  if (answer.ok) return { value: await take(answer) };
  throw await refusal(answer);
}

/** Why the server will not do it. @param {Response} answer */
export async function refusal(answer) {
  if (answer.status === GONE) {
    renewed();
    return new Renewed();
  }
  const { detail, field, fitted } = await problem(answer);
  const Kind = PASSING.has(answer.status) ? Busy : Refused;
  return new Kind(detail || `The server answered with ${answer.status}.`, field || "spec", fitted);
}

/** Why the server will not do it now: in its own words, if it has some. @param {Response} answer */
export async function busyWords(answer) {
  return (await problem(answer).catch(() => null))?.detail || "The server is busy.";
}

/** The problem details of an answer; a proxy in front has none. @param {Response} answer @returns {Promise<{detail?: string, field?: string, fitted?: import("./types.js").Texts}>} */
async function problem(answer) {
  const text = await answer.text();
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** @param {number} wait milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
function pause(wait, signal) {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, wait);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The JSON at an address. Throws Refused for what the server will not do.
 * @param {string} path @param {AbortSignal} [signal] @param {Say} [say] @returns {Promise<any>} */
export function ask(path, signal, say) {
  return patiently(path, signal, (answer) => answer.json(), say);
}

/** The JSON at an address that is much work: a server that is busy is not asked again by itself. Throws as `ask` does.
 * @param {string} path @param {AbortSignal} signal @param {Say} say @returns {Promise<any>} */
export function askOnce(path, signal, say) {
  return patiently(path, signal, (answer) => answer.json(), say, new Set());
}

/** The text at an address. Throws as `ask` does. @param {string} path @param {AbortSignal} [signal] */
export function askText(path, signal) {
  return patiently(path, signal, (answer) => answer.text());
}
