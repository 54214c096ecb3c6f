/** The generated WebAssembly of a run in this browser, and views of its memory. */
import { bytes } from "./decode.js";
import { batchSize, segmentAt } from "./segments.js";

/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Snapshot} Snapshot */
/**
 * @typedef {{
 *   size: number, saved: number, step: number, parameter: number, parameters: number, gradient: number, rate: number,
 *   loss_sum: number, losses: number, hits: number, test_losses?: number | null, penalties?: number | null, logged: number,
 *   records: {train: number, test: number, points: number}, record: number, weights: Record<string, number>, identity: number,
 *   pairs: number, row: number, neurons: number, outputs: number, shade: number, map: number, map_bytes: number,
 *   points: number, count: number,
 * }} Layout  addresses in bytes, and sizes
 * @typedef {{name: string, writes: [number, number][], least: number, most: number | null, whole: boolean, positive: boolean}} Setting
 *   a setting that is a number in memory: its places there, each with a factor, and its range
 * @typedef {string | (() => Uint8Array<ArrayBuffer>)} PackedBytes  compressed, or made when they are needed
 * @typedef {{code: PackedBytes, memory: PackedBytes, layout: Layout, settings: Setting[], inputs: string, parts?: PackedPart[]}} Packed
 *   a run as the server hands it over; inputs: the maps of the inputs themselves; parts: of a run with changes in mid-run, its
 *   segments
 * @typedef {{start: number, code: PackedBytes, memory: PackedBytes, layout: Layout, copies: [number, number, number][]}} PackedPart
 *   memory: at its first step; copies: what it takes over, as address before, address here and size
 * @typedef {{
 *   start: number, layout: Layout, functions: Record<string, (...numbers: number[]) => void>, bytes: Uint8Array<ArrayBuffer>,
 *   begin: Uint8Array, copies: [number, number, number][],
 * }} Part  a segment in this browser; begin: its state at its first step, apart from what it takes over
 */

const NUMBER = 8; // bytes
const INDEX = 4;
const BINS = 32; // of a histogram

/** Decompress what the server sent. @param {PackedBytes} packed @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function unpacked(packed) {
  if (typeof packed !== "string") return packed();
  const stream = new Blob([bytes(packed)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A memory as the kernel needs it, with the indices that are not sent. @param {PackedBytes} memory @param {Layout} layout */
async function memoryOf(memory, { identity, count }) {
  const found = await unpacked(memory);
  const view = new DataView(found.buffer);
  for (let i = 0; i < count; i += 1) view.setUint32(identity + INDEX * i, i, true);
  return found;
}

/** The step of a state. @param {Uint8Array} state @param {Layout} layout */
const stepOf = (state, layout) => new DataView(state.buffer, state.byteOffset).getInt32(layout.step, true);

/** @param {PackedPart} packed @returns {Promise<Part>} */
async function partOf({ start, code, memory, layout, copies }) {
  const { instance } = await WebAssembly.instantiate(await unpacked(code));
  const functions = /** @type {Part["functions"]} */ (/** @type {unknown} */ (instance.exports));
  const { buffer } = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
  const all = new Uint8Array(/** @type {ArrayBuffer} */ (buffer));
  all.set(await memoryOf(memory, layout));
  return { start, layout, functions, bytes: all, begin: all.slice(0, layout.saved), copies };
}

export class Machine {
  /** @param {Part[]} parts @param {Packed} packed @param {Setup} setup */
  constructor(parts, packed, setup) {
    this.parts = parts;
    this.packed = packed;
    this.inputs = bytes(packed.inputs);
    this.setup = setup;
    this.part = parts[0];
    /** The parameters before the last update, and the step after it. */ this.before = { step: -1, parameters: new Float64Array() };
    this.view = new DataView(this.part.bytes.buffer);
    this.numbers = new Float64Array(this.part.bytes.buffer);
    this.grid = setup.bounds && setup.inputs === 2 ? this.#cells(setup.grid) : null;
    this.map = setup.bounds ? this.#cells(setup.map) : this.#stripes(setup.map);
    this.curve = setup.bounds && setup.inputs === 1 ? this.#along(200) : null;
  }

