/**
 * The layout of the neurons, each with a canvas for its map: those of the features that can be chosen are buttons, the others
 * options of a list. A single output has its map beside the network and is a dot at its edge. Layers too tall for the window
 * show their first neurons and the number of the others.
 */
import { parameterOf } from "../run/parameters.js";
import { Tile } from "./surface.js";

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("../panels/features.js").Features} Features */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {{layer: number, index: number, row: number, x: number, y: number, half: number, map: number, button: HTMLElement, tile: Tile, painted?: Snapshot}} Neuron
 *   row: its place in its column; x, y: its centre; half: of its width; map: its index among the maps; painted: the state of its map */

const SIDE = 50; // maximum width and height of a neuron
const LEAST = 15; // minimum height of a neuron
const MOST = 32; // maximum neurons shown per layer
const LINES = 1000; // maximum links shown
const DOT = 10; // radius of a single output
const [TOP, BOTTOM, LEFT, RIGHT] = [62, 38, 18, 18];
const WORDS = 14; // the height of the number of neurons not shown
const NARROW = 115; // pixels of a layer below which it is named in short
const LETTER = 7; // pixels of a letter of an input's name, at most
const PITCH = 62; // maximum distance between neurons of a layer
const TURNS = 3; // frames in which each map is painted once, if it is not due

export class Network {
  /** @param {HTMLElement} box @param {Palette} palette @param {Features} features */
  constructor(box, palette, features) {
    this.box = box;
    this.palette = palette;
    this.features = features;
    /** Called after a layout. */ this.onLayout = () => {};
    /** Whether a map cannot wait for its turn. @type {(neuron: Neuron) => boolean} */ this.isDue = () => true;
    this.turn = 0;
    /** @type {Setup | null} */ this.setup = null;
    /** @type {Neuron[]} */ this.neurons = [];
    /** @type {HTMLElement[]} */ this.words = [];
    this.room = { width: 0, height: 0 };
    this.shape = "";
    this.list = document.createElement("div");
    this.list.className = "neurons";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Neurons");
    box.append(this.list);
    new ResizeObserver(([entry]) => this.#measure(entry.contentRect)).observe(box);
    box.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Show another run. @param {{setup: Setup}} run */
  load({ setup }) {
    this.setup = setup;
    this.room = { width: this.box.clientWidth, height: this.box.clientHeight };
    const most = this.#most();
    const counts = setup.layers.map((count) => Math.min(count, most));
    const shape = [setup.layers, counts, setup.input_names, setup.map_kind, this.features.chosen].join(" ");
    if (shape !== this.shape) this.#build(setup);
    this.shape = shape;
    this.#lay();
  }

  /** @param {Setup} setup */
  #build(setup) {
    const focused = this.neurons.find(({ button }) => button === document.activeElement);
    this.neurons = [];
    let before = 0;
    setup.layers.forEach((count, layer) => {
      const shown = Math.min(count, this.#most());
      for (let index = 0; index < shown; index += 1) this.neurons.push(this.#make(layer, index, before + index));
      before += count;
    });
    const options = this.neurons.map(({ button }) => button).filter((button) => !button.matches(".feature"));
    this.list.replaceChildren(...options);
    if (options.length) options[0].tabIndex = 0;
    if (focused && !focused.button.matches(".feature")) this.#focus(focused);
  }

  /** Restore the focus after the neurons were rebuilt. @param {{layer: number, index: number}} place */
  #focus({ layer, index }) {
    const goal = this.at(layer, index);
    if (goal) this.#turn(goal);
  }

  /** Give a neuron the focus, and the one Tab stop of its list. @param {Neuron} goal */
  #turn({ button }) {
    if (!button.matches(".feature")) for (const option of this.list.children) /** @type {HTMLElement} */ (option).tabIndex = option === button ? 0 : -1;
    button.focus({ preventScroll: true });
  }

  /** @param {{width: number, height: number}} room */
  #measure({ width, height }) {
    if (!this.setup || (width === this.room.width && height === this.room.height)) return;
    this.load({ setup: this.setup });
  }

