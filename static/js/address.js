/** The address is the state: what the page shows can always be read from, and written to, its link. */

/**
 * @typedef {{program: string, leaves: Map<string, string>, frame: number | null,
 *   direction: string, grouped: boolean, open: string | null}} State  frame null: the last one
 */

const OWN = new Set(["program", "frame", "direction", "grouped", "open"]);
const PAUSE = 350; // browsers refuse more than about a hundred changes of the address in half a minute
const BURST = 4000; // edits that follow each other within this time are one step back in the history

/** @param {State} state @returns {URLSearchParams} */
export function query(state) {
  const params = new URLSearchParams({ program: state.program });
  for (const [key, value] of state.leaves) params.set(key, value);
  if (state.frame !== null) params.set("frame", String(state.frame));
  if (state.direction === "TB") params.set("direction", "TB");
  if (state.grouped) params.set("grouped", "1");
  if (state.open !== null) params.set("open", state.open);
  return params;
}

/** What an address says; program is null where it leaves the choice to the server.
 * @param {string} search */
export function read(search) {
  const params = new URLSearchParams(search);
  const frame = Number.parseInt(params.get("frame") ?? "", 10);
  return {
    program: params.get("program"),
    leaves: new Map([...params].filter(([key]) => !OWN.has(key))),
    frame: Number.isNaN(frame) ? null : frame,
    direction: params.get("direction") === "TB" ? "TB" : "LR",
    grouped: params.get("grouped") === "1",
    open: params.get("open"),
  };
}

export class Address {
  /** @param {() => State} state what the page shows now @param {() => void} onWrite */
  constructor(state, onWrite) {
    this.state = state;
    this.onWrite = onWrite;
    /** @type {number | undefined} */ this.timer = undefined;
    this.pushedAt = -Infinity;
    /** While the page is on its way to where the back button leads, its state is not this address's. */
    this.held = false;
  }

  get link() {
    return `/?${query(this.state())}`;
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

  /** Another program: the one before it stays reachable with the back button. */
  push() {
    clearTimeout(this.timer);
    const now = performance.now();
    const isBurst = now - this.pushedAt < BURST;
    this.pushedAt = now;
    this.#change(isBurst ? "replaceState" : "pushState");
  }

  hold() {
    clearTimeout(this.timer);
    this.held = true;
  }

  /** @param {"replaceState" | "pushState"} how */
  #change(how) {
    if (this.held) return;
    try {
      if (this.link !== location.pathname + location.search) history[how]({ gradlens: true }, "", this.link);
    } catch {
      // The browser may refuse for a while; the next change writes it all.
    }
    this.onWrite();
  }
}
