/** The switches that break a rule on purpose: in the section, and the button of the bar that follows it again. */
import { at } from "../common/elements.js";

/** @typedef {import("./tools.js").Bench} Bench */

const SWITCH = "a[data-mistake]";

export class Mistakes {
  /** @param {Bench} bench */
  constructor({ player, onShape, say }) {
    this.player = player;
    this.onShape = onShape;
    this.say = say;
    /** The switch that is on, as in the address. @type {string | null} */ this.text = null;
    /** @type {string | null} the control to focus in the next result */ this.focusNext = null;
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("submit", (event) => this.#submit(event), { capture: true });
    document.addEventListener("change", (event) => this.#choose(/** @type {HTMLElement} */ (event.target)));
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.text = text;
  }

  /** After a new result. */
  load() {
    this.#prefill();
    if (this.focusNext === null) return;
    const next = /** @type {HTMLElement | null} */ (document.querySelector(this.focusNext)) ?? at("player");
    this.focusNext = null;
    next.focus({ preventScroll: true });
    this.say(document.querySelector(".verdict.broken .sentence")?.textContent ?? "The rule is followed again.");
  }

  /** The numbers have changed: the text of an address stays. */
  renew() {
    this.#prefill();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const link = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(SWITCH)) : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const name = link.dataset.mistake ?? "";
    this.#turn(name === this.text ? "" : name, `#lens-mistakes ${SWITCH}[data-mistake="${CSS.escape(name)}"]`);
  }

  /** @param {Event} event */
  #submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches?.("[data-own-partial]")) return;
    event.preventDefault();
    event.stopPropagation();
    const { place, text } = Object.fromEntries(new FormData(form));
    this.#turn(`partial:${place}:${text}`, "#lens-mistakes [name=text]");
  }

  /** @param {HTMLElement} target */
  #choose(target) {
    if (target.matches?.("[data-own-partial] select")) this.#prefill();
  }

  /** Show the right partial of the chosen place where the visitor writes another one. */
  #prefill() {
    const form = /** @type {HTMLFormElement | null} */ (document.querySelector("[data-own-partial]"));
    const select = form?.querySelector("select");
    const input = /** @type {HTMLInputElement | null | undefined} */ (form?.querySelector("[name=text]"));
    if (select && input) input.placeholder = select.selectedOptions[0]?.dataset.right ?? "";
  }

  /** The wrong numbers stand after the last frame. @param {string} text @param {string} focus */
  #turn(text, focus) {
    this.text = text || null;
    this.focusNext = focus;
    this.player.jump(this.player.last);
    this.onShape();
  }
}
