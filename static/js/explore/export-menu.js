/** The part of the menu Share that exports: its links follow the state of the page. */
import { keepHref } from "./address.js";
import { at } from "../common/elements.js";

export class ExportMenu {
  /** @param {() => string} query that of the page at its frame */
  constructor(query) {
    const menu = /** @type {HTMLDetailsElement} */ (at("export-menu"));
    const links = /** @type {HTMLAnchorElement[]} */ ([...menu.querySelectorAll("a[data-export]")]);
    const paths = links.map((link) => new URL(link.href, location.href).pathname);
    const writers = links.map((link, k) => keepHref(link, () => `${paths[k]}?${query()}`));
    /** Write the links anew. */
    this.write = () => {
      if (menu.open) writers.forEach((write) => write());
      else writers[links.findIndex((link) => link.id === "svg-link")]?.();
    };
    menu.addEventListener("toggle", this.write);
  }
}
