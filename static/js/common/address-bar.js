/** The address of a page, written as it changes: soon, once for many changes, and never too often. */

const PAUSE = 350; // browsers refuse more than about a hundred changes of the address in half a minute
const BURST = 4000; // changes that follow each other within this time are one step back in the history

export class Link {
  /** @param {() => string} now the page's link, as it is now @param {() => void} onWrite */
  constructor(now, onWrite = () => {}) {
    this.now = now;
    this.onWrite = onWrite;
    /** @type {number | undefined} */ this.timer = undefined;
    this.pushedAt = -Infinity;
    /** While the page is on its way to where the back button leads, its state is not this address's. */
    this.held = false;
  }

  get link() {
    return this.now();
  }

  /** Soon, and only once for many changes. */
  note() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), PAUSE);
  }

  /** Now: before a link is copied, for one. */
  write() {
    clearTimeout(this.timer);
    this.#change("replaceState");
  }

  /** Another program, another run: the one before it stays reachable with the back button.
   * @param {string} [before] what the back button is to lead to, if it is not what the address says now */
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
      // The browser may refuse for a while; the next change writes it all.
    }
  }
}
