/**
 * The menu of all that asks for more than program, picture, frames and sentence. Its entries press what they open: a
 * section beside the picture, the unrolled program, the numbers by line.
 */
import { find } from "../common/elements.js";
import { Menu } from "../common/menu.js";

export class Closer {
  constructor() {
    const menu = find("closer", "details");
    this.menu = new Menu(menu);
    /** @type {HTMLButtonElement[]} */ this.entries = [...menu.querySelectorAll("button")];
    for (const entry of this.entries) entry.addEventListener("click", () => this.#turn(entry));
    menu.addEventListener("toggle", () => this.#mark());
    document.addEventListener("toggle", () => this.#mark(), { capture: true });
    // Arrow keys choose among the switches, and go on; a press is done.
    menu.addEventListener("change", () => {
      if (!menu.querySelector("input:focus-visible")) this.menu.close();
    }, { capture: true });
  }

  /** After a new result, which has another set of sections open. */
  load() {
    this.#mark();
  }

  /** @param {HTMLButtonElement} entry */
  #turn(entry) {
    const part = partOf(entry);
    this.menu.close();
    if (!(part instanceof HTMLDetailsElement)) return part?.click();
    part.open = !part.open;
    if (part.open) part.querySelector("summary")?.focus({ preventScroll: true });
  }

  #mark() {
    for (const entry of this.entries) {
      const part = partOf(entry);
      const isOn = part instanceof HTMLDetailsElement ? part.open : part?.ariaPressed === "true";
      if (entry.ariaPressed) entry.ariaPressed = String(isOn);
      entry.disabled = !part || part.hidden;
    }
  }
}

/** What an entry opens. @param {HTMLButtonElement} entry */
const partOf = (entry) => document.getElementById(entry.dataset.closer ?? "");
