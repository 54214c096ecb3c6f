/** A menu in a `<details>`, which the arrow keys walk, and which Escape or a press elsewhere closes. */
import { listenToEscape } from "./keyboard.js";

export class Menu {
  /** @param {HTMLDetailsElement} menu */
  constructor(menu) {
    this.menu = menu;
    menu.addEventListener("keydown", (event) => this.#walk(event));
    // A press on what cannot have the focus gives it to what is around the menu.
    let isPressed = false;
    document.addEventListener("pointerdown", (event) => {
      isPressed = menu.contains(/** @type {Node} */ (event.target));
      if (!isPressed) menu.open = false;
    });
    for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => (isPressed = false));
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !isPressed && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
    });
    listenToEscape(() => this.close());
  }

  /** Close it; the focus stays on its button. */
  close() {
    if (!this.menu.open) return;
    const held = this.menu.contains(document.activeElement);
    this.menu.open = false;
    if (held) this.menu.querySelector("summary")?.focus();
  }

  /** Its links, buttons and inner menus, as far as they are seen. @returns {HTMLElement[]} */
  get #entries() {
    const all = /** @type {NodeListOf<HTMLElement>} */ (this.menu.querySelectorAll(":is(li, .entries) :is(a, button, summary)"));
    return [...all].filter((entry) => entry.checkVisibility());
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || !this.menu.open) return;
    event.preventDefault();
    event.stopPropagation();
    const entries = this.#entries;
    const at = entries.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : entries.length - 1) : (at + by + entries.length) % entries.length;
    entries[next]?.focus();
  }
}
