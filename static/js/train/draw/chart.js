/** The loss chart (uPlot): training, test and pinned runs, on a linear or log scale, with zoom. */

import { brief, compact } from "../../common/numbers.js";
import { hasPenalty, isPartial, marksOf } from "../run/segments.js";
import { LONG, drawNames } from "./curve-names.js";
import { Smoothed } from "./smoothing.js";
import { heightsOf, valueAt } from "./thinned.js";

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("../run/store.js").Losses} Losses */
/** @typedef {{words: string, query: string, losses: Losses}} Pinned */
/** @typedef {import("./thinned.js").Line} Line */

const MOST = 700; // points per line; more steps are reduced to minimum and maximum per bucket
const WHOLE = 1000; // longest run, in steps, whose axis has its full length from the start
const DIGIT = 7; // maximum width of an axis digit in pixels
const LETTER = 6.7; // width of a letter in the name of a curve, about
const CLICK = 4; // maximum movement of a click, in pixels
const TWICE = 250; // milliseconds of a double click
const FACTOR = 2; // zoom per key press
const [CHEAP, REST] = [3, 8]; // milliseconds of a drawing that may be in every frame; times that a longer one takes, until the next
const KEYS = "plus and minus zoom around the step shown, 0 or Escape shows the whole run";

export class Chart {
  /** @param {HTMLElement} box @param {Palette} palette @param {(step: number) => void} onStep */
  constructor(box, palette, onStep) {
    this.box = box;
    this.palette = palette;
    this.onStep = onStep;
    this.isLog = false;
    /** The weight of the past in the smoothed loss; 0 shows none. */ this.smoothing = 0;
    this.steps = 1;
    this.at = 0;
    /** The loss at the step shown, which the log does not include yet. */ this.loss = NaN;
    /** @type {Line[]} */ this.lines = [];
    /** @type {Pinned[]} */ this.pins = [];
    /** Whether pinned curves have their words for names. */ this.isNamed = false;
    /** Whether the losses are those of batches, drawn as a band behind those over all training data. */ this.isPartial = false;
    /** Whether a penalty is part of the loss, with a line of its own. */ this.hasPenalty = false;
    /** Changes in mid-run. @type {{step: number, words: string}[]} */ this.marks = [];
    /** @type {Losses | null} */ this.losses = null;
    /** @type {[number, number] | null} */ this.zoomed = null;
    /** @type {() => void} */ this.onZoom = () => {};
    /** @type {any} */ this.plot = null;
    /** When the chart may be drawn again. */ this.free = 0;
    /** @type {number | undefined} */ this.later = undefined;
    this.under = Object.assign(document.createElement("p"), { className: "under", hidden: true });
    box.append(this.under);
    new ResizeObserver(() => this.#fit()).observe(box);
    this.#nameKeys();
    box.addEventListener("keydown", (event) => this.#onKey(event));
  }

  #nameKeys() {
    this.box.tabIndex = 0;
    this.box.removeAttribute("aria-labelledby");
    this.box.setAttribute("aria-label", `Loss over the steps; ${KEYS}`);
    this.box.title = "Click: go to that step. Drag: zoom; double-click: whole run. Keys: + and − zoom around the step shown, 0 or Escape: whole run";
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.#scale(1 / FACTOR);
    else if (event.key === "-" || event.key === "_") this.#scale(FACTOR);
    else if ((event.key === "0" || event.key === "Escape") && this.zoomed) this.unzoom();
    else return;
    event.preventDefault();
  }

  /** Zoom around the step shown. @param {number} factor */
  #scale(factor) {
    const [first, last] = this.#range();
    const whole = this.#most();
    const width = Math.max(2, (last - first) * factor);
    if (width >= whole) return this.unzoom();
    const start = Math.min(Math.max(0, this.at - width / 2), whole - width);
    this.zoomed = [start, start + width];
    this.onZoom();
    this.draw();
  }

  /** Show another run. @param {{losses: Losses, setup: {steps: number, segments?: import("../run/segments.js").Segment[]}}} run */
  load({ losses, setup }) {
    this.losses = losses;
    this.marks = marksOf(setup.segments ?? []);
    this.isPartial = isPartial(setup);
    this.hasPenalty = hasPenalty(setup);
    this.steps = setup.steps;
    this.zoomed = null;
    this.loss = NaN;
    this.onZoom();
    this.build();
  }