  /** The number of neurons per layer that fits the height and keeps the links within LINES. */
  #most() {
    const { layers } = /** @type {Setup} */ (this.setup);
    const lines = (/** @type {number} */ most) => layers.slice(1).reduce((sum, count, i) => sum + Math.min(count, most) * Math.min(layers[i], most), 0);
    let most = Math.max(1, Math.min(MOST, Math.floor((this.room.height - TOP - BOTTOM) / (LEAST + 3))));
    while (most > 4 && lines(most) > LINES) most -= 1;
    return most;
  }

  /** @param {number} layer @param {number} index @param {number} map @returns {Neuron} */
  #make(layer, index, map) {
    const feature = layer === 0 ? this.features.buttonOf(index) : null;
    feature?.querySelector("canvas")?.remove();
    const button = feature ?? document.createElement("div");
    const side = this.setup && this.setup.map_kind !== "line" ? this.setup.map : 48;
    const tile = new Tile(side, side);
    tile.canvas.dataset.neuron = `${layer}.${index}`;
    if (!feature) {
      button.className = "neuron";
      button.tabIndex = -1;
      button.setAttribute("role", "option");
      button.setAttribute("aria-selected", "false");
    }
    button.prepend(tile.canvas);
    button.setAttribute("aria-label", this.name(layer, index));
    button.classList.toggle("dot", this.#isDot(layer));
    return { layer, index, row: feature ? this.features.rowOf(index) : index, x: 0, y: 0, half: 0, map, button, tile };
  }

  /** Whether a layer is a single output whose map is beside the network. @param {number} layer */
  #isDot(layer) {
    const { layers = [], bounds = null } = this.setup ?? {};
    return layer === layers.length - 1 && layers[layer] === 1 && bounds !== null;
  }

  /** @param {number} layer @param {number} index */
  name(layer, index) {
    if (layer === 0) return `Input ${this.setup?.input_names[index]}`;
    const last = layer === (this.setup?.layers.length ?? 0) - 1;
    return last ? `Output ${index + 1}` : `Neuron ${index + 1} of layer ${layer}`;
  }

  /** The parameter index of a neuron's bias. @param {{layer: number, index: number}} neuron */
  biasOf({ layer, index }) {
    const layers = this.setup?.layers ?? [];
    return parameterOf(layers, layer, index, layers[layer - 1]);
  }

  #lay() {
    const { setup, room } = this;
    if (!setup || !room.width || !room.height) return;
    const counts = setup.layers.map((_, layer) => this.neurons.filter((neuron) => neuron.layer === layer).length);
    const rows = this.features.count ? [this.features.count, ...counts.slice(1)] : counts;
    const isCut = counts.some((count, layer) => count < setup.layers[layer]);
    const high = room.height - TOP - BOTTOM - (isCut ? WORDS : 0);
    const sideOf = (/** @type {number} */ most) => {
      const pitch = Math.min(high / most, PITCH);
      return Math.max(LEAST - 2, Math.min(SIDE, pitch - Math.min(10, pitch * 0.22), (room.width / counts.length) * 0.5));
    };
    const last = counts.length - 1;
    const sides = counts.map((count, layer) => sideOf(layer && layer < last ? Math.max(...counts.slice(1, -1)) : rows[layer]));
    const first = sides[0];
    const letters = Math.max(...this.features.labels, ...setup.input_names.map(({ length }) => length));
    const left = Math.max(LEFT, 12 + LETTER * letters);
    const across = (room.width - left - first / 2 - (this.#isDot(last) ? DOT + 2 : RIGHT + sides[last] / 2)) / Math.max(1, counts.length - 1);
    const place = (/** @type {number} */ layer, /** @type {number} */ row) => {
      const step = Math.min(high / rows[layer], PITCH);
      return { x: left + first / 2 + layer * across, y: TOP + high / 2 + (row - (rows[layer] - 1) / 2) * step };
    };
    for (const neuron of this.neurons) {
      Object.assign(neuron, place(neuron.layer, neuron.row), { half: this.#isDot(neuron.layer) ? DOT : sides[neuron.layer] / 2 });
      this.#put(neuron.button, neuron.x, neuron.y, neuron.half);
    }
    for (const [row, button] of this.features.others) {
      const { x, y } = place(0, row);
      this.#put(button, x, y, first / 2);
    }
    this.#name(counts);
    this.onLayout();
  }

  /** @param {HTMLElement} button @param {number} x @param {number} y @param {number} half */
  #put(button, x, y, half) {
    button.style.width = button.style.height = `${2 * half}px`;
    button.style.transform = `translate(${Math.round(x - half)}px, ${Math.round(y - half)}px)`;
  }

  /** Caption each input and each layer, with the number of neurons not shown. @param {number[]} counts */
  #name(counts) {
    for (const word of this.words) word.remove();
    this.words = [];
    const setup = /** @type {Setup} */ (this.setup);
    const isNarrow = this.room.width / counts.length < NARROW;
    const last = counts.length - 1;
    counts.forEach((count, layer) => {
      const at = this.neurons.filter((neuron) => neuron.layer === layer);
      const top = TOP - 25;
      const output = isNarrow ? setup.activations[layer - 1] : `output, ${setup.activations[layer - 1]}`;
      if (!layer) this.#label("layer-name title", this.features.count ? "Features" : "Inputs", at[0].x + at[0].half, top - 26, "-100%");
      else if (layer === last) this.#label("layer-name", output, this.room.width - 6, top, "-100%");
      else this.#label("layer-name", `${isNarrow ? "" : `layer ${layer}, `}${setup.activations[layer - 1]}`, at[0].x, top);
      if (!layer && !this.features.count) for (const { x, y, index } of at) this.#label("input-name", setup.input_names[index], x - at[0].half - 5, y - 8, "-100%");
      const more = setup.layers[layer] - count;
      if (more) this.#label("more-neurons", `+${more}`, at[0].x, at[count - 1].y + at[0].half + 4);
    });
  }

  /** @param {string} look @param {string} text @param {number} x @param {number} y @param {string} [shift] of the text, by its width */
  #label(look, text, x, y, shift = "-50%") {
    const word = document.createElement("span");
    word.className = look;
    word.textContent = text;
    word.style.transform = `translate(${Math.round(x)}px, ${Math.round(Math.max(2, y))}px) translateX(${shift})`;
    this.words.push(word);
    this.box.append(word);
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.palette = palette;
  }

  /** Paint the maps that are due, and of the others some in turn, as each canvas costs a frame more than the eye sees of it.
   * @param {Snapshot} snapshot @param {boolean} [isAnew] */
  draw(snapshot, isAnew = false) {
    this.turn += 1;
    this.#paint(snapshot, this.neurons.filter((neuron, i) => isAnew || (i + this.turn) % TURNS === 0 || this.isDue(neuron)));
  }

  /** Paint what waits for its turn. @param {unknown} _ @param {Snapshot} snapshot */
  settle(_, snapshot) {
    this.#paint(snapshot, this.neurons.filter(({ painted }) => painted !== snapshot));
  }

  /** @param {Snapshot} snapshot @param {Neuron[]} neurons */
  #paint(snapshot, neurons) {
    const { setup } = this;
    if (!setup || !snapshot.maps) return;
    for (const neuron of neurons) {
      neuron.painted = snapshot;
      if (setup.map_kind === "line") this.#drawLine(neuron, snapshot.maps, setup.map);
      else neuron.tile.paint(snapshot.maps, neuron.map * setup.map ** 2, this.palette.sign);
    }
  }

  /** One input: the activation along it as a curve. @param {Neuron} neuron @param {Uint8Array} maps @param {number} count */
  #drawLine({ map, tile }, maps, count) {
    const { context, canvas } = tile;
    const { width, height } = canvas;
    context.fillStyle = this.palette.paper;
    context.fillRect(0, 0, width, height);
    context.fillStyle = this.palette.line;
    context.fillRect(0, height / 2, width, 1);
    context.strokeStyle = this.palette.data;
    context.lineWidth = 2.5;
    context.beginPath();
    for (let i = 0; i < count; i += 1) {
      const byte = maps[map * count + i]; // 0 is nan
      if (byte) context.lineTo((i / (count - 1)) * width, height * (0.5 - (0.45 * (byte - 128)) / 127));
    }
    context.stroke();
  }

  /** @param {EventTarget | null} target @returns {Neuron | null} */
  of(target) {
    const button = target instanceof Element ? target.closest(".neuron") : null;
    return this.neurons.find((neuron) => neuron.button === button) ?? null;
  }

  /** @param {number} layer @param {number} index */
  at(layer, index) {
    return this.neurons.find((neuron) => neuron.layer === layer && neuron.index === index) ?? null;
  }

  /** Mark the neuron whose weights are shown. @param {Neuron | null} chosen */
  choose(chosen) {
    for (const option of this.list.children) option.setAttribute("aria-selected", String(option === chosen?.button));
  }

  /** Arrow keys move between neurons, Enter and the space bar press one. @param {KeyboardEvent} event */
  #onKey(event) {
    const from = this.of(event.target);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      if (from.button.matches(".feature")) return;
      event.preventDefault();
      return from.button.click();
    }
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const down = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const right = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const there = this.neurons.filter((neuron) => neuron.layer === from.layer + right);
    if (!there.length) return;
    const goal = right
      ? there.reduce((best, other) => (Math.abs(other.y - from.y) < Math.abs(best.y - from.y) ? other : best))
      : there[Math.min(Math.max(from.index + down, 0), there.length - 1)];
    this.#turn(goal);
  }
}
