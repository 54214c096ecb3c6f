/** The steps of a lesson's text: which one is current, and the state of the picture that each names. */

/** @typedef {{part: string, code: string, place: string, ranges: Record<string, [number, number]>, without: string}} Beside
 *   part: that a small screen shows; code: the beginning of the line that the step is about; place: that of a heading in a
 *   section; ranges: of sliders by the name of their leaf; without: what is hidden */
/** @typedef {{number: number, element: HTMLElement, title: string, page: string, address: string, beside: Beside}} Step
 *   page: "explore", "train" or "page"; address: the state of that page */

export class Steps {
  /** @param {HTMLElement} list of the steps @param {(step: Step) => void} onTurn called when another one becomes current */
  constructor(list, onTurn) {
    this.onTurn = onTurn;
    /** @type {Step[]} */ this.all = [.../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(":scope > .step"))].map(stepOf);
    const marked = this.all.findIndex(({ element }) => element.hasAttribute("aria-current"));
    this.place = Math.max(marked, 0);
    this.#mark();
  }

  get current() {
    return this.all[this.place];
  }

  get isLast() {
    return this.place === this.all.length - 1;
  }

  /** The step that is `by` steps away; the nearest one there is. @param {number} by */
  beside(by) {
    return this.all[Math.min(Math.max(this.place + by, 0), this.all.length - 1)];
  }

  /** The step that an element is in. @param {Element} element */
  of(element) {
    return this.all.find((step) => step.element.contains(element));
  }

  /** @param {Step} step that becomes current @returns {boolean} whether it was not */
  turn(step) {
    const place = this.all.indexOf(step);
    if (place === this.place) return false;
    this.place = place;
    this.#mark();
    this.onTurn(step);
    return true;
  }

  #mark() {
    for (const [place, { element }] of this.all.entries()) {
      element.classList.toggle("done", place < this.place);
      if (place === this.place) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
  }
}

/** @param {HTMLElement} element @returns {Step} */
function stepOf(element) {
  const { step = "1", page = "page", address = "/", part = "", code = "", place = "", ranges = "{}", without = "" } = element.dataset;
  const title = element.querySelector("h2")?.textContent?.trim() ?? "";
  return { number: Number(step), element, title, page, address, beside: { part, code, place, ranges: JSON.parse(ranges), without } };
}
