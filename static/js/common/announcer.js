/** The live region that screen readers read out. */
import { at, write } from "./elements.js";

const PAUSE = 400; // milliseconds within which announcements are read out together

/** @type {number | undefined} */ let timer;
/** @type {Map<string, string>} */ const unsaid = new Map();

/** Announce politely, and not every change of a quick run: of several texts about one thing, the last.
 * @param {string} text @param {string} about */
export function announce(text, about = text) {
  unsaid.set(about, text);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    write(at("announcer"), [...unsaid.values()].join(" "));
    unsaid.clear();
  }, PAUSE);
}
