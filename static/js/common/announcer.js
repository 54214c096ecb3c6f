/** The live region for screen readers. */
import { at, write } from "./elements.js";

const PAUSE = 400; // milliseconds of debounce; announcements within it are joined

/** @type {number | undefined} */ let timer;
/** @type {Map<string, string>} */ const unsaid = new Map();

/** Announce to screen readers; debounced: only the last of several quick messages on a topic.
 * @param {string} text @param {string} about the topic */
export function announce(text, about = text) {
  unsaid.set(about, text);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    write(at("announcer"), [...unsaid.values()].join(" "));
    unsaid.clear();
  }, PAUSE);
}
