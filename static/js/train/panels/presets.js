/** The menu of presets, and the sentence on what to watch in the run of one. */
import { Menu } from "../../common/menu.js";
import { partsOf } from "../run/address.js";

/** @typedef {import("../run/run.js").Run} Run */

export class Presets {
  /** @param {(query: string) => void} open shows a run, which keeps the one before while the server is away */
  constructor(open) {
    const menu = document.getElementById("presets");
    /** null if the menu is hidden */ this.menu = menu instanceof HTMLDetailsElement ? menu : null;
    this.watch = document.getElementById("watch");
    if (this.menu) new Menu(this.menu);
    this.menu?.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || !this.menu || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.menu.open = false;
      this.menu.querySelector("summary")?.focus();
      open(partsOf(link.search).run);
    });
  }

  /** Another run. @param {Run} run */
  load({ setup: { preset } }) {
    for (const link of this.menu?.querySelectorAll("a") ?? []) {
      if (link.textContent === preset?.title) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (!this.watch) return;
    this.watch.hidden = !preset;
    if (!preset) return;
    const title = Object.assign(document.createElement("b"), { textContent: preset.title });
    this.watch.replaceChildren(title, ` ${preset.watch}`);
  }
}
