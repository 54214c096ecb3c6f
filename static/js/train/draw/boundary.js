/**
 * The plot of the network over its inputs: decision boundary, or fitted curve for one input, with the
 * samples on top, on a canvas of their own that is redrawn only when they change.
 */
import { inOwnUnits } from "../run/own-units.js";
import { placed } from "../run/split.js";
import { drawAxes } from "./axes.js";
import { centred, flat, valued } from "./colours.js";
import { Surface, Tile } from "./surface.js";

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("./network.js").Neuron} Neuron */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Sample} Sample */

const RADIUS = 4.2;
const NAN = 0; // the byte of nan
const NEAR = 12; // hit radius of a sample in pixels

/** The palette index of a label. @param {number} label */
const classOf = (label) => Math.max(0, Math.round(label));

export class Boundary {
  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} points @param {Palette} palette */
  constructor(canvas, points, palette) {
    this.palette = palette;
    /** @type {Setup | null} */ this.setup = null;
    /** @type {Snapshot | null} */ this.snapshot = null;
    /** @type {Sample[]} */ this.samples = [];
    /** @type {number | null} */ this.chosen = null;
    /** The sample in slow motion. @type {number | null} */ this.told = null;
    /** @type {Set<number>} */ this.batch = new Set();
    /** @type {Set<number>} */ this.picked = new Set();
    /** @type {[number, number] | null} */ this.cross = null;
    /** Whether each class has one flat colour. */ this.isFlat = false;
    /** Whether test samples are drawn. */ this.hasTests = true;
    /** The neuron whose map is drawn in place of the output. @type {Neuron | null} */ this.neuron = null;
    this.field = new Surface(canvas, () => this.draw());
    this.dots = new Surface(points, () => this.drawSamples());
  }

  /** Show another run. @param {{setup: Setup}} run */
  load({ setup }) {
    this.setup = setup;
    this.samples = placed(setup);
    this.snapshot = null;
    this.neuron = null;
    this.chosen = null;
    this.batch = new Set();
    this.picked = new Set();
    if (setup.bounds) this.tile = new Tile(setup.grid, setup.grid);
    this.drawSamples();
  }

  /** How it is drawn, as parameters of its picture. @returns {Record<string, number>} */
  get looks() {
    return { ...(this.isFlat ? { flat: 1 } : {}), ...(this.hasTests ? {} : { tests: 0 }) };
  }

  get isPlane() {
    return this.setup?.inputs === 2;
  }

  /** @param {Snapshot} [snapshot] */
  draw(snapshot = this.snapshot ?? undefined) {
    if (!snapshot || !this.setup) return;
    this.snapshot = snapshot;
    if (this.neuron && snapshot.maps) this.#drawNeuron(this.neuron, snapshot.maps);
    else if (snapshot.curve) this.#drawCurve(snapshot.curve);
    else if (snapshot.grid && this.tile) this.#drawPlane(snapshot.grid, this.tile);
  }

  /** @param {Uint8Array} grid @param {Tile} tile */
  #drawPlane(grid, tile) {
    const { outputs, classes, threshold, limit } = /** @type {Setup} */ (this.setup);
    if (outputs === 1) tile.paint(grid, 0, this.#map(centred(this.palette.sign, threshold / limit)));
    else if (outputs === 2 && classes === 2) this.#paintPair(grid, tile);
    else this.#paintClasses(grid, tile, outputs);
    this.#stretch(tile.canvas);
  }

  /** @param {HTMLCanvasElement} map */
  #stretch(map) {
    const { context, width, height } = this.field;
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = "medium";
    context.drawImage(map, 0, 0, width, height);
  }

  /** The map of a neuron; over one input its activation, from the least to the largest of its range. @param {Neuron} neuron @param {Uint8Array} maps */
  #drawNeuron({ map, tile }, maps) {
    const { bounds, map: count } = /** @type {Setup} */ (this.setup);
    if (this.isPlane) return this.#stretch(tile.canvas);
    const [x0, x1, y0, y1] = bounds ?? [0, 1, 0, 1];
    const xs = Float64Array.from({ length: count }, (_, i) => x0 + ((x1 - x0) * (i + 0.5)) / count);
    const ys = xs.map((_, i) => (maps[map * count + i] ? y0 + (y1 - y0) * (0.5 + (0.45 * (maps[map * count + i] - 128)) / 127) : NaN));
    this.#drawCurve([xs, ys]);
  }

  /** Draw a neuron's map in place of the output, or the output again. @param {Neuron | null} neuron */
  look(neuron) {
    if (neuron === this.neuron) return;
    this.neuron = neuron;
    this.draw();
  }

  /** The colours of an output, in two flat colours if so chosen. @param {Uint32Array} sign */
  #map(sign) {
    return this.isFlat ? flat(sign) : sign;
  }

  /** Two outputs: their difference. @param {Uint8Array} grid @param {Tile} tile */
  #paintPair(grid, tile) {
    const { pixels } = tile;
    const map = this.#map(this.palette.sign);
    for (let i = 0; i < pixels.length; i += 1) {
      const [no, yes] = [grid[i], grid[pixels.length + i]];
      pixels[i] = map[no && yes ? 128 + ((yes - no) >> 1) : NAN];
    }
    tile.show();
  }

  /** Several outputs: the colour of the largest, saturated by its margin over the second.
   * @param {Uint8Array} grid @param {Tile} tile @param {number} outputs */
  #paintClasses(grid, tile, outputs) {
    const { pixels } = tile;
    const count = pixels.length;
    for (let i = 0; i < count; i += 1) {
      let [best, first, second, isNan] = [0, -1, -1, false];
      for (let k = 0; k < outputs; k += 1) {
        const byte = grid[k * count + i];
        isNan ||= byte === NAN;
        if (byte > first) [second, first, best] = [first, byte, k];
        else if (byte > second) second = byte;
      }
      const colours = this.palette.classes[best % this.palette.classes.length];
      pixels[i] = isNan ? this.palette.sign[NAN] : colours[this.isFlat ? 255 : Math.min(255, 2 * (first - second))];
    }
    tile.show();
  }

  /** @param {Float64Array[]} curve xs, then the outputs at them */
  #drawCurve([xs, ...outputs]) {
    const { context } = this.field;
    this.field.clear();
    this.#drawAxes();
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    outputs.forEach((ys, k) => {
      context.strokeStyle = k ? this.palette.points[k % this.palette.points.length] : this.palette.data;
      context.beginPath();
      for (let i = 0; i < xs.length; i += 1) {
        if (Number.isFinite(ys[i])) context.lineTo(...this.place(xs[i], ys[i]));
      }
      context.stroke();
    });
  }

  /** The bounds in the samples' own units. @param {[number, number, number, number]} bounds @returns {[number, number, number, number]} */
  #ownBounds([x0, x1, y0, y1]) {
    const setup = /** @type {Setup} */ (this.setup);
    const [low, high] = [[x0, y0], [x1, y1]].map((corner) => [...inOwnUnits(setup, this.isPlane ? corner : corner.slice(0, 1)), corner[1]]);
    return [low[0], high[0], low[1], high[1]];
  }

  #drawAxes() {
    const { context, width, height } = this.field;
    const [x, y] = this.place(0, 0);
    context.strokeStyle = this.palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(width, Math.round(y) + 0.5);
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, height);
    context.stroke();
  }

  /** Data coordinates to canvas pixels. @param {number} x @param {number} y @returns {[number, number]} */
  place(x, y) {
    const [x0, x1, y0, y1] = this.setup?.bounds ?? [0, 1, 0, 1];
    const { width, height } = this.dots;
    return [((x - x0) / (x1 - x0)) * width, ((y1 - y) / (y1 - y0)) * height];
  }

  /** Canvas pixels to data coordinates. @param {number} left @param {number} top @returns {[number, number]} */
  where(left, top) {
    const [x0, x1, y0, y1] = this.setup?.bounds ?? [0, 1, 0, 1];
    const { width, height } = this.dots;
    return [x0 + (left / width) * (x1 - x0), y1 - (top / height) * (y1 - y0)];
  }

  /** The position of a sample on the canvas. @param {Sample} sample */
  #spot({ x, y }) {
    return this.isPlane ? this.place(x[0], x[1]) : this.place(x[0], this.heightOf(y));
  }

  /** The height of a label over one input: the target, for a class that of its output. @param {number} y */
  heightOf(y) {
    if (this.setup?.kind !== "classes") return y;
    return this.setup.outputs === 1 && classOf(y) === 0 ? this.setup.no : 1;
  }

  /** Whether samples have the colour of their target on the scale of the outputs. */
  get #isValued() {
    return this.isPlane && this.setup?.kind !== "classes";
  }

  /** @param {Sample} sample */
  #colour({ y }) {
    const { palette, setup } = this;
    if (!setup || this.#isValued) return valued(palette.sign, y, setup?.limit ?? 1);
    if (setup.kind !== "classes") return palette.mute;
    if (setup.classes <= 2) return classOf(y) ? palette.pos : palette.neg;
    return palette.points[classOf(y) % palette.points.length];
  }

  drawSamples() {
    const { setup, dots, palette } = this;
    if (!setup?.bounds) return dots.clear();
    dots.clear();
    drawAxes(dots, this.#ownBounds(setup.bounds), this.isPlane ? ["x₁", "x₂"] : ["x₁", "output"], palette);
    this.samples.forEach((sample, i) => {
      if (sample.test && !this.hasTests) return;
      const [left, top] = this.#spot(sample);
      this.#dot(left, top, sample);
      const isChosen = i === this.chosen || i === this.told || this.picked.has(i);
      if (isChosen || this.batch.has(i)) this.#ring(left, top, isChosen);
    });
    if (this.cross) this.#drawCross(this.cross);
  }

  /** A sample: filled for training, hollow for testing. @param {number} left @param {number} top @param {Sample} sample */
  #dot(left, top, sample) {
    const { palette } = this;
    const { context } = this.dots;
    const colour = this.#colour(sample);
    context.beginPath();
    context.arc(left, top, RADIUS, 0, 2 * Math.PI);
    context.fillStyle = sample.test ? palette.paper : colour;
    context.fill();
    context.lineWidth = sample.test ? 2.4 : 1.2;
    context.strokeStyle = sample.test ? colour : "#fff";
    context.stroke();
    if (this.#isValued) this.#outline(left, top, sample.test ? RADIUS + 1.4 : RADIUS + 0.2);
  }

  /** The edge of a dot that may have the colour of its ground. @param {number} left @param {number} top @param {number} radius */
  #outline(left, top, radius) {
    const { context } = this.dots;
    context.beginPath();
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.lineWidth = 1;
    context.strokeStyle = this.palette.mute;
    context.stroke();
  }

  /** @param {number} left @param {number} top @param {boolean} strong */
  #ring(left, top, strong) {
    const { context } = this.dots;
    context.beginPath();
    context.arc(left, top, RADIUS + (strong ? 4 : 2.5), 0, 2 * Math.PI);
    context.lineWidth = strong ? 2.5 : 1.2;
    context.strokeStyle = strong ? this.palette.data : this.palette.ink;
    context.stroke();
  }

  /** The crosshair of the keyboard. @param {[number, number]} at */
  #drawCross([x, y]) {
    const { context } = this.dots;
    const [left, top] = this.place(x, y);
    context.strokeStyle = this.palette.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(left - 9, top);
    context.lineTo(left + 9, top);
    context.moveTo(left, top - 9);
    context.lineTo(left, top + 9);
    context.stroke();
  }

  /** The sample nearest to a canvas position, within NEAR. @param {number} left @param {number} top @returns {number | null} */
  nearest(left, top) {
    /** @type {number | null} */ let found = null;
    let least = NEAR;
    this.samples.forEach((sample, i) => {
      if (sample.test && !this.hasTests) return;
      const [x, y] = this.#spot(sample);
      const distance = Math.hypot(x - left, y - top);
      if (distance < least) [found, least] = [i, distance];
    });
    return found;
  }

  /** The index of a sample with these coordinates. @param {Sample} sample @returns {number | null} */
  indexOf(sample) {
    const same = (/** @type {Sample} */ other) => sample.x.every((x, i) => x === other.x[i]) && (this.isPlane || sample.y === other.y);
    const found = this.samples.findLastIndex(same);
    return found < 0 ? null : found;
  }

  /** Mark the picked samples. @param {number[]} indices */
  pick(indices) {
    this.picked = new Set(indices);
    this.drawSamples();
  }

  /** Mark the sample in slow motion. @param {number | null} index */
  tell(index) {
    if (index === this.told) return;
    this.told = index;
    this.drawSamples();
  }

  /** @param {number | null} index */
  choose(index) {
    if (index === this.chosen) return;
    this.chosen = index;
    this.drawSamples();
  }
}
