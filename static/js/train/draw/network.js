/**
 * The layout of the neurons, each a button with a canvas for its map. Layers too tall for the window show
 * their first neurons and the number of the others.
 */
import { parameterOf } from "../run/parameters.js";
import { Tile } from "./surface.js";

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {{layer: number, index: number, x: number, y: number, map: number, button: HTMLButtonElement, tile: Tile}} Neuron
 *   x, y: its centre; map: its index among the maps */

const [WIDTH, HEIGHT] = [54, 40]; // maximum size of a neuron
const LEAST = 15; // minimum height of a neuron
const MOST = 32; // maximum neurons shown per layer
const LINES = 1000; // maximum links shown
const [TOP, BOTTOM, SIDE] = [70, 30, 26];
const LETTER = 7; // pixels of a letter of an input's name, at most

export class Network {
  /** @param {HTMLElement} box @param {Palette} palette */
  constructor(box, palette) {
    this.box = box;
    this.palette = palette;
    /** Called after a layout. */ this.onLayout = () => {};
    /** @type {Setup | null} */ this.setup = null;
    /** @type {Neuron[]} */ this.neurons = [];
    /** @type {HTMLElement[]} */ this.words = [];
    this.size = [WIDTH, HEIGHT];
    this.room = { width: 0, height: 0 };
    new ResizeObserver(([entry]) => this.#measure(entry.contentRect)).observe(box);
    box.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** Show another run. @param {{setup: Setup}} run */
  load({ setup }) {
    this.setup = setup;
    const focused = this.neurons.find(({ button }) => button === document.activeElement);
    for (const { button } of this.neurons) button.remove();
    this.neurons = [];
    this.room = { width: this.box.clientWidth, height: this.box.clientHeight };
    let before = 0;
    setup.layers.forEach((count, layer) => {
      const shown = Math.min(count, this.#most());
      for (let index = 0; index < shown; index += 1) this.neurons.push(this.#make(layer, index, before + index));
      before += count;
    });
    this.box.append(...this.neurons.map(({ button }) => button));
    this.#lay();
    if (focused) this.#focus(focused);
  }

  /** Restore the focus after the neurons were rebuilt. @param {{layer: number, index: number}} place */
  #focus({ layer, index }) {
    const goal = this.at(layer, index);
    if (!goal) return;
    this.neurons[0].button.tabIndex = -1;
    goal.button.tabIndex = 0;
    goal.button.focus({ preventScroll: true });
  }

  /** @param {{width: number, height: number}} room */
  #measure({ width, height }) {
    if (!this.setup || (width === this.room.width && height === this.room.height)) return;
    const most = this.#most();
    this.room = { width, height };
    if (most !== this.#most()) this.load({ setup: this.setup });
    else this.#lay();
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
    const button = document.createElement("button");
    button.type = "button";
    button.className = "neuron";
    button.tabIndex = layer === 0 && index === 0 ? 0 : -1;
    const side = this.setup && this.setup.map_kind !== "line" ? this.setup.map : 48;
    const tile = new Tile(side, side);
    tile.canvas.dataset.neuron = `${layer}.${index}`;
    button.append(tile.canvas);
    button.setAttribute("aria-label", this.name(layer, index));
    return { layer, index, x: 0, y: 0, map, button, tile };
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
    const counts = setup.layers.map((_, layer) => this.neurons.filter((n) => n.layer === layer).length);
    const pitch = Math.min((room.height - TOP - BOTTOM) / Math.max(...counts), HEIGHT + 26);
    const height = Math.max(LEAST - 2, Math.min(HEIGHT, pitch - Math.min(10, pitch * 0.22)));
    const width = Math.min(WIDTH, height * 1.35, (room.width / counts.length) * 0.6);
    this.size = [width, height];
    const side = Math.max(SIDE, 8 + LETTER * Math.max(...setup.input_names.map(({ length }) => length)));
    const across = (room.width - side - SIDE - width) / Math.max(1, counts.length - 1);
    for (const neuron of this.neurons) {
      const step = Math.min((room.height - TOP - BOTTOM) / counts[neuron.layer], HEIGHT + 26);
      neuron.x = side + width / 2 + neuron.layer * across;
      neuron.y = TOP + (room.height - TOP - BOTTOM) / 2 + (neuron.index - (counts[neuron.layer] - 1) / 2) * step;
      this.#put(neuron);
    }
    this.#name(counts);
    this.onLayout();
  }

  /** @param {Neuron} neuron */
  #put({ button, x, y }) {
    const [width, height] = this.size;
    button.style.width = `${width}px`;
    button.style.height = `${height}px`;
    button.style.transform = `translate(${Math.round(x - width / 2)}px, ${Math.round(y - height / 2)}px)`;
  }

  /** Caption each input and each layer, with the number of neurons not shown. @param {number[]} counts */
  #name(counts) {
    for (const word of this.words) word.remove();
    this.words = [];
    const setup = /** @type {Setup} */ (this.setup);
    const narrow = this.room.width / counts.length < 90;
    counts.forEach((count, layer) => {
      const at = this.neurons.filter((neuron) => neuron.layer === layer);
      const title = layer === 0 ? (narrow ? "in" : "inputs") : layer === counts.length - 1 ? (narrow ? "out" : "output") : `layer ${layer}`;
      const kind = layer ? `${narrow ? "" : `${setup.layers[layer]} `}${setup.activations[layer - 1]}` : String(setup.layers[0]);
      const top = at[0].y - this.size[1] / 2 - 22;
      this.#label("layer-name title", title, at[0].x, top - 15);
      this.#label("layer-name", kind, at[0].x, Math.max(17, top));
      if (!layer) for (const { x, y, index } of at) this.#label("input-name", setup.input_names[index], x - this.size[0] / 2 - 5, y - 8, "-100%");
      const more = setup.layers[layer] - count;
      if (more) this.#label("more-neurons", `+${more}`, at[0].x, at[count - 1].y + this.size[1] / 2 + 4);
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

  /** @param {Snapshot} snapshot */
  draw(snapshot) {
    const { setup } = this;
    if (!setup || !snapshot.maps) return;
    if (setup.map_kind !== "line") {
      const size = setup.map ** 2;
      for (const { map, tile } of this.neurons) tile.paint(snapshot.maps, map * size, this.palette.sign);
    } else for (const neuron of this.neurons) this.#drawLine(neuron, snapshot.maps, setup.map);
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

  /** Roving tabindex: one Tab stop for the network, arrow keys within it. @param {KeyboardEvent} event */
  #onKey(event) {
    const from = this.of(event.target);
    if (!from || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation();
    const down = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const right = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const there = this.neurons.filter((neuron) => neuron.layer === from.layer + right);
    if (!there.length) return;
    const goal = right
      ? there.reduce((best, other) => (Math.abs(other.y - from.y) < Math.abs(best.y - from.y) ? other : best))
      : there[Math.min(Math.max(from.index + down, 0), there.length - 1)];
    from.button.tabIndex = -1;
    goal.button.tabIndex = 0;
    goal.button.focus();
  }
}
