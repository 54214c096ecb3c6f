/** The buttons on the drawing that change the network: − and + for the neurons of each hidden layer and for its layers. */

import { made } from "../../common/elements.js";

/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./network.js").Network} Network */

const LEAST = 82; // pixels between two layers that their buttons need
const WIDE = 140; // the same with the word
const FIRST = 4; // neurons of a first hidden layer
const AWAY = "This size needs the server, which does not respond";

export class LayerSizes {
  /** @param {Network} network @param {Form} form */
  constructor(network, form) {
    this.network = network;
    this.form = form;
    /** @type {number[]} with changes that are still to be loaded */ this.layers = [];
    /** Whether a network of these layers can be trained now: while the server is away, only some can. @type {(layers: number[]) => boolean} */
    this.canTrain = () => true;
    /** The hidden layer whose buttons are shown where there is no room for all. */ this.chosen = 0;
    this.bar = made("div", { className: "layer-sizes", role: "group", "aria-label": "Sizes of the network" });
    network.box.prepend(this.bar);
    this.bar.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#change(button.dataset.change ?? "");
    });
    this.bar.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement) this.chosen = Number(target.value);
      this.place();
    });
    form.form.addEventListener("focusout", ({ target }) => {
      const isLeft = target instanceof HTMLInputElement && target.name === "layers" && !form.isAhead;
      if (isLeft && this.layers.length) target.value = arrows(this.layers);
    });
  }

  /** @param {Run} run */
  load({ setup }) {
    this.layers = [...setup.layers];
    this.place();
  }

  /** Put the buttons of each layer above it. */
  place() {
    const { layers, network } = this;
    if (!layers.length || !this.form.isOpen("layers")) return;
    const xs = layers.map((_, layer) => network.at(layer, 0)?.x ?? 0);
    const held = this.#held;
    this.bar.title = this.canTrain([0]) ? "" : AWAY;
    const gap = layers.length < 3 ? Infinity : xs[1] - xs[0];
    const inner = layers.slice(1, -1);
    const groups = gap >= LEAST ? inner.map((size, i) => this.#group(size, i, xs[i + 1], gap >= WIDE)) : [this.#choice(inner)];
    const next = made("div", {}, ...groups, this.#ends(inner.length));
    if (next.innerHTML === this.bar.innerHTML) return; // a button that is being pressed stays
    this.bar.replaceChildren(...next.childNodes);
    this.#hold(held);
  }

  /** The change of the control that has the focus. */
  get #held() {
    const { activeElement: active } = document;
    return active instanceof HTMLElement && this.bar.contains(active) ? active.dataset.change : undefined;
  }

  /** Return the focus to the control of a change, or to its neighbour if that is disabled. @param {string | undefined} held */
  #hold(held) {
    const control = held && this.bar.querySelector(`[data-change="${held}"]`);
    if (!(control instanceof HTMLElement)) return;
    control.focus();
    if (document.activeElement !== control) /** @type {HTMLElement | null | undefined} */ (control.parentElement?.querySelector("button:enabled"))?.focus();
  }

  /** @param {number} size @param {number} i @param {number} x @param {boolean} [hasWord] */
  #group(size, i, x, hasWord = false) {
    const name = `hidden layer ${i + 1}`;
    const less = press("−", `Remove a neuron from ${name}`, `${i + 1}:-1`);
    less.disabled = size === 1 || !this.#isTaken(this.layers.with(i + 1, size - 1));
    const more = press("+", `Add a neuron to ${name}`, `${i + 1}:1`);
    more.disabled = !this.#isTaken(this.layers.with(i + 1, size + 1));
    const word = hasWord ? [made("span", {}, size === 1 ? "neuron" : "neurons")] : [];
    const group = made("span", { className: "layer-size" }, less, made("output", {}, String(size)), ...word, more);
    group.style.transform = `translateX(${Math.round(x)}px) translateX(-50%)`;
    return group;
  }

  /** The buttons of one layer, which is chosen from a list. @param {number[]} inner */
  #choice(inner) {
    this.chosen = Math.min(this.chosen, inner.length - 1);
    const group = this.#group(inner[this.chosen], this.chosen, 0);
    const options = inner.map((_, i) => new Option(`layer ${i + 1}`, String(i)));
    const select = made("select", { "aria-label": "Hidden layer to change", "data-change": "choice" }, ...options);
    select.value = String(this.chosen);
    group.style.transform = "";
    group.prepend(select);
    return group;
  }

  /** Whether a network of these layers can be trained: it is within the limits of the server. @param {number[]} layers */
  #isTaken(layers) {
    if (!this.canTrain(layers)) return false;
    const { layers: most, neurons, parameters } = this.network.box.dataset;
    const count = layers.slice(1).reduce((sum, size, i) => sum + size * (layers[i] + 1), 0);
    return layers.length - 1 <= Number(most) && Math.max(...layers.slice(1)) <= Number(neurons) && count <= Number(parameters);
  }

  /** @param {number} count */
  #ends(count) {
    const [less, more] = [press("−", "Remove the last hidden layer", "pop"), press("+", "Add a hidden layer", "push")];
    less.disabled = count === 0 || !this.#isTaken(this.#after("pop"));
    more.disabled = !this.#isTaken(this.#after("push"));
    return made("span", { className: "layer-count" }, less, made("output", {}, String(count)), made("span", {}, count === 1 ? "hidden layer" : "hidden layers"), more);
  }

  /** The layers after a change. @param {string} change */
  #after(change) {
    const [first, ...rest] = this.layers;
    const last = rest.pop() ?? 1;
    const [place, by] = change.split(":").map(Number);
    if (change === "push") rest.push(rest.at(-1) ?? FIRST);
    else if (change === "pop") rest.pop();
    else rest[place - 1] = Math.max(1, rest[place - 1] + by);
    return [first, ...rest, last];
  }

  #renewEnds() {
    const held = this.#held;
    this.bar.lastElementChild?.replaceWith(this.#ends(this.layers.length - 2));
    this.#hold(held);
  }

  /** @param {string} change */
  #change(change) {
    this.layers = this.#after(change);
    if (change.includes(":")) this.place();
    else this.#renewEnds(); // the layers move when they are drawn anew
    this.form.set("layers", arrows(this.layers));
  }
}

/** Sizes as the form shows them. @param {number[]} layers */
const arrows = (layers) => layers.join(" → ");

/** @param {string} sign @param {string} name @param {string} change */
const press = (sign, name, change) => made("button", { type: "button", title: name, "aria-label": name, "data-change": change }, sign);
