/** The key of the plot's colours: a scale of outputs, or a colour for each class. */
import { compact } from "../../common/numbers.js";

/** @typedef {import("../run/types.js").Setup} Setup */

/** The names of the classes that have a colour of their own on the plot, or of own data. @param {Setup} setup */
export function keyOf({ kind, classes, class_names: names }) {
  if (names.length || kind !== "classes" || classes < 3) return names;
  return Array.from({ length: classes }, (_, i) => `class ${i}`);
}

/** The outputs with the colours at the ends and in the middle, and their name; null without a scale: one input, or several
 * outputs. @param {Setup} setup @returns {{ends: [number, number, number], name: string} | null} */
export function scaleOf({ bounds, inputs, outputs, classes, threshold, limit }) {
  if (!bounds || inputs !== 2) return null;
  if (outputs === 1) return { ends: [2 * threshold - limit, threshold, limit], name: "output" };
  if (outputs === 2 && classes === 2) return { ends: [-2 * limit, 0, 2 * limit], name: "output 2 − output 1" };
  return null;
}

/** @param {HTMLElement} box @param {Setup} setup */
export function showScale(box, setup) {
  const scale = scaleOf(setup);
  box.hidden = !scale;
  if (!scale) return;
  const [low, middle, high] = scale.ends.map((x) => compact(x, 3));
  const bar = Object.assign(document.createElement("i"), { ariaHidden: "true" });
  box.replaceChildren(`${scale.name} ≤ ${low}`, bar, middle, bar.cloneNode(), `≥ ${high}`);
}
