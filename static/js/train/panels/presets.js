/** The menu of presets, and the sentence on what to watch in the run of one. */
import { Menu } from "../../common/menu.js";

/** @typedef {import("../run/run.js").Run} Run */

export class Presets {
  constructor() {
    const menu = document.getElementById("presets");
    /** null if the menu is hidden */ this.menu = menu instanceof HTMLDetailsElement ? menu : null;
    this.watch = document.getElementById("watch");
    if (this.menu) new Menu(this.menu);
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
