/** The unrolled program: fetched when it is shown, its current line marked; a line leads to its frame. */
import { at } from "../common/elements.js";

/** @typedef {import("./trace.js").Trace} Trace */

export class Unrolled {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ player, onTurn }) {
    this.room = at("unrolled");
    this.button = at("unroll");
    this.player = player;
    this.isShown = false;
    /** @type {number} */ this.at = 0;
    /** The Value that receives the contribution of the step, if it is one. @type {string | null} */ this.to = null;
    this.button.addEventListener("click", () => {
      this.take(this.isShown ? null : "unrolled");
      this.#fetch();
      onTurn();
    });
    this.room.addEventListener("click", ({ target }) => this.#go(/** @type {Element} */ (target).closest("li")));
    document.addEventListener("htmx:after:swap", () => this.isShown && this.#mark());
  }

  /** Its text in the address. */
  get text() {
    return this.isShown ? "unrolled" : null;
  }

  /** @param {string | null} text */
  take(text) {
    this.isShown = text === "unrolled";
    this.button.setAttribute("aria-pressed", String(this.isShown));
    at("program-panel").classList.toggle("is-unrolled", this.isShown);
    this.room.hidden = !this.isShown;
  }

  /** @param {Trace | null} trace */
  load(trace) {
    this.button.hidden = !trace;
    this.#fetch();
  }

  renew() {
    this.#fetch();
  }

  /** @param {Trace} trace @param {number} k */
  show(trace, k) {
    this.at = k;
    const { slot } = this.player.step;
    this.to = trace.frames[k].contributions?.find((part) => part.slot === slot)?.to ?? null;
    if (this.isShown) this.#mark();
  }

  #fetch() {
    if (!this.isShown) return;
    if (this.room.hasAttribute("data-htmx-powered")) this.room.dispatchEvent(new Event("renew"));
    else document.addEventListener("htmx:after:process", () => this.room.dispatchEvent(new Event("renew")), { once: true });
  }

  #mark() {
    /** @type {HTMLElement | null} */ let first = null;
    for (const line of this.#lines) {
      const frames = (line.dataset.frames ?? "").split(" ").filter(Boolean).map(Number);
      const isNow = frames.some((frame) => this.player.step.frames.includes(frame)) && (this.to ?? line.dataset.value) === line.dataset.value;
      line.classList.toggle("later", frames.length > 0 && frames.every((frame) => frame > this.at));
      if (isNow) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
      if (isNow) first ??= line;
    }
    if (first) this.#reveal(first);
  }

  get #lines() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.room.querySelectorAll("li[data-frames]"));
  }

  /** Scroll the list alone, and not the page. @param {HTMLElement} line */
  #reveal(line) {
    const { room } = this;
    const top = line.offsetTop - room.offsetTop;
    if (top < room.scrollTop || top + line.offsetHeight > room.scrollTop + room.clientHeight) {
      room.scrollTop = top - room.clientHeight / 2;
    }
  }

  /** @param {Element | null} line */
  #go(line) {
    const frame = line instanceof HTMLElement ? line.dataset.frames?.split(" ")[0] : "";
    if (frame) this.player.jump(Number(frame));
  }
}
