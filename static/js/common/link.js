/** The page's link: in the address bar, and copied by a button. */

const PAUSE = 350; // debounce; browsers reject more than about 100 changes of the address in 30 s
const BURST = 4000; // milliseconds within which successive changes of one thing share one history entry
const SHOWN = 2000; // milliseconds for which the button shows the result

/** The address bar, kept in step with the page: debounced and rate-limited. */
export class Link {
  /** @param {() => string} now the page's current link @param {() => void} onWrite */
  constructor(now, onWrite = () => {}) {
    this.now = now;
    this.onWrite = onWrite;
    /** Called with each address that is written. @type {(link: string) => void} */ this.onTurn = () => {};
    /** @type {number | undefined} */ this.timer = undefined;
    this.pushedAt = -Infinity;
    this.pushedAbout = "";
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

  /** Write at once. */
  write() {
    clearTimeout(this.timer);
    this.#change("replaceState");
  }

  /** Write at once, and return the whole address, to be copied. */
  written() {
    this.write();
    return location.origin + this.link;
  }

  /** Add a history entry for another program or run, so that the back button returns to the previous one.
   * @param {string} [before] target of the back button, by default the current address
   * @param {string | null} [about] what has changed; null is a change of its own, whatever came before */
  push(before = "", about = "") {
    clearTimeout(this.timer);
    const now = performance.now();
    const isBurst = about !== null && about === this.pushedAbout && now - this.pushedAt < BURST;
    this.pushedAt = now;
    this.pushedAbout = about ?? "another change";
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

  /** The back button of a page around this one leads out of that page. @param {"replaceState" | "pushState"} how @param {string} link */
  #set(how, link) {
    if (this.held || link === location.pathname + location.search) return;
    try {
      history[window.parent === window ? how : "replaceState"]({ seegrad: true }, "", link);
    } catch {
      return; // rate-limited by the browser; the next change writes the full state
    }
    this.onTurn(link);
  }
}

/** Copy the link at each click and show the result on the button. Browsers that deny access to the clipboard get the old
 * command.
 * @param {HTMLElement} button with its label in `[data-label]` @param {() => string} link the current link
 * @param {(text: string) => void} announce to screen readers */
export function copyOnClick(button, link, announce) {
  button.addEventListener("click", async () => {
    const done = await copy(link());
    const words = button.querySelector("[data-label]");
    if (!words) return;
    words.textContent = done ? "Copied" : "Copy it from the address bar";
    words.classList.add("result");
    announce(done ? "Link copied." : "The link could not be copied. Copy it from the address bar.");
    window.setTimeout(() => {
      words.textContent = "Copy link";
      words.classList.remove("result");
    }, SHOWN);
  });
}

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
