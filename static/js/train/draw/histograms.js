/** Histograms of each layer at a step: of the activations of its neurons for the training samples, and of its gradient. */
import { compact } from "../../common/numbers.js";

/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {{data: string, grad: string, line: string, mute: string}} Colours */
/** @typedef {{counts: number[], limit: number}} Histogram  bins from -limit to limit; the outer ones count what lies beyond */

const ROW = 62; // pixels of a layer
const [LEFT, GAP, LABEL] = [44, 14, 15];
const BINS = 32;

/** The gradient's limit of each layer in a run, so that histograms move on a scale that stays. @type {{setup: Setup | null, limits: number[]}} */
const kept = { setup: null, limits: [] };

/** @param {HTMLCanvasElement} canvas @param {Setup} setup @param {Snapshot} snapshot @param {Colours} colours */
export function drawHistograms(canvas, setup, snapshot, colours) {
  const { layers, map_limits: limits } = setup;
  const count = layers.length - 1;
  canvas.style.height = `${count * ROW}px`;
  const width = canvas.clientWidth;
  const context = canvas.getContext("2d");
  if (!context || !width) return;
  [canvas.width, canvas.height] = [width * devicePixelRatio, count * ROW * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  const gradients = snapshot.gradient && gradientsOf(setup, snapshot.gradient);
  const wide = (width - LEFT - 2 * GAP) / 2;
  for (let i = 0; i < count; i += 1) {
    const top = i * ROW + 4;
    context.fillStyle = colours.mute;
    [context.textAlign, context.textBaseline] = ["left", "middle"];
    context.fillText(`layer ${i + 1}`, 2, top + (ROW - LABEL) / 2);
    if (snapshot.activations) draw(context, { counts: snapshot.activations[i], limit: limits[i + 1] }, LEFT, top, wide, colours.data, colours);
    if (gradients) draw(context, gradients[i], LEFT + wide + GAP, top, wide, colours.grad, colours);
  }
}

/** @param {Setup} setup @param {Float64Array} gradient @returns {Histogram[]} */
function gradientsOf(setup, gradient) {
  if (kept.setup !== setup) Object.assign(kept, { setup, limits: [] });
  const { layers } = setup;
  let end = 0;
  return layers.slice(1).map((size, i) => {
    const start = end;
    end += (layers[i] + 1) * size;
    const own = gradient.subarray(start, end).filter(Number.isFinite);
    const most = own.reduce((so, x) => Math.max(so, Math.abs(x)), 0);
    const limit = (kept.limits[i] = limitFor(most, kept.limits[i] ?? 0));
    const counts = new Array(BINS).fill(0);
    for (const x of own) counts[Math.min(BINS - 1, Math.floor(((x / limit + 1) / 2) * BINS))] += 1;
    return { counts, limit };
  });
}

/** The scale so far, unless the greatest number leaves it or has become less than a tenth: a power of ten. @param {number} most @param {number} before */
function limitFor(most, before) {
  if (!most) return before || 1;
  return before >= most && before < 100 * most ? before : 10 ** Math.ceil(Math.log10(most));
}

/** @param {CanvasRenderingContext2D} context @param {Histogram} histogram @param {number} left @param {number} top @param {number} width @param {string} colour @param {Colours} colours */
function draw(context, { counts, limit }, left, top, width, colour, { line, mute }) {
  const height = ROW - LABEL - 6;
  const most = Math.max(1, ...counts);
  const each = width / counts.length;
  context.fillStyle = line;
  context.fillRect(left, top + height, width, 1);
  context.fillRect(left + width / 2, top, 1, height);
  context.fillStyle = colour;
  counts.forEach((count, i) => {
    const tall = (count / most) * height;
    if (count) context.fillRect(left + i * each, top + height - Math.max(1, tall), each - 0.6, Math.max(1, tall));
  });
  context.fillStyle = mute;
  context.textBaseline = "top";
  for (const [text, align, x] of /** @type {const} */ ([[`\u2212${compact(limit)}`, "left", left], ["0", "center", left + width / 2], [compact(limit), "right", left + width]])) {
    context.textAlign = align;
    context.fillText(text, x, top + height + 3);
  }
}
