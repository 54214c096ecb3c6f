/**
 * The section “Descend”: its links and its slider move the leaves of the page, whose fields then ask for new numbers as if
 * the visitor had typed, and a button plays the steps.
 */

const PACE = 350; // milliseconds from step to step
const DIAL = '[data-dial="descend"]';

/** @typedef {Record<string, [string, string]>} Moves  the number of each leaf in full, and as its field shows it */

export class Part {
  constructor() {
    /** @type {number | undefined} */ this.playing = undefined;
    /** The step at which the slider was put, which contents that arrive meanwhile do not undo. @type {string | null} */ this.held = null;
    /** Whether the leaves are set here, and not by the visitor. */ this.isMoving = false;
    // Before the section asks for its contents, which depend on where the leaves are.
    document.addEventListener("click", (event) => this.#click(event), { capture: true });
    document.addEventListener("input", (event) => this.#input(event));
  }

  /** The section has contents. */
  fill() {
    const slider = this.#slider;
    if (!slider) return this.#stop();
    const isBusy = this.playing !== undefined || document.activeElement === slider;
    if (isBusy && this.held !== null && slider.value !== this.held) this.#go(slider, this.held);
    this.#show();
  }

  /** The section was closed. */
  clear() {
    this.#stop();
  }

  /** @returns {HTMLInputElement | null} */
  get #slider() {
    return document.querySelector(`${DIAL} input[type=range]`);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target : null;
    /** @type {HTMLElement | null} */ const link = target?.closest(".descend a[data-leaves]") ?? null;
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      this.#stop();
      this.held = null;
      this.#move(JSON.parse(link.dataset.leaves ?? "{}"));
    }
    if (target?.closest(".descend [data-play]")) this.#turn();
  }

  /** @param {Event} event */
  #input({ target, isTrusted }) {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.closest("#leaves") && !this.isMoving) {
      this.#stop();
      this.held = null;
    }
    /** @type {HTMLElement | null} */ const dial = target.closest(DIAL);
    if (!dial) return;
    if (isTrusted) this.#stop();
    this.held = target.value;
    const point = JSON.parse(dial.dataset.points ?? "[]")[Number(target.value)];
    if (point) this.#move(point.leaves);
  }

  /** @param {Moves} moves */
  #move(moves) {
    this.isMoving = true;
    for (const [key, [full, brief]] of Object.entries(moves)) {
      /** @type {HTMLInputElement | null} */
      const field = document.querySelector(`#leaves .leaf[data-key="${CSS.escape(key)}"] input[type=number]`);
      if (!field || field.dataset.value === full) continue;
      field.value = full;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.value = brief;
    }
    this.isMoving = false;
  }

  /** Start or stop playing; from the last step it begins again. */
  #turn() {
    const slider = this.#slider;
    if (this.playing !== undefined || !slider) return this.#stop();
    if (slider.value === slider.max) this.#go(slider, "0");
    this.playing = window.setInterval(() => {
      const now = this.#slider;
      if (!now || now.value === now.max) this.#stop();
      else this.#go(now, String(Number(now.value) + 1));
    }, PACE);
    this.#show();
  }

  /** @param {HTMLInputElement} slider @param {string} step */
  #go(slider, step) {
    slider.value = step;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #stop() {
    window.clearInterval(this.playing);
    this.playing = undefined;
    this.#show();
  }

  /** The button as it stands: contents that arrive have it at rest. */
  #show() {
    const button = document.querySelector(".descend [data-play]");
    if (!button) return;
    button.setAttribute("aria-pressed", String(this.playing !== undefined));
    button.textContent = this.playing === undefined ? "Play" : "Stop";
  }
}