  /** Rebuild the plot, after a change of lines, colours or scale. */
  build() {
    const { losses, box } = this;
    if (!losses || !box.clientWidth) return;
    const smoothed = this.smoothing ? new Smoothed(losses, this.smoothing) : null;
    const all = { losses, values: () => losses.all, known: () => losses.drawn };
    const seen = { losses, known: () => losses.losses.length + 1, isSparse: true };
    /** @type {Line[]} */ const own = this.isPartial ? [{ ...all, name: "batch", of: "high" }, { ...all, name: "", of: "low" }, { ...all, name: "", of: "mean" }] : [{ ...all, name: "loss" }];
    this.lines = [
      ...own,
      { ...all, name: "test", values: () => losses.tests },
      ...(this.hasPenalty ? [{ ...seen, name: "penalty", values: () => losses.penalties }] : []),
      ...(this.isPartial ? [{ ...seen, name: "loss", values: () => losses.wholes }] : []),
      ...(smoothed ? [{ name: "smoothed", losses, values: () => smoothed.all, known: () => losses.known }] : []),
      ...this.pins.map((pin, i) => this.#pinned(pin, i)),
    ];
    this.plot?.destroy();
    const { uPlot } = /** @type {any} */ (globalThis);
    this.plot = new uPlot(this.#options(uPlot), this.#data(), box);
    this.#listen();
    this.draw();
  }

  /** The curve of a pinned run, which is no rougher than that of the run shown. @param {Pinned} pin @param {number} i @returns {Line} */
  #pinned({ losses, words }, i) {
    const name = this.isNamed ? words : `pin ${i + 1}`;
    const smoothed = this.smoothing ? new Smoothed(losses, this.smoothing) : null;
    if (smoothed) return { name, losses, values: () => smoothed.all, known: () => losses.known };
    return { name, losses, values: () => losses.all, known: () => losses.drawn, of: this.isPartial ? "mean" : undefined };
  }

  /** @param {any} uPlot */
  #options(uPlot) {
    const { palette, box } = this;
    const line = (/** @type {string} */ stroke, more = {}) => ({ stroke, width: 2, points: { show: false }, ...more });
    return {
      width: box.clientWidth,
      height: box.clientHeight,
      legend: { show: false },
      padding: [this.marks.length ? 18 : 8, this.#room(), 0, 0],
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false } },
      scales: { x: { time: false, range: () => this.#range() }, y: this.#lossScale() },
      axes: this.#axes(),
      series: [
        {},
        ...(this.isPartial ? [line("transparent"), line("transparent"), line(palette.dataSoft, { width: 1 })] : [this.smoothing ? line(palette.dataSoft, { width: 1 }) : line(palette.data)]),
        line(palette.ink, { dash: [5, 4], width: 1.4 }),
        ...(this.hasPenalty ? [line(palette.grad, { width: 1.2, spanGaps: true })] : []),
        ...(this.isPartial ? [line(palette.data, this.smoothing ? { paths: () => null, points: { show: true, size: 4, fill: palette.data } } : { spanGaps: true })] : []),
        ...(this.smoothing ? [line(palette.data)] : []),
        ...this.pins.map((_, i) => line(palette.runs[i % palette.runs.length], { width: 1.5, dash: i < palette.runs.length ? [] : [6, 4] })),
      ],
      bands: this.isPartial ? [{ series: [1, 2], fill: palette.dataWash }] : [],
      hooks: { draw: [(/** @type {any} */ plot) => this.#drawMarks(plot), (/** @type {any} */ plot) => this.#drawStep(plot), (/** @type {any} */ plot) => this.#nameCurves(plot)], setCursor: [(/** @type {any} */ plot) => this.#tellUnder(plot)], setSelect: [(/** @type {any} */ plot) => this.#zoom(plot)] },
      plugins: [],
      pxAlign: uPlot.pxAlign,
    };
  }

  /** The scale of the losses. */
  #lossScale() {
    const within = this.isLog ? powers : heights;
    const range = (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => within(...this.#with(low, high));
    return this.isLog ? { distr: 3, range } : { range };
  }

  #axes() {
    const { palette, box } = this;
    const font = `11px ${getComputedStyle(box).fontFamily}`;
    const axis = { stroke: palette.mute, font, grid: { stroke: palette.line, width: 1 }, ticks: { show: false } };
    const values = (/** @type {any} */ _, /** @type {(number | null)[]} */ ticks) => ticks.map((x) => (x === null ? "" : compact(x)));
    const splits = (/** @type {any} */ plot) => decades(plot.scales.y.min, plot.scales.y.max);
    return [{ ...axis, size: 24, gap: 4, space: 60 }, { ...axis, size: 46, gap: 5, space: 26, values, ...(this.isLog ? { splits } : {}) }];
  }

  /** Padding on the right for half of the last tick label, and for the names of curves, in pixels. */
  #room() {
    const letters = this.isNamed ? Math.max(0, ...this.pins.map(({ words }) => Math.min(words.length, LONG))) : 0;
    return Math.max(14, LETTER * letters, 4 + DIGIT / 2 * this.#most().toLocaleString("en").length);
  }

  /** Steps of the longest run on the chart. */
  #most() {
    return Math.max(this.steps, ...this.pins.map(({ losses }) => losses.losses.length));
  }

  /** The range extended by the point at the step shown. @param {number} low @param {number} high @returns {[number, number]} */
  #with(low, high) {
    const [first, last] = this.#range();
    if (!Number.isFinite(this.loss) || this.at < first || this.at > last || (this.isLog && this.loss <= 0)) return [low, high];
    return [Math.min(low ?? Infinity, this.loss), Math.max(high ?? -Infinity, this.loss)];
  }

  /** @returns {[number, number]} the steps on the axis */
  #range() {
    if (this.zoomed) return this.zoomed;
    const most = this.#most();
    if (most <= WHOLE) return [0, most];
    const known = Math.max(1, ...this.lines.map((line) => line.known()), this.at);
    return [0, Math.min(most, Math.max(WHOLE, rounded(known)))];
  }

