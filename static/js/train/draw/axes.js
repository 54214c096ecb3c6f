/** The axes of a plot within its frame: ticks with their values along the bottom and the left, and both names. */
import { compact } from "../../common/numbers.js";

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("./surface.js").Surface} Surface */

const APART = [70, 45]; // pixels between ticks at least, across and up
const EDGE = 16; // pixels at the ends of an axis without ticks
const TICK = 4;
const HALO = 3;
const FACTORS = [1, 2, 5, 10];

/** Round numbers from `low` to `high`, about `count` of them. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (FACTORS.find((factor) => power * factor >= rough * 0.999) ?? 10);
  const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** @param {Surface} surface @param {[number, number, number, number]} bounds @param {[string, string]} names of the horizontal and the vertical axis @param {Palette} palette */
export function drawAxes(surface, [x0, x1, y0, y1], [across, up], palette) {
  const { context, width, height } = surface;
  if (!width || !height) return;
  context.save();
  context.font = `10.5px ${getComputedStyle(surface.canvas).fontFamily}`;
  context.strokeStyle = palette.paper;
  context.fillStyle = palette.ink;
  context.lineJoin = "round";
  context.lineWidth = HALO;
  for (const x of ticks(x0, x1, width / APART[0])) {
    const left = ((x - x0) / (x1 - x0)) * width;
    if (left < 2 * EDGE || left > width - 2 * EDGE) continue;
    context.fillRect(Math.round(left), height - TICK, 1, TICK);
    write(context, compact(x), left, height - TICK - 2, "center");
  }
  for (const y of ticks(y0, y1, height / APART[1])) {
    const top = ((y1 - y) / (y1 - y0)) * height;
    if (top < EDGE + 4 || top > height - EDGE - 4) continue;
    context.fillRect(0, Math.round(top), TICK, 1);
    write(context, compact(y), TICK + 3, top + 4, "left");
  }
  write(context, across, width - 4, height - TICK - 2, "right");
  write(context, up, 4, 12, "left");
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y @param {CanvasTextAlign} align */
function write(context, text, x, y, align) {
  context.textAlign = align;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
