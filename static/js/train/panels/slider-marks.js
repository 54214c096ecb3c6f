/** Ticks on the slider of steps where settings or weights were changed in mid-run. */
import { at } from "../../common/elements.js";
import { marksOf } from "../run/segments.js";

/** @typedef {import("../run/run.js").Run} Run */

export class SliderMarks {
  constructor() {
    this.ticks = Object.assign(document.createElement("span"), { className: "slider-ticks", ariaHidden: "true" });
    at("scrub").before(this.ticks);
  }

  revise = this.load;

  /** @param {Run} run */
  load({ setup, edits }) {
    const steps = new Set([...marksOf(setup.segments ?? []).map(({ step }) => step), ...edits.map(([step]) => step)]);
    this.ticks.replaceChildren(...[...steps].filter((step) => step > 0).map((step) => tick(step / setup.steps)));
  }
}

/** @param {number} share of the slider */
function tick(share) {
  const mark = document.createElement("i");
  mark.style.setProperty("--at", String(share));
  return mark;
}
