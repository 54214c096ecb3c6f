/** Asking again by itself: the later the longer the server is away, and not all pages at once. */

const WAITS = [1000, 8000]; // milliseconds: at first, at most

export class Retry {
  /** @param {() => void} ask for all of it again */
  constructor(ask) {
    this.ask = ask;
    this.wait = WAITS[0];
    /** Whether the last answer is still owed. */ this.isAway = false;
    /** @type {number | undefined} */ this.timer = undefined;
    window.addEventListener("online", () => this.isAway && this.now());
  }

  now() {
    clearTimeout(this.timer);
    this.ask();
  }

  /** @param {number} asked milliseconds that the server asks for; 0 or NaN where it does not say */
  later(asked) {
    clearTimeout(this.timer);
    this.isAway = true;
    this.timer = window.setTimeout(() => this.now(), Math.max(this.wait, asked || 0) * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, WAITS[1]);
  }

  /** Ask no more. */
  end() {
    clearTimeout(this.timer);
    this.isAway = false;
  }

  /** The server has answered: ask no more, and soon the next time. */
  reset() {
    this.end();
    this.wait = WAITS[0];
  }
}
