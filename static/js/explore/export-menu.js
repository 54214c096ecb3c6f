/** The menu of exports: its links follow the state of the page. */
import { keepHref } from "./address.js";
import { listenToEscape } from "../common/keyboard.js";

/** The menu in the header, which the arrow keys walk, and which Escape or a press elsewhere closes. */
export class ExportMenu {
  /** @param {HTMLDetailsElement} menu @param {() => string} query that of the page at its frame */
  constructor(menu, query) {
    this.menu = menu;
    this.links = /** @type {HTMLAnchorElement[]} */ ([...menu.querySelectorAll("a[data-export]")]);
    const paths = this.links.map((link) => new URL(link.href, location.href).pathname);
    const writers = this.links.map((link, at) => keepHref(link, () => `${paths[at]}?${query()}`));
    /** Write the links anew. */
    this.write = () => {
      if (menu.open) writers.forEach((write) => write());
      else writers[this.links.findIndex((link) => link.id === "svg-link")]?.();
    };
    menu.addEventListener("toggle", this.write);
    menu.addEventListener("keydown", (event) => this.#walk(event));
    document.addEventListener("pointerdown", (event) => {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    });
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
    });
    listenToEscape(() => this.#close());
  }

  #close() {
    if (!this.menu.open) return;
    const held = this.menu.contains(document.activeElement);
    this.menu.open = false;
    if (held) this.menu.querySelector("summary")?.focus();
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || !this.menu.open) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : this.links.length - 1) : (at + by + this.links.length) % this.links.length;
    this.links[next]?.focus();
  }
}