  /** The data drawn: every step, or the minimum and maximum of each bucket. */
  #data() {
    const [first, last] = this.#range();
    const [from, to] = [Math.max(0, Math.floor(first)), Math.ceil(last)];
    const each = Math.max(1, Math.ceil((to - from) / MOST));
    const xs = [];
    if (each === 1) for (let step = from; step <= to; step += 1) xs.push(step);
    else for (let step = from; step <= to; step += each) xs.push(step, step + each / 2);
    const isShown = (/** @type {number} */ y) => !this.isLog || y > 0;
    return [xs, ...this.lines.map((line) => heightsOf(line, from, each, xs.length, isShown))];
  }

  /** Changes in mid-run as dotted lines, with their words where there is room. @param {any} plot */
  #drawMarks(plot) {
    const { ctx, bbox } = plot;
    let end = -Infinity;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = this.palette.mute;
    ctx.lineWidth = devicePixelRatio;
    ctx.font = `${11 * devicePixelRatio}px ${getComputedStyle(this.box).fontFamily}`;
    [ctx.textAlign, ctx.textBaseline] = ["left", "alphabetic"];
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const { step, words } of this.marks) {
      const x = Math.round(plot.valToPos(step, "x", true));
      if (x < bbox.left || x > Math.round(bbox.left + bbox.width)) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      const { width } = ctx.measureText(words);
      const left = Math.min(Math.max(bbox.left, x - width / 2), ctx.canvas.width - width);
      if (left <= end) continue;
      ctx.fillText(words, left, bbox.top - 5 * devicePixelRatio);
      end = left + width + 6 * devicePixelRatio;
    }
    ctx.restore();
  }

  /** The names of pinned curves beside their last points. @param {any} plot */
  #nameCurves(plot) {
    if (!this.isNamed) return;
    const { runs, paper } = this.palette;
    const ends = this.lines.slice(-this.pins.length).map(({ name }, i) => {
      const ys = plot.data[plot.data.length - this.pins.length + i];
      const last = ys.findLastIndex((/** @type {number | null} */ y) => y !== null);
      return { name, colour: runs[i % runs.length], x: plot.valToPos(plot.data[0][last], "x", true), y: plot.valToPos(ys[last], "y", true) };
    });
    const font = `${11 * devicePixelRatio}px ${getComputedStyle(this.box).fontFamily}`;
    drawNames(plot.ctx, ends.filter(({ y }) => Number.isFinite(y)), { ...plot.bbox, width: plot.ctx.canvas.width - plot.bbox.left }, { font, ground: paper, scale: devicePixelRatio });
  }

  /** @param {any} plot */
  #drawStep(plot) {
    const x = Math.round(plot.valToPos(this.at, "x", true));
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > Math.round(left + width)) return;
    const { ctx } = plot;
    ctx.save();
    ctx.strokeStyle = this.palette.dataSoft;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    this.#drawPoint(plot, x);
    ctx.restore();
  }

  /** @param {any} plot @param {number} x */
  #drawPoint(plot, x) {
    const { ctx } = plot;
    if (!Number.isFinite(this.loss) || (this.isLog && this.loss <= 0)) return;
    ctx.fillStyle = this.palette.data;
    ctx.beginPath();
    ctx.arc(x, plot.valToPos(this.loss, "y", true), 3.5 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }

  /** The numbers of the step under the pointer, as they are in the log. @param {any} plot */
  #tellUnder({ cursor: { left }, posToVal }) {
    const step = Math.round(posToVal(left, "x"));
    const isOver = left >= 0 && step >= 0 && step <= this.#most();
    this.under.hidden = !isOver;
    if (!isOver) return;
    const values = this.lines.map((line) => valueAt(line, step));
    const loss = this.lines.findIndex(({ name }) => name === "loss");
    if (values[loss] === null && step === this.at && Number.isFinite(this.loss)) values[loss] = this.loss;
    const words = this.lines.map(({ name }, i) => (values[i] === null || !name ? "" : `${name} ${brief(Number(values[i]))}`)).filter(Boolean);
    this.under.textContent = [`step ${step.toLocaleString("en")}`, ...words].join(" · ");
  }

  /** @param {any} plot */
  #zoom(plot) {
    const { left, width } = plot.select;
    if (width <= CLICK) return;
    const [first, last] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    if (last - first < 2) return;
    this.zoomed = [first, last];
    this.onZoom();
    this.draw();
  }

  unzoom() {
    this.zoomed = null;
    this.onZoom();
    this.draw();
  }

  /** A click, unlike a drag, seeks to its step. */
  #listen() {
    /** @type {HTMLElement} */ const over = this.plot.over;
    let down = 0;
    /** @type {number | undefined} */ let timer;
    over.addEventListener("pointerdown", (event) => (down = event.clientX));
    over.addEventListener("dblclick", () => {
      clearTimeout(timer);
      this.unzoom();
    });
    over.addEventListener("click", (event) => {
      clearTimeout(timer);
      if (Math.abs(event.clientX - down) > CLICK || event.detail > 1) return;
      const step = this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
      const go = () => this.onStep(Math.min(Math.max(Math.round(step), 0), this.steps));
      // When zoomed, wait: a second click would make it a double click, which zooms out.
      if (this.zoomed) timer = window.setTimeout(go, TWICE);
      else go();
    });
  }

  /** Draw now, or where that takes long, so rarely that it does not hold up the rest of the page.
   * @param {number} [at] the step that is shown @param {number} [loss] its loss */
  draw(at = this.at, loss = this.loss) {
    [this.at, this.loss] = [at, loss];
    clearTimeout(this.later);
    const wait = this.free - performance.now();
    if (wait > 0) this.later = window.setTimeout(() => this.#redraw(), wait);
    else this.#redraw();
  }

  #redraw() {
    const start = performance.now();
    this.plot?.setData(this.#data(), true);
    queueMicrotask(() => { // after that in which uPlot draws
      const end = performance.now();
      this.free = end - start > CHEAP ? end + REST * (end - start) : 0;
    });
  }

  /** @param {boolean} isLog */
  setLog(isLog) {
    this.isLog = isLog;
    this.build();
  }

  /** @param {number} weight */
  smooth(weight) {
    this.smoothing = weight;
    this.build();
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    if (!this.plot) this.build();
    else if (width !== this.plot.width || height !== this.plot.height) this.plot.setSize({ width, height });
  }
}

