/** The type of the problem: which cards of data sets are shown. Rows of one's own may be of either. */

/** @typedef {import("../run/run.js").Run} Run */

export class ProblemType {
  constructor() {
    const select = document.getElementById("problem");
    this.select = select instanceof HTMLSelectElement ? select : null;
    this.cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".card")]);
    for (const kind of ["input", "change"]) this.select?.addEventListener(kind, (event) => event.stopPropagation()); // no setting of the run
    this.select?.addEventListener("change", () => this.#choose());
  }

  /** All cards again if that of the run is hidden. @param {Run} run */
  load({ setup }) {
    const card = this.cards.find((each) => each.querySelector("input")?.value === setup.spec.data);
    if (!this.select || !card?.hidden) return;
    this.select.value = "";
    this.#show();
  }

  #choose() {
    this.#show();
    const chosen = this.cards.find((card) => card.querySelector("input")?.checked);
    if (chosen?.hidden) this.cards.find((card) => !card.hidden)?.querySelector("input")?.click();
  }

  #show() {
    for (const card of this.cards) card.hidden = Boolean(this.select?.value && card.dataset.problem && card.dataset.problem !== this.select.value);
  }
}
