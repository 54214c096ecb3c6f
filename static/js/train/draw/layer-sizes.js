/** The buttons on the drawing that change the network: − and + for the neurons of each hidden layer and for its layers. */

/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./network.js").Network} Network */

const LEAST = 88; // pixels between two layers that their buttons need
const FIRST = 4; // neurons of a first hidden layer

export class LayerSizes {
  /** @param {Network} network @param {Form} form */
  constructor(network, form) {
    this.network = network;
    this.form = form;
    /** @type {number[]} with changes that are still to be loaded */ this.layers = [];
    this.bar = document.createElement("div");
    this.bar.className = "layer-sizes";
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "Sizes of the network");
    network.box.prepend(this.bar);
    this.bar.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#change(button.dataset.change ?? "");
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
    const held = document.activeElement instanceof HTMLElement && this.bar.contains(document.activeElement) ? document.activeElement.dataset.change : null;
    const isWide = layers.length < 3 || xs[1] - xs[0] >= LEAST;
    const inner = layers.slice(1, -1);
    const groups = isWide ? inner.map((size, i) => this.#group(size, i, xs[i + 1])) : [];
    this.bar.replaceChildren(...groups, this.#ends(inner.length));
    if (held) /** @type {HTMLElement | null} */ (this.bar.querySelector(`[data-change="${held}"]`))?.focus();
  }

  /** @param {number} size @param {number} i @param {number} x */
  #group(size, i, x) {
    const group = document.createElement("span");
    group.className = "layer-size";
    const count = Object.assign(document.createElement("output"), { textContent: String(size) });
    const name = `hidden layer ${i + 1}`;
    const less = press("−", `Remove a neuron from ${name}`, `${i + 1}:-1`);
    less.disabled = size === 1;
    group.append(less, count, press("+", `Add a neuron to ${name}`, `${i + 1}:1`));
    group.style.transform = `translateX(${Math.round(x)}px) translateX(-50%)`;
    return group;
  }

  /** @param {number} count */
  #ends(count) {
    const group = document.createElement("span");
    group.className = "layer-count";
    const less = press("−", "Remove the last hidden layer", "pop");
    less.disabled = count === 0;
    group.append(less, Object.assign(document.createElement("span"), { textContent: "layer" }), press("+", "Add a hidden layer", "push"));
    return group;
  }

  /** @param {string} change */
  #change(change) {
    const [first, ...rest] = this.layers;
    const last = rest.pop() ?? 1;
    const [place, by] = change.split(":").map(Number);
    if (change === "push") rest.push(rest.at(-1) ?? FIRST);
    else if (change === "pop") rest.pop();
    else rest[place - 1] = Math.max(1, rest[place - 1] + by);
    this.layers = [first, ...rest, last];
    if (change.includes(":")) this.place();
    this.form.set("layers", arrows(this.layers));
  }
}

/** Sizes as the form shows them. @param {number[]} layers */
const arrows = (layers) => layers.join(" → ");

/** @param {string} sign @param {string} name @param {string} change */
function press(sign, name, change) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, title: name, ariaLabel: name });
  button.dataset.change = change;
  return button;
}
