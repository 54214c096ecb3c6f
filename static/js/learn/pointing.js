/** Numbers and names in the text light up their Value in the picture, and are lit by it. */

export class Pointing {
  /** @param {HTMLElement} text @param {(id: string | null) => void} onPoint called for a Value pointed at in the text */
  constructor(text, onPoint) {
    this.text = text;
    this.onPoint = onPoint;
    /** @type {string | null} */ this.id = null;
    for (const name of ["pointerover", "focusin"]) text.addEventListener(name, ({ target }) => this.#from(/** @type {Element} */ (target)));
    text.addEventListener("pointerleave", () => this.#from(null));
    text.addEventListener("focusout", () => this.#from(null));
  }

  /** Those of the current step are reached by Tab; others are about another picture. @param {HTMLElement} step */
  turn(step) {
    for (const element of this.#all) {
      if (step.contains(element)) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    }
  }

  get #all() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.text.querySelectorAll(".step [data-node]"));
  }

  /** @param {Element | null} target */
  #from(target) {
    const found = /** @type {HTMLElement | null} */ (target?.closest(".step[aria-current] [data-node]") ?? null);
    const id = found?.dataset.node ?? null;
    if (id === this.id) return;
    this.show(id);
    this.onPoint(id);
  }

  /** Light the words of a Value in the current step. @param {string | null} id */
  show(id) {
    this.id = id;
    for (const element of this.#all) element.classList.toggle("lit", id !== null && element.dataset.node === id && element.closest("[aria-current]") !== null);
  }
}
