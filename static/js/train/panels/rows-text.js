/** Edited samples as the rows of a table, whose order keeps each in training or in test. */
import { inOwnUnits } from "../run/own-units.js";
import { keepingSplit } from "../run/split.js";

/** @typedef {import("../run/types.js").Sample} Sample */
/** @typedef {import("../run/types.js").Setup} Setup */

/**
 * Samples as rows of text: the inputs, then the label. Two classes are −1 and 1, class labels for every loss.
 * @param {Sample[]} samples @param {Setup} setup @returns {{text: string, share: number}} share: that of the test samples
 */
export function asRows(samples, setup) {
  const { kind, classes, class_names: names } = setup;
  const isPair = kind === "classes" && classes === 2;
  const mark = names.some((name) => /[,;]/.test(name)) ? "\t" : ", ";
  const ordered = [...samples].sort((a, b) => placeOf(a) - placeOf(b));
  const { samples: split, share } = keepingSplit(ordered, setup);
  const rows = names.length ? inOrderOfNames(split) : split;
  const lines = rows.map(({ x, y }) => [...inOwnUnits(setup, x), names[y] ?? (isPair && y === 0 ? -1 : y)].join(mark));
  return { text: lines.join("\n"), share };
}

/** The place of a sample in the data; one that was added comes last. @param {Sample} sample */
const placeOf = ({ row }) => row ?? Number.MAX_SAFE_INTEGER;

/** Rows whose classes first appear in their order, which gives them their numbers and colours. The first of each class changes
 * places with one of its own side, training or test, as far as there is one.
 * @param {Sample[]} samples */
function inOrderOfNames(samples) {
  const rows = [...samples];
  const classes = [...new Set(rows.map(({ y }) => y))].sort((a, b) => a - b);
  let start = 0;
  for (const y of classes) {
    while (start < rows.length && rows[start].y < y) start += 1;
    const found = [true, false].map((isAlike) => rows.findIndex((row, i) => i >= start && row.y === y && (!isAlike || row.test === rows[start]?.test)));
    const first = found.find((i) => i >= 0) ?? -1;
    if (first > start) [rows[start], rows[first]] = [rows[first], rows[start]];
  }
  return rows;
}
