/** The numbers under the pointer on the plot: the place, and what the network answers there. */
import { brief, compact } from "../../common/numbers.js";
import { inOwnUnits } from "../run/own-units.js";
import { isWhole } from "../run/store.js";

/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const PLACE = 3; // digits of a place
const HALF = 127; // levels of a byte on each side of 0

/** Rows of name and text. Outputs over a plane are as fine as the colours: only those of a state at rest are shown.
 * @param {Setup} setup @param {Snapshot | null} snapshot @param {[number, number]} place @returns {[string, string][]} */
export function numbersAt(setup, snapshot, [x, y]) {
  if (!setup.bounds) return [];
  const seen = snapshot && isWhole(snapshot) ? snapshot : null;
  if (setup.inputs === 1) return onCurve(setup, seen, x);
  const [x0, x1, y0, y1] = setup.bounds;
  const { grid: side } = setup;
  const [column, row] = [cell((x - x0) / (x1 - x0), side), cell((y1 - y) / (y1 - y0), side)];
  const centre = [x0 + ((column + 0.5) / side) * (x1 - x0), y1 - ((row + 0.5) / side) * (y1 - y0)];
  /** @type {[string, string][]} */ const rows = inOwnUnits(setup, centre).map((each, i) => [i ? "x₂" : "x₁", compact(each, PLACE)]);
  if (!seen?.grid) return rows;
  for (let k = 0; k < setup.outputs; k += 1) {
    rows.push([outputName(setup, k), outputOf(seen.grid[k * side * side + row * side + column], setup.limit)]);
  }
  return rows;
}

/** @param {Setup} setup @param {Snapshot | null} snapshot @param {number} x @returns {[string, string][]} */
function onCurve(setup, snapshot, x) {
  if (!snapshot?.curve) return [["x₁", compact(inOwnUnits(setup, [x])[0], PLACE)]];
  const [xs, ...outputs] = snapshot.curve;
  const last = xs.length - 1;
  const i = Math.min(last, Math.max(0, Math.round(((x - xs[0]) / (xs[last] - xs[0])) * last)));
  return [["x₁", compact(inOwnUnits(setup, [xs[i]])[0], PLACE)], ...outputs.map((ys, k) => /** @type {[string, string]} */ ([outputName(setup, k), brief(ys[i])]))];
}

/** @param {Setup} setup @param {number} k */
const outputName = ({ outputs }, k) => (outputs === 1 ? "output" : `output ${k + 1}`);

/** @param {number} share @param {number} side */
const cell = (share, side) => Math.min(side - 1, Math.max(0, Math.floor(share * side)));

/** The output of a byte, with the digits that it holds; 0 is nan, its ends are those or beyond. @param {number} byte @param {number} limit */
export function outputOf(byte, limit) {
  if (byte === 0) return "nan";
  if (byte === 1) return `≤ ${compact(-limit)}`;
  if (byte === 255) return `≥ ${compact(limit)}`;
  const decimals = Math.max(0, Math.round(Math.log10(HALF / limit)));
  return `≈ ${compact(Number((((byte - HALF - 1) / HALF) * limit).toFixed(decimals)))}`;
}
