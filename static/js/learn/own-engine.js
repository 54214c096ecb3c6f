/** The reader's own engine, kept in this browser alone: its text, and the pieces that have passed. */

/** @typedef {{text: string, done: string[], isShown: boolean}} Engine  isShown: whether pictures of lessons are drawn by it */

const KEY = "seegrad-engine";

/** @returns {Engine} */
export function engine() {
  try {
    const { text, done, isShown } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { text: typeof text === "string" ? text : "", done: Array.isArray(done) ? done.map(String) : [], isShown: isShown !== false };
  } catch {
    return { text: "", done: [], isShown: true }; // no storage, or not ours
  }
}

/** @param {Partial<Engine>} change */
export function keepEngine(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...engine(), ...change }));
  } catch {
    // Without storage, the engine lives as long as its page; it can be downloaded.
  }
}

export function forgetEngine() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing is kept.
  }
}

/** Send the engine to an address of the course. @param {string} address @param {Record<string, string>} more fields */
export const send = (address, more = {}) =>
  fetch(address, { method: "POST", headers: { "hx-request": "true" }, body: new URLSearchParams({ program: engine().text, ...more }) });
