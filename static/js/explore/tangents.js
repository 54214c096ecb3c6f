/** The section “Forward mode”: tangents on the cards, which come with the frames, and numbers of inputs and outputs to ask for. */
import { CardMarks } from "./card-marks.js";

const PAUSE = 250; // milliseconds after the last key in a field

export class Part {
  /** @param {import("./tools.js").Bench} bench @param {import("./sections.js").Sections} sections */
  constructor(bench, sections) {
    this.player = bench.player;
    this.sections = sections;
    this.marks = new CardMarks(bench, "tangent-mark");
    /** @type {HTMLElement | null} */ this.root = null;
    /** The frame in which each tangent comes. @type {Map<string, number>} */ this.frames = new Map();
    /** @type {number | undefined} */ this.timer = undefined;
    document.addEventListener("input", ({ target }) => this.#ask(/** @type {HTMLElement} */ (target)));
    document.addEventListener("submit", (event) => this.#submit(event), { capture: true });
    document.addEventListener("click", (event) => this.#go(event));
  }

  /** @param {HTMLElement} root */
  fill(root) {
    this.root = root;
    /** @type {[string, [string, number, boolean]][]} */ const given = Object.entries(JSON.parse(root.dataset.marks ?? "{}"));
    this.frames = new Map(given.map(([id, [, frame]]) => [id, frame]));
    this.marks.put(new Map(given.map(([id, [words, , moves]]) => [id, { words: `tangent ${words}`, look: moves ? "" : "still" }])));
    this.show(this.player.at);
  }

  clear() {
    this.marks.clear();
  }

  /** The numbers have changed, and new tangents are on their way. */
  renew() {
    this.marks.clear();
  }

  /** A tangent comes with the data of its Value. @param {number} k */
  show(k) {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.root?.querySelectorAll("tr[data-frame]") ?? []);
    for (const row of rows) turn(row, Number(row.dataset.frame), k);
    for (const [id, plates] of this.marks.plates) for (const plate of plates) turn(plate, this.frames.get(id) ?? 0, k);
  }

  /** @param {HTMLElement} target */
  #ask(target) {
    const form = /** @type {HTMLFormElement | null} */ (target.closest?.("form.what-if") ?? null);
    if (!form) return;
    const to = this.#asked(form); // now: contents that arrive meanwhile would take back what is typed
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => to && this.sections.turn("tangent", to, form), PAUSE);
  }

  /** @param {Event} event */
  #submit(event) {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.matches?.("form.what-if")) return;
    event.preventDefault();
    const to = this.#asked(form);
    if (to) this.sections.turn("tangent", to, form);
  }

  /** The text of the parameter that the fields ask for; null if they hold no numbers. @param {HTMLFormElement} form */
  #asked(form) {
    const { n, m } = Object.fromEntries(new FormData(form));
    return form.checkValidity() && n && m ? `${this.root?.dataset.chosen}@${n}@${m}` : null;
  }

  /** A name of the table leads to its frame. @param {MouseEvent} event */
  #go(event) {
    const link = event.target instanceof Element ? event.target.closest(".forward-mode tr[data-frame] a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.player.jump(Number(/** @type {HTMLElement} */ (link.closest("tr")).dataset.frame));
  }
}

/** @param {Element} element of a tangent that comes in a frame @param {number} frame @param {number} k the frame shown */
function turn(element, frame, k) {
  element.classList.toggle("later", frame > k);
  element.classList.toggle("now", frame === k);
}
