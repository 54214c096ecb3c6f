/** The bar of steps below the text: where the reader is, and the ways to the others. */
import { at, write } from "../common/elements.js";

/** @typedef {import("./steps.js").Steps} Steps */
/** @typedef {import("./steps.js").Step} Step */

export class StepBar {
  /** @param {Steps} steps @param {(step: Step) => void} onGo @param {() => void} onNext */
  constructor(steps, onGo, onNext) {
    this.steps = steps;
    this.back = /** @type {HTMLButtonElement} */ (at("step-back"));
    this.next = /** @type {HTMLButtonElement} */ (at("step-next"));
    this.dots = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".step-dots a")]);
    this.back.addEventListener("click", () => onGo(steps.beside(-1)));
    this.next.addEventListener("click", () => (steps.isLast ? nextLink()?.click() : onNext()));
    for (const [place, dot] of this.dots.entries()) {
      dot.title = steps.all[place].title;
      dot.addEventListener("click", (event) => {
        event.preventDefault();
        onGo(steps.all[place]);
      });
    }
    this.show();
  }

  show() {
    const { place, all, isLast } = this.steps;
    const last = nextLink()?.pathname === "/learn" ? "To the map" : "Next lesson";
    write(at("step-where"), `Step ${place + 1} of ${all.length}`);
    this.back.setAttribute("aria-disabled", String(place === 0));
    this.next.classList.toggle("to-end", isLast);
    const [words] = [...this.next.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    if (words) words.textContent = isLast ? last : "Next";
    for (const [k, dot] of this.dots.entries()) {
      dot.classList.toggle("done", k < place);
      if (k === place) dot.setAttribute("aria-current", "step");
      else dot.removeAttribute("aria-current");
    }
  }
}

/** The link that ends the page: to the next lesson, or from the last one to the map. */
const nextLink = () => /** @type {HTMLAnchorElement | null} */ (document.querySelector(".lesson-end .next a"));
