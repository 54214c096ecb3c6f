/** The address of the page: the run, the step, and what is seen of it. */

const PAUSE = 350; // browsers refuse more than about a hundred changes of the address in half a minute
const BURST = 4000; // changes that follow each other within this time are one step back in the history

/** What of an address is not the run's. */
const OWN = new Set(["right", "step", "pin", "scale", "speed", "hide", "tab", "phase"]);

/** The parts of an address. @param {string} search */
export function read(search) {
  const params = new URLSearchParams(search);
  const run = new URLSearchParams([...params].filter(([name]) => !OWN.has(name)));
  return {
    run: String(run),
    step: Math.max(0, Number.parseInt(params.get("step") ?? "0", 10) || 0),
    pins: params.getAll("pin"),
    isLog: params.get("scale") === "log",
    hide: params.get("hide") ?? "",
    speed: params.get("speed") ?? "",
    right: params.get("right") ?? "",
  };
}

export class Address {
  /** @param {() => string} link the page's, as it is now */
  constructor(link) {
    this.link = link;
    /** @type {number | undefined} */ this.timer = undefined;
    this.pushedAt = -Infinity;
  }

  /** Soon, and only once for many changes. */
  note() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), PAUSE);
  }

  write() {
    clearTimeout(this.timer);
    this.#change("replaceState");
  }

  /** Another run: the one before it stays reachable with the back button. */
  push() {
    clearTimeout(this.timer);
    const now = performance.now();
    const isBurst = now - this.pushedAt < BURST;
    this.pushedAt = now;
    this.#change(isBurst ? "replaceState" : "pushState");
  }

  /** @param {"replaceState" | "pushState"} how */
  #change(how) {
    const link = this.link();
    try {
      if (link !== location.pathname + location.search) history[how]({ gradlens: true }, "", link);
    } catch {
      // The browser may refuse for a while; the next change writes it all.
    }
  }
}
