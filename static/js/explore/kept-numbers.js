/** The section “Remembered”: the numbers that are kept for the backward pass, and those computed again, on their cards. */
import { CardMarks } from "./card-marks.js";

export class Part {
  /** @param {import("./tools.js").Bench} bench */
  constructor(bench) {
    this.marks = new CardMarks(bench, "memory-mark");
    document.addEventListener("input", ({ target }) => {
      const slider = target instanceof HTMLInputElement ? target : null;
      const dial = /** @type {HTMLElement | null} */ (slider?.closest("[data-dial=keep]") ?? null);
      if (slider && dial) this.#light(dial, Number(slider.value));
    });
  }

  /** @param {HTMLElement} root */
  fill(root) {
    const dial = /** @type {HTMLElement | null} */ (root.querySelector("[data-dial=keep]"));
    const slider = /** @type {HTMLInputElement | null} */ (dial?.querySelector("input[type=range]") ?? null);
    if (dial && slider) this.#light(dial, Number(slider.defaultValue));
  }

  clear() {
    this.marks.clear();
  }

  /** @param {HTMLElement} dial @param {number} place */
  #light(dial, place) {
    /** @type {{kept: string, again: string}[]} */ const points = JSON.parse(dial.dataset.points ?? "[]");
    const point = points[place];
    if (!point) return;
    const marks = /** @type {("kept" | "again")[]} */ (["kept", "again"]).flatMap((name) =>
      point[name].split(" ").filter(Boolean).map((id) => /** @type {const} */ ([id, { words: name, look: name }])));
    this.marks.put(new Map(marks));
  }
}
