/**
 * Requests to the server: pinned to the version of the page, so that results of two versions never mix,
 * and retried with exponential backoff while the server is unreachable or busy.
 */
import { LONGEST } from "../../common/drafts.js";
import { VERSION } from "../../common/update-notice.js";

const FIRST_WAIT = 250; // milliseconds; doubled after each failure
const LONGEST_WAIT = 4000;
/** Transient statuses. */
export const PASSING = new Set([429, 502, 503, 504]);
const GONE = 410;
/** What is reported of a server that cannot be reached. */
export const AWAY = "The server does not respond.";

/** @typedef {(words: string | null) => void} Report  reports a problem, or null once it is resolved */

export class Refused extends Error {
  /** @param {string} message @param {string} field @param {import("./types.js").Texts} [fitted] as in a valid setup */
  constructor(message, field, fitted) {
    super(message);
    this.field = field;
    this.fitted = fitted;
  }
}

/** A transient refusal. */
export class Busy extends Refused {}

/** The server has another version than the page. */
export class ServerUpdated extends Refused {
  constructor() {
    super("Seegrad was updated while this page was open. Reload the page to continue.", "spec");
  }
}

/** An address below /train. @param {string} name @param {string} query @param {Record<string, string | number>} more */
export function pathTo(name, query, more = {}) {
  const rest = Object.entries(more).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const all = [query, ...rest].filter(Boolean).join("&");
  return `/train${name && `/${name}`}${all && `?${all}`}`;
}

/** The versioned path of a request; links are never versioned. @param {string} path */
export const versioned = (path) => (VERSION ? `/v/${VERSION}${path}` : path);

/** Exponential backoff with jitter, so that many pages do not retry at once. */
export class Backoff {
  constructor() {
    this.next = FIRST_WAIT;
  }

  /** The next delay in milliseconds, at least the answer's Retry-After. @param {Response | null} [answer] */
  wait(answer = null) {
    const retryAfter = 1000 * Number(answer?.headers.get("retry-after") || 0);
    const wait = Math.max(this.next, retryAfter || 0) * (0.75 + Math.random() / 2);
    this.next = Math.min(2 * this.next, LONGEST_WAIT);
    return wait;
  }
}

/** @type {Set<object>} requests being retried */ const waiting = new Set();

/** Reports to the page's notice. @type {Report} */
let reportProblem = () => {};
let reportUpdate = () => {};

/** Register the callbacks for an unreachable and for an updated server. @param {Report} onProblem @param {() => void} onUpdate */
export function watch(onProblem, onUpdate) {
  reportProblem = onProblem;
  reportUpdate = onUpdate;
}

/** Fetch with retries. Throws Refused for permanent errors.
 * @template T @param {string} path @param {AbortSignal | undefined} signal @param {(answer: Response) => Promise<T>} take
 * @param {Report} [report] @param {Set<number>} [passing] statuses that are retried @returns {Promise<T>} */
async function fetchWithRetries(path, signal, take, report, passing = PASSING) {
  if (path.length > LONGEST) throw new Refused(`The request is too long: ${path.length.toLocaleString("en")} characters, the limit is ${LONGEST.toLocaleString("en")}. Use fewer rows or fewer digits.`, "rows");
  const backoff = new Backoff();
  const request = {};
  try {
    for (;;) {
      const answer = await fetch(versioned(path), { signal, headers: { accept: "application/json" } }).catch(lost(signal));
      const found = answer && !passing.has(answer.status) ? await taken(answer, take).catch(lost(signal)) : null;
      if (found) return found.value;
      const why = answer && !answer.ok ? await busyMessage(answer) : AWAY;
      signal?.throwIfAborted();
      if (!report) waiting.add(request);
      (report ?? reportProblem)(`${why} Trying again…`);
      await pause(backoff.wait(answer), signal);
    }
  } finally {
    if (waiting.delete(request) && !waiting.size) reportProblem(null);
  }
}

/** Treat network errors as transient. @param {AbortSignal | undefined} signal */
const lost = (signal) => (/** @type {unknown} */ error) => {
  if (signal?.aborted || error instanceof Refused) throw error;
  return null;
};

/** @template T @param {Response} answer @param {(answer: Response) => Promise<T>} take */
async function taken(answer, take) {
  if (answer.ok) return { value: await take(answer) };
  throw await refusal(answer);
}

/** The error of a failed answer. @param {Response} answer */
export async function refusal(answer) {
  if (answer.status === GONE) {
    reportUpdate();
    return new ServerUpdated();
  }
  const { detail, form_message, field, fitted } = await problem(answer);
  const Kind = PASSING.has(answer.status) ? Busy : Refused;
  return new Kind(form_message || detail || `The server responded with status ${answer.status}.`, field || "spec", fitted);
}

/** The message of a transient error. @param {Response} answer */
export async function busyMessage(answer) {
  return (await problem(answer).catch(() => null))?.detail || "The server is busy.";
}

/** The problem details of an answer; {} for one from a proxy. @param {Response} answer @returns {Promise<{detail?: string, form_message?: string, field?: string, fitted?: import("./types.js").Texts}>} */
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

/** Fetch JSON. Throws Refused for permanent errors.
 * @param {string} path @param {AbortSignal} [signal] @param {Report} [report] @returns {Promise<any>} */
export function fetchJson(path, signal, report) {
  return fetchWithRetries(path, signal, (answer) => answer.json(), report);
}

/** Fetch JSON of an expensive request, which a busy server should not be retried with. Throws as `fetchJson` does.
 * @param {string} path @param {AbortSignal} signal @param {Report} report @returns {Promise<any>} */
export function fetchJsonOnce(path, signal, report) {
  return fetchWithRetries(path, signal, (answer) => answer.json(), report, new Set());
}

/** Fetch text. Throws as `fetchJson` does. @param {string} path @param {AbortSignal} [signal] @param {Report} [report] */
export function fetchText(path, signal, report) {
  return fetchWithRetries(path, signal, (answer) => answer.text(), report);
}
