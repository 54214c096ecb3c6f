/** The choice of the grain: in the player, in the address, and remembered in this browser. */
import { find } from "../common/elements.js";
import { DEFAULT, GRAINS } from "./grains.js";

/** @typedef {import("./trace.js").Trace} Trace */

const KEPT = "gradlens.grain";

export class GrainSwitch {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, timeline }) {
    this.stage = stage;
    this.player = player;
    this.timeline = timeline;
    this.select = find("by", "select");
    let isPointed = false;
    for (const type of ["pointerdown", "keydown"]) this.select.addEventListener(type, () => (isPointed = type === "pointerdown"));
    this.select.addEventListener("change", () => {
      remember(this.select.value);
      this.#turn(this.select.value || DEFAULT);
      if (isPointed) this.select.blur(); // the arrow keys step again
    });
    if (!new URLSearchParams(location.search).has("by")) this.#set(remembered());
  }

  /** The grain, and the slot of the contribution that is shown, as in the address. */
  get text() {
    const { grain, trace } = this.stage;
    const slot = trace ? this.player.step.slot : null;
    return grain === DEFAULT ? null : slot === null ? grain : `${grain}:${slot}`;
  }

  /** @param {string | null} text of an address */
  take(text) {
    if (text !== null || this.stage.trace) this.#set(text?.split(":")[0] ?? "");
  }

  /** @param {string} name */
  #set(name) {
    this.stage.grain = GRAINS.has(name) ? name : DEFAULT;
    this.select.value = this.stage.grain === DEFAULT ? "" : this.stage.grain;
  }

  /** Step through the same frames by another grain. @param {string} name */
  #turn(name) {
    this.#set(name);
    const { trace } = this.stage;
    if (!trace) return;
    trace.stepBy(this.stage.grain);
    this.timeline.load(trace);
    this.player.load(trace.steps, this.player.at);
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // no storage
  }
}

/** @param {string} name */
function remember(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // Without storage, only the address keeps it.
  }
}
