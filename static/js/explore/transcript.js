/** The transcript: a line of text per frame, from the server; refetched after leaf changes only while it is open. */
import { at, isNarrow } from "../common/elements.js";

const KEPT = "seegrad.transcript";
const PAUSE = 250; // milliseconds of debounce after leaf changes

export class Transcript {
  /** @param {(k: number) => void} onPick of a frame's line */
  constructor(onPick) {
    this.onPick = onPick;
    this.frame = 0;
    this.isOld = false;
    this.isOpen = remembered();
    /** @type {number | undefined} */ this.timer = undefined;
    /** @type {Element | null} */ this.line = null;
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("toggle", (event) => this.#toggle(/** @type {HTMLDetailsElement} */ (event.target)), { capture: true });
  }

  /** Load the list of a new result, which is open for pages without scripts. */
  load() {
    this.isOld = false;
    at("transcript").toggleAttribute("open", this.isOpen);
    this.line = document.querySelector("#transcript-list [aria-current]");
  }

  /** Mark the line of the current frame. @param {number} [k] */
  mark(k = this.frame) {
    this.frame = k;
    this.line?.removeAttribute("aria-current");
    this.line = at("transcript-list").children[k]?.firstElementChild ?? null;
    this.line?.setAttribute("aria-current", "step");
    if (at("transcript").hasAttribute("open") && !isNarrow()) this.line?.scrollIntoView({ block: "nearest" });
  }

  /** The numbers have changed. */
  outdate() {
    this.isOld = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.renew(), PAUSE);
  }

  /** Refetch an outdated transcript while it is open. */
  renew() {
    if (!at("transcript").hasAttribute("open") || !this.isOld) return;
    this.isOld = false;
    at("transcript-list").dispatchEvent(new Event("renew"));
  }

  /** The line of a frame; null if the list is outdated or truncated. @param {number} k @returns {string | null} */
  words(k) {
    const list = at("transcript-list");
    if (this.isOld || list.querySelector(".left-out")) return null;
    return list.children[k]?.textContent?.trim() ?? "";
  }

  /** @param {Event} event */
  #click(event) {
    const line = /** @type {Element} */ (event.target).closest("#transcript-list button");
    if (!line?.parentElement) return;
    event.preventDefault();
    this.onPick([...at("transcript-list").children].indexOf(line.parentElement));
  }

  /** @param {HTMLDetailsElement} details */
  #toggle(details) {
    if (details.id !== "transcript" || !details.isConnected) return;
    this.isOpen = details.open;
    remember(this.isOpen);
    this.renew();
    this.mark();
  }
}

/** Whether it was left open. */
function remembered() {
  try {
    return localStorage.getItem(KEPT) === "open";
  } catch {
    return false; // no storage
  }
}

/** @param {boolean} isOpen */
function remember(isOpen) {
  try {
    localStorage.setItem(KEPT, isOpen ? "open" : "");
  } catch {
    // Without storage, it is open for this visit.
  }
}