/** The range of a linear axis: from 0 to 5% above the maximum. @param {number} low @param {number} high @returns {[number, number]} */
function heights(low, high) {
  if (low === null || high === null || !Number.isFinite(high)) return [0, 1];
  return [Math.min(0, low), high > 0 ? high * 1.05 : 1];
}

/** The range of a log axis: the data with a margin. @param {number} low @param {number} high @returns {[number, number]} */
function powers(low, high) {
  if (!(low > 0) || !Number.isFinite(high)) return [0.1, 1];
  return [Math.max(low, high * 1e-12) / 1.2, high * 1.2];
}

/** Ticks of a log axis: powers of ten, with multiples of them if there are few. @param {number} low @param {number} high */
function decades(low, high) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : last - first > 2 ? [1, 3] : [1, 2, 5];
  const each = Math.ceil((last - first) / 6);
  const found = [];
  for (let exponent = first; exponent <= last; exponent += each) {
    for (const factor of factors) found.push(Number(`${factor}e${exponent}`));
  }
  return found.filter((x) => x >= low && x <= high);
}

/** The next round number at least 2% above `known`. @param {number} known */
function rounded(known) {
  const size = 10 ** Math.floor(Math.log10(known));
  return [1, 1.5, 2, 3, 5, 7, 10].map((factor) => factor * size).find((end) => end >= known * 1.02) ?? 15 * size;
}
