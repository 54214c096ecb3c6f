/** The points of the loss chart's lines: one for each step, or the minimum and the maximum of several. */

/** @typedef {import("../run/store.js").Losses} Losses */
/**
 * @typedef {{name: string, losses: Losses, values: () => (Float64Array | null), known: () => number, isSparse?: boolean, of?: "low" | "high" | "mean"}} Line
 *   sparse: NaN where unknown; of: what it shows of the values of neighbouring steps
 */

const NEAR = 5; // neighbouring steps on each side

/** @param {Line} line @param {number} from the first step @param {number} each steps of two points @param {number} count of points
 * @param {(y: number) => boolean} isShown @returns {(number | null)[]} null: no point */
export function heightsOf(line, from, each, count, isShown) {
  const values = line.values();
  const known = line.known();
  /** @type {(number | null)[]} */ const ys = new Array(count).fill(null);
  if (!values) return ys;
  const shown = (/** @type {number} */ y) => (Number.isFinite(y) && isShown(y) ? y : null);
  if (line.of) return ys.map((_, i) => nearby(values, known, line.of, from + (each === 1 ? i : (i * each) / 2), each, shown));
  if (each === 1) {
    for (let i = 0; i < count && from + i < known; i += 1) ys[i] = shown(values[from + i]);
    return ys;
  }
  for (let i = 0; i < count; i += 2) {
    const start = from + (i / 2) * each;
    if (start >= known) break;
    const [low, high] = extent(values, start, Math.min(start + each, known));
    [ys[i], ys[i + 1]] = [shown(high), shown(low)];
  }
  return ys;
}

/** @param {Float64Array} values @param {number} known @param {Line["of"]} of @param {number} step @param {number} each
 * @param {(y: number) => number | null} shown */
function nearby(values, known, of, step, each, shown) {
  if (step >= known) return null;
  const near = Math.max(NEAR, each);
  const [start, end] = [Math.max(0, Math.ceil(step - near)), Math.min(known, Math.floor(step + near) + 1)];
  if (of === "mean") return shown(values.subarray(start, end).reduce((sum, y) => sum + y, 0) / (end - start));
  const [low, high] = extent(values, start, end);
  return shown(of === "low" ? low : high);
}

/** The least and the greatest of some values. @param {Float64Array} values @param {number} start @param {number} end */
function extent(values, start, end) {
  let [low, high] = [Infinity, -Infinity];
  for (let step = start; step < end; step += 1) {
    const y = values[step];
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return [low, high];
}

/** The number of a line at a step; null if it is unknown. @param {Line} line @param {number} step */
export function valueAt({ values, known, isSparse }, step) {
  const value = step < known() ? values()?.[step] ?? null : null;
  return isSparse && Number.isNaN(value) ? null : value;
}
