/** Every frame in a line of words. The words are the server's; moved leaves renew them only while somebody reads. */
import { at } from "../common/elements.js";
import { isNarrow } from "./narrow.js";

const PAUSE = 250; // milliseconds without a moved leaf after which the words are asked for

export class Transcript {
  /** @param {(k: number) => void} onPick of a frame's line */
  constructor(onPick) {
    this.onPick = onPick;
    this.frame = 0;
    this.isOld = false;
    this.isOpen = false;
    /** @type {number | undefined} */ this.timer = undefined;
    /** @type {Element | null} */ this.line = null;
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("toggle", (event) => this.#toggle(/** @type {HTMLDetailsElement} */ (event.target)), { capture: true });
  }

  /** Take up the list of a new result, which comes open for pages without scripts. */
  load() {
    this.isOld = false;
    at("transcript").toggleAttribute("open", this.isOpen);
    this.line = document.querySelector("#transcript-list [aria-current]");
  }

  /** Mark the line of a frame, in the list as it is now. @param {number} [k] */
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

  /** Ask for the words where somebody reads old ones. */
  renew() {
    if (!at("transcript").hasAttribute("open") || !this.isOld) return;
    this.isOld = false;
    at("transcript-list").dispatchEvent(new Event("renew"));
  }

  /** What the list says of a frame; null where it is old or leaves frames out. @param {number} k @returns {string | null} */
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
    this.renew();
    this.mark();
  }
}
