/** A button on the transcript's line of the current frame, for the card of the frame's Value. */
import { at } from "../common/elements.js";

/** @typedef {import("./trace.js").Trace} Trace */

export class TranscriptCards {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage }) {
    this.id = "";
    this.button = Object.assign(document.createElement("button"), { type: "button", className: "ask-card" });
    this.button.addEventListener("click", () => stage.choose(this.id));
  }

  /** @param {Trace} trace @param {number} k */
  show(trace, k) {
    this.button.remove();
    const { node, given } = trace.frames[k];
    const list = at("transcript-list");
    if (given || list.querySelector(".left-out")) return;
    this.id = node;
    const words = `The card of ${trace.name(node)}`;
    this.button.title = words;
    this.button.setAttribute("aria-label", words);
    list.children[k]?.append(this.button);
  }
}
