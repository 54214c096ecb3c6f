/** Charts of each layer over the steps, on log scales with line labels: norms, and updates relative to weights. */

import { drawNames } from "./curve-names.js";

/** @typedef {import("../run/store.js").Snapshots} Snapshots */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {{data: string, grad: string, line: string, mute: string, paper: string}} Colours */
/** @typedef {{colour: string, dash: number[], name: string, points: [number, number][]}} Line  points of step and norm */

const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3]]; // by layer
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 30, 8, 18];
const TICKS = 4;
const NEAR = 60; // the share of the points on each side that smooths a line
const USUAL = 0.001; // an update over the weights in a network that learns well, about, as the legend says
/** @typedef {Snapshot["norms"][number]} Norms */
/** @typedef {{letter: string, colour: "data" | "grad", of: (norms: Norms) => number | null}} Kind */

/** @type {Kind[]} */ const SIZES = [
  { letter: "w", colour: "data", of: ({ weights }) => weights },
  { letter: "g", colour: "grad", of: ({ gradients }) => gradients },
];
/** @type {Kind[]} */ const RATIOS = [{ letter: "u", colour: "grad", of: ({ updates, weights }) => (updates === null ? null : updates / weights) }];

/** Each layer's weights in blue, gradients in orange.
 * @param {HTMLCanvasElement} canvas @param {Snapshots} snapshots @param {number} steps @param {Colours} colours */
export function drawNorms(canvas, snapshots, steps, colours) {
  drawLayers(canvas, snapshots, steps, colours, SIZES);
}

/** Each layer's last update over its weights.
 * @param {HTMLCanvasElement} canvas @param {Snapshots} snapshots @param {number} steps @param {Colours} colours */
export function drawUpdates(canvas, snapshots, steps, colours) {
  drawLayers(canvas, snapshots, steps, colours, RATIOS, USUAL);
}

/** @param {HTMLCanvasElement} canvas @param {Snapshots} snapshots @param {number} steps @param {Colours} colours
 * @param {Kind[]} kinds @param {number} [mark] a height to mark */
function drawLayers(canvas, snapshots, steps, colours, kinds, mark) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  const kept = [...snapshots.kept.values()].filter(({ norms }) => norms.length).sort((a, b) => a.step - b.step);
  if (!context || !width || !kept.length) return;
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  const lines = linesOf(kept, colours, kinds);
  const [low, high] = decadesAround(lines, mark);
  const x = (/** @type {number} */ step) => LEFT + (step / steps) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ norm) => TOP + (1 - (Math.log10(norm) - low) / (high - low)) * (height - TOP - BOTTOM);
  drawAxes(context, { low, high, steps, width, height, x, y }, colours);
  if (mark) drawLine(context, { colour: colours.mute, dash: [2, 3], name: "", points: [[0, mark], [steps, mark]] }, x, y);
  for (const line of lines) drawLine(context, line, x, y);
  const ends = lines.flatMap(({ colour, name, points }) => points.slice(-1).map(([step, norm]) => ({ colour, name, x: x(step), y: y(norm) })));
  drawNames(context, ends, { left: LEFT, top: 0, width: width - LEFT, height: height - BOTTOM }, { font: context.font, ground: colours.paper, scale: 1 });
}

/** @param {Snapshot[]} kept @param {Colours} colours @param {Kind[]} kinds @returns {Line[]} */
function linesOf(kept, colours, kinds) {
  return kept[0].norms.flatMap(({ layer }, i) =>
    kinds.map(({ letter, colour, of }) => ({
      colour: colours[colour],
      dash: DASHES[i % DASHES.length],
      name: `${letter}${layer}`,
      points: kept.map(({ step, norms }) => /** @type {[number, number]} */ ([step, norms[i] ? of(norms[i]) : null])).filter(([, norm]) => norm > 0 && Number.isFinite(norm)),
    })).map((line) => ({ ...line, points: smoothed(line.points) })),
  );
}

/** Each height as the geometric mean of those near it, as batches make them jitter. @param {Line["points"]} points @returns {Line["points"]} */
function smoothed(points) {
  const near = Math.floor(points.length / NEAR);
  const sums = [0];
  for (const [, height] of points) sums.push(sums[sums.length - 1] + Math.log(height));
  return points.map(([step], i) => {
    const [from, to] = [Math.max(0, i - near), Math.min(points.length, i + near + 1)];
    return [step, Math.exp((sums[to] - sums[from]) / (to - from))];
  });
}

/** Whole powers of ten around all lines, and the mark. @param {Line[]} lines @param {number} [mark] @returns {[number, number]} */
function decadesAround(lines, mark) {
  let [low, high] = mark ? [mark, mark] : [Infinity, -Infinity];
  for (const { points } of lines) for (const [, norm] of points) [low, high] = [Math.min(low, norm), Math.max(high, norm)];
  if (low > high) return [-1, 1];
  const first = Math.floor(Math.log10(Math.max(low, 1e-12)));
  return [first, Math.max(first + 1, Math.ceil(Math.log10(high)))];
}

/** @param {CanvasRenderingContext2D} context
 * @param {{low: number, high: number, steps: number, width: number, height: number, x: (step: number) => number, y: (norm: number) => number}} plane
 * @param {Colours} colours */
function drawAxes(context, { low, high, steps, width, height, x, y }, colours) {
  context.strokeStyle = colours.line;
  context.fillStyle = colours.mute;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let power = low; power <= high; power += Math.ceil((high - low) / TICKS)) {
    const top = Math.round(y(10 ** power)) + 0.5;
    context.beginPath();
    context.moveTo(LEFT, top);
    context.lineTo(width - RIGHT, top);
    context.stroke();
    context.fillText(power < -3 || power > 3 ? `1e${power}` : String(Number(`1e${power}`)), LEFT - 5, top);
  }
  context.textBaseline = "bottom";
  context.textAlign = "center";
  for (const step of [0, Math.round(steps / 2), steps]) context.fillText(String(step), x(step), height - 2);
}

/** @param {CanvasRenderingContext2D} context @param {Line} line @param {(step: number) => number} x @param {(norm: number) => number} y */
function drawLine(context, { colour, dash, points }, x, y) {
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.6;
  context.setLineDash(dash);
  context.beginPath();
  for (const [step, norm] of points) context.lineTo(x(step), y(norm));
  context.stroke();
  context.setLineDash([]);
  if (points.length !== 1) return;
  context.beginPath();
  context.arc(x(points[0][0]), y(points[0][1]), 2.5, 0, 2 * Math.PI);
  context.fill();
}
