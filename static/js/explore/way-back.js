/** The way back to the run of Train that the program shows, at its step. */
import { at } from "../common/elements.js";

export class WayBack {
  constructor() {
    /** The query of the run, with the step. @type {string | null} */ this.text = null;
  }

  /** @param {string | null} text */
  take(text) {
    this.text = text;
    const link = /** @type {HTMLAnchorElement} */ (at("way-back"));
    link.hidden = !text;
    const query = new URLSearchParams(text ?? "");
    link.href = `/train?${query}`;
    link.textContent = `← Back to the run at step ${Number.parseInt(query.get("step") ?? "", 10) || 0}`;
  }
}