  /** @param {Packed} packed @param {Setup} setup @returns {Promise<Machine>} */
  static async start(packed, setup) {
    const found = packed.parts ?? [{ ...packed, start: 0, copies: [] }];
    const machine = new Machine(await Promise.all(found.map(partOf)), packed, setup);
    await machine.fill(packed);
    return machine;
  }

  /** Take the memory of another step. @param {Packed} packed */
  async fill({ memory, layout }) {
    const now = await memoryOf(memory, layout);
    this.#use(this.#partAt(stepOf(now, layout)));
    this.bytes.set(now);
  }

  get layout() {
    return this.part.layout;
  }

  get functions() {
    return this.part.functions;
  }

  get bytes() {
    return this.part.bytes;
  }

  /** @param {number} step */
  #partAt(step) {
    return this.parts[Math.max(0, this.parts.findLastIndex(({ start }) => start <= step))];
  }

  /** @param {Part} part */
  #use(part) {
    this.part = part;
    this.view = new DataView(part.bytes.buffer);
    this.numbers = new Float64Array(part.bytes.buffer);
  }

  /** Continue in the next segment. @param {Part} next */
  #follow(next) {
    const before = this.bytes;
    next.bytes.set(next.begin);
    for (const [from, to, size] of next.copies) next.bytes.set(before.subarray(from, from + size), to);
    next.functions.spread();
    this.#use(next);
  }

  get step() {
    return this.view.getInt32(this.layout.step, true);
  }

  /** @param {number} address @param {number} count */
  read(address, count) {
    return this.numbers.slice(address / NUMBER, address / NUMBER + count);
  }

  /** @param {number} address @param {number} number */
  write(address, number) {
    this.numbers[address / NUMBER] = number;
  }

  /** Train some steps; the parameters before the last one are kept. @param {number} count */
  train(count) {
    if (count > 1) this.#train(count - 1);
    if (count < 1) return;
    const before = this.read(this.layout.parameter, this.layout.parameters);
    this.#train(1);
    this.before = { step: this.step, parameters: before };
  }

  /** @param {number} count */
  #train(count) {
    const last = this.step + count;
    while (this.step < last) {
      const next = this.parts[this.parts.indexOf(this.part) + 1];
      this.functions.train(Math.min(last, next?.start ?? last) - this.step);
      if (next && this.step === next.start) this.#follow(next);
    }
  }

  /** A checkpoint of the training state. @returns {Uint8Array} */
  save() {
    return this.bytes.slice(0, this.layout.saved);
  }

  /** @param {Uint8Array} state */
  restore(state) {
    this.#use(this.#partAt(stepOf(state, this.layout)));
    this.bytes.set(state);
    this.functions.spread();
  }

  /** The metrics of the steps from `from` to before `to`. @param {number} from @param {number} to @returns {import("./types.js").Log} */
  log(from, to) {
    const { losses, hits, test_losses: tests, penalties, logged } = this.layout;
    const ring = (/** @type {number} */ address, /** @type {number} */ step) => this.numbers[address / NUMBER + (step % logged)];
    const list = (/** @type {(step: number) => number} */ value) => Float64Array.from({ length: to - from }, (_, i) => value(from + i));
    return {
      from,
      losses: list((step) => ring(losses, step)),
      tests: tests ? list((step) => ring(tests, step)) : null,
      accuracies: this.setup.kind === "classes" ? list((step) => ring(hits, step) / this.batchSize(step)) : null,
      penalties: penalties ? list((step) => ring(penalties, step)) : null,
    };
  }

  get trained() {
    return this.setup.samples.filter(({ test }) => !test).length;
  }

  /** The size of a batch; the last one of an epoch may be smaller. @param {number} step */
  batchSize(step) {
    return batchSize(this.setup, step, this.trained);
  }

  /** The current state with what is seen of it. @param {string} see @returns {Snapshot} */
  snapshot(see) {
    const { layout, setup } = this;
    const sights = see.split(",");
    const hasPlot = sights.includes("plot");
    const { step } = this;
    this.functions.look();
    const [loss, hits] = this.#sums();
    const gradient = this.read(layout.gradient, layout.parameters);
    const parameters = this.read(layout.parameter, layout.parameters);
    const rate = this.numbers[layout.rate / NUMBER];
    const isClass = setup.kind === "classes";
    const tests = setup.samples.length - this.trained;
    const test = tests ? this.#evaluate("test", tests) : null;
    const penalty = this.#penalty();
    const whole = segmentAt(setup, step).partial ? this.#evaluate("train", this.trained) : null;
    return {
      step, loss, penalty, rate, parameters, gradient,
      accuracy: isClass ? hits / this.batchSize(step) : null,
      wholeLoss: whole ? whole[0] : null,
      wholeAccuracy: whole && isClass ? whole[1] / this.trained : null,
      testLoss: test ? test[0] : null,
      testAccuracy: test && isClass ? test[1] / tests : null,
      norms: this.#norms(parameters, gradient),
      predictions: sights.includes("predictions") ? this.#predictions() : null,
      activations: sights.includes("activations") ? this.#counts() : null,
      batch: null,
      grid: this.grid && hasPlot ? this.#shades(this.grid, setup.limit, true) : null,
      curve: this.curve && hasPlot ? this.#curve(this.curve) : null,
      maps: sights.includes("maps") ? this.#maps(this.map, this.inputs) : null,
      isRough: false,
      bytes: 40_000 + 16 * parameters.length,
    };
  }

  /** Loss and hits of the last evaluation. @returns {[number, number]} */
  #sums() {
    const at = this.layout.loss_sum / NUMBER;
    return [this.numbers[at] + this.numbers[at + 1], this.numbers[at + 2] + this.numbers[at + 3]];
  }

  /** The penalty, which is part of the training loss. */
  #penalty() {
    if (!segmentAt(this.setup, this.step).penalty) return 0;
    this.numbers.fill(0, this.layout.loss_sum / NUMBER, this.layout.loss_sum / NUMBER + 2);
    this.functions.penalty();
    return this.#sums()[0];
  }

  /** Loss and hits over a whole set of so many samples; penalties are part of that of training data. @param {"train" | "test"} which @param {number} count */
  #evaluate(which, count) {
    const { records, identity, weights } = this.layout;
    this.functions.over_blocks(records[which], identity, weights[which], this.#blocks(count), 0);
    if (which === "train" && segmentAt(this.setup, this.step).penalty) this.functions.penalty();
    return this.#sums();
  }

  /** @param {number} count */
  #blocks(count) {
    return Math.ceil(count / (2 * this.layout.pairs));
  }

  /** @param {Float64Array} parameters @param {Float64Array} gradient */
  #norms(parameters, gradient) {
    const { layers } = this.setup;
    const before = this.before.step === this.step ? this.before.parameters : null;
    let end = 0;
    return layers.slice(1).map((size, i) => {
      const start = end;
      end += (layers[i] + 1) * size;
      const own = parameters.subarray(start, end);
      const updates = before ? Math.hypot(...before.subarray(start, end).map((x, k) => own[k] - x)) : null;
      return { layer: i + 1, weights: Math.hypot(...own), gradients: Math.hypot(...gradient.subarray(start, end)), updates };
    });
  }

  /** The centres of the cells of a picture as records, row by row from the top. @param {number} side */
  #cells(side) {
    const [x0, x1, y0, y1] = /** @type {number[]} */ (this.setup.bounds);
    const middle = (/** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ i) => start + (end - start) * ((i + 0.5) / side);
    const xs = Array.from({ length: side }, (_, i) => middle(x0, x1, i));
    if (this.setup.inputs === 1) return this.#records(xs.map((x) => [x]));
    const ys = Array.from({ length: side }, (_, i) => middle(y1, y0, i));
    return this.#records(ys.flatMap((y) => xs.map((x) => [x, y])));
  }

  /** Maps over more than two inputs: a stripe per sample, its row repeated `side` times. @param {number} side */
  #stripes(side) {
    const trained = this.setup.samples.filter((sample) => !sample.test);
    const row = Array.from({ length: side }, (_, i) => trained[Math.floor((i * trained.length) / side)].x);
    return this.#records(Array.from({ length: side }, () => row).flat());
  }

  /** @param {number} count */
  #along(count) {
    const [x0, x1] = /** @type {number[]} */ (this.setup.bounds);
    return this.#records(Array.from({ length: count }, (_, i) => [x0 + (x1 - x0) * (i / (count - 1))]));
  }

  /** @param {number[][]} points */
  #records(points) {
    const blank = new Array(this.layout.record / NUMBER - points[0].length).fill(0);
    return { count: points.length, numbers: Float64Array.from(points.flatMap((point) => [...point, ...blank])) };
  }

  /** The quantised activation of each neuron at each point. @param {{count: number, numbers: Float64Array}} points @param {number} limit @param {boolean} last */
  #shades(points, limit, last) {
    this.numbers[this.layout.shade / NUMBER] = 127 / limit;
    this.numbers.set(points.numbers, this.layout.records.points / NUMBER);
    return this.#activations("shades", 1, this.layout.records.points, points.count, last);
  }

  /** @param {string} name @param {number} size bytes of a number @param {number} records @param {number} count @param {boolean} last */
  #activations(name, size, records, count, last) {
    const { layout, setup } = this;
    const neurons = last ? setup.outputs : setup.layers.slice(1).reduce((sum, n) => sum + n, 0);
    const slots = 2 * layout.pairs;
    const most = Math.floor(layout.map_bytes / (neurons * size * slots)) * slots;
    const found = new Uint8Array(neurons * count * size);
    for (let start = 0; start < count; start += most) {
      const some = Math.min(most, count - start);
      const stride = this.#blocks(some) * slots * size;
      this.functions[name](records + start * layout.record, this.#blocks(some), last ? layout.outputs : layout.neurons, neurons * layout.row, layout.map, stride);
      for (let neuron = 0; neuron < neurons; neuron += 1) {
        const from = layout.map + neuron * stride;
        found.set(this.bytes.subarray(from, from + some * size), (neuron * count + start) * size);
      }
    }
    return found;
  }

  /** @param {{count: number, numbers: Float64Array}} points */
  #curve(points) {
    this.numbers.set(points.numbers, this.layout.records.points / NUMBER);
    const found = new Float64Array(this.#activations("activations", NUMBER, this.layout.records.points, points.count, true).buffer);
    const xs = points.numbers.filter((_, i) => i % (this.layout.record / NUMBER) === 0);
    return [xs, ...Array.from({ length: this.setup.outputs }, (_, k) => found.slice(k * points.count, (k + 1) * points.count))];
  }

  /** The maps of all neurons, with one call of the kernel per distinct limit. @param {{count: number, numbers: Float64Array}} points @param {Uint8Array} inputs */
  #maps(points, inputs) {
    const { layers, map_limits: limits } = this.setup;
    const neurons = layers.slice(1).reduce((sum, n) => sum + n, 0);
    const found = new Uint8Array(inputs.length + neurons * points.count);
    found.set(inputs);
    for (const limit of new Set(limits.slice(1))) {
      const shades = this.#shades(points, limit, false);
      let start = 0;
      layers.slice(1).forEach((size, i) => {
        const end = start + size * points.count;
        if (limits[i + 1] === limit) found.set(shades.subarray(start, end), inputs.length + start);
        start = end;
      });
    }
    return found;
  }

  /** How often the activation of a neuron for a training sample falls in each bin, by layer, as `activation_counts` of the server. */
  #counts() {
    const { layers, map_limits: limits } = this.setup;
    let end = 0;
    return layers.slice(1).map((size, i) => {
      const start = end;
      end += size * this.trained;
      this.numbers[this.layout.shade / NUMBER] = 127 / limits[i + 1];
      const shades = this.#activations("shades", 1, this.layout.records.train, this.trained, false).subarray(start, end);
      const counts = new Array(BINS).fill(0);
      for (const shade of shades) if (shade) counts[Math.min(Math.floor(((shade - 1) * BINS) / 255), BINS - 1)] += 1;
      return counts;
    });
  }

  #predictions() {
    const { trained } = this;
    const found = new Float64Array(this.#activations("activations", NUMBER, this.layout.records.train, trained, true).buffer);
    return Array.from({ length: trained }, (_, i) => Array.from({ length: this.setup.outputs }, (_, k) => found[k * trained + i]));
  }
}
