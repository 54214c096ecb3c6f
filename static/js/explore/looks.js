/** The button that opens the switches of nodes and edges where they have no room beside the other tools. */
import { at } from "../common/elements.js";

export class Looks {
  constructor() {
    this.button = at("looks-open");
    this.switches = at("looks");
    this.button.addEventListener("click", () => this.#turn(!this.isOpen));
    document.addEventListener("pointerdown", ({ target }) => {
      if (!this.#holds(target)) this.#turn(false);
    });
    this.switches.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !this.#holds(relatedTarget)) this.#turn(false);
    });
    // Arrow keys choose as well, and go on; a press is done.
    this.switches.addEventListener("change", () => {
      if (!this.switches.querySelector(":focus-visible")) this.#turn(false);
    }, { capture: true });
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true }); // before Escape does something else
  }

  get isOpen() {
    return this.button.getAttribute("aria-expanded") === "true";
  }

  /** @param {boolean} isOpen */
  #turn(isOpen) {
    this.button.setAttribute("aria-expanded", String(isOpen));
  }

  /** Escape closes them; the focus stays on the button. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || !this.isOpen) return;
    event.preventDefault();
    if (this.switches.contains(document.activeElement)) this.button.focus();
    this.#turn(false);
  }

  /** @param {EventTarget | null} target */
  #holds(target) {
    return target instanceof Node && [this.button, this.switches].some((part) => part.contains(target));
  }
}
