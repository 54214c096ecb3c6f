/** Edited samples as the rows of a table. */
import { inOwnUnits } from "../run/own-units.js";

/** @typedef {import("../run/types.js").Sample} Sample */
/** @typedef {import("../run/types.js").Setup} Setup */

/**
 * Samples as rows of text, in the order of the data: the inputs, then the label. Two classes are −1 and 1, class labels for every loss.
 * @param {Sample[]} samples @param {Setup} setup
 */
export function asRows(samples, setup) {
  const { kind, classes, class_names: names } = setup;
  const isPair = kind === "classes" && classes === 2;
  const mark = names.some((name) => /[,;]/.test(name)) ? "\t" : ", ";
  const ordered = [...samples].sort((a, b) => placeOf(a) - placeOf(b));
  const rows = names.length ? inOrderOfNames(ordered) : ordered;
  return rows.map(({ x, y }) => [...inOwnUnits(setup, x), names[y] ?? (isPair && y === 0 ? -1 : y)].join(mark)).join("\n");
}

/** The place of a sample in the data; one that was added comes last. @param {Sample} sample */
const placeOf = ({ row }) => row ?? Number.MAX_SAFE_INTEGER;

/** Rows whose classes first appear in their order, which gives them their numbers and colours. @param {Sample[]} samples */
function inOrderOfNames(samples) {
  const present = [...new Set(samples.map(({ y }) => y))];
  const sorted = [...present].sort((a, b) => a - b);
  if (present.every((y, i) => y === sorted[i])) return samples;
  const first = sorted.map((y) => samples.findIndex((sample) => sample.y === y));
  return [...first.map((i) => samples[i]), ...samples.filter((_, i) => !first.includes(i))];
}
