/** The address of a page, kept in step with its state: debounced and rate-limited. */

const PAUSE = 350; // debounce; browsers reject more than about 100 changes of the address in 30 s
const BURST = 4000; // milliseconds within which successive changes share one history entry

export class Link {
  /** @param {() => string} now the page's current link @param {() => void} onWrite */
  constructor(now, onWrite = () => {}) {
    this.now = now;
    this.onWrite = onWrite;
    /** @type {number | undefined} */ this.timer = undefined;
    this.pushedAt = -Infinity;
    /** Whether writing is suspended: during back navigation the state lags behind the address. */
    this.held = false;
  }

  get link() {
    return this.now();
  }

  /** Schedule a write (debounced). */
  note() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), PAUSE);
  }

  /** Write at once, for example before the link is copied. */
  write() {
    clearTimeout(this.timer);
    this.#change("replaceState");
  }

  /** Add a history entry for another program or run, so that the back button returns to the previous one.
   * @param {string} [before] target of the back button, by default the current address */
  push(before = "") {
    clearTimeout(this.timer);
    const now = performance.now();
    const isBurst = now - this.pushedAt < BURST;
    this.pushedAt = now;
    if (before && !isBurst) this.#set("replaceState", before);
    this.#change(isBurst ? "replaceState" : "pushState");
  }

  hold() {
    clearTimeout(this.timer);
    this.held = true;
  }

  /** @param {"replaceState" | "pushState"} how */
  #change(how) {
    if (this.held) return;
    this.#set(how, this.link);
    this.onWrite();
  }

  /** @param {"replaceState" | "pushState"} how @param {string} link */
  #set(how, link) {
    try {
      if (!this.held && link !== location.pathname + location.search) history[how]({ gradlens: true }, "", link);
    } catch {
      // Rate-limited by the browser; the next change writes the full state.
    }
  }
}
