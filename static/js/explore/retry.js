/** Retries with exponential backoff and jitter. */

const WAITS = [1000, 8000]; // first and longest delay in milliseconds

export class Retry {
  /** @param {() => void} ask repeats the request */
  constructor(ask) {
    this.ask = ask;
    this.wait = WAITS[0];
    /** Whether the last request is still unanswered. */ this.isAway = false;
    /** @type {number | undefined} */ this.timer = undefined;
    window.addEventListener("online", () => this.isAway && this.now());
  }

  now() {
    clearTimeout(this.timer);
    this.ask();
  }

  /** @param {number} asked the server's Retry-After in milliseconds; 0 or NaN without one */
  later(asked) {
    clearTimeout(this.timer);
    this.isAway = true;
    this.timer = window.setTimeout(() => this.now(), Math.max(this.wait, asked || 0) * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, WAITS[1]);
  }

  /** Cancel the retry. */
  end() {
    clearTimeout(this.timer);
    this.isAway = false;
  }

  /** The server has responded: cancel the retry and reset the backoff. */
  reset() {
    this.end();
    this.wait = WAITS[0];
  }
}
