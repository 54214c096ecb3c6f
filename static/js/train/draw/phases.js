/**
 * One step in slow motion: forward through the layers, the loss, backward through the layers, the update,
 * with the loss before and after. With prefers-reduced-motion, phases change without transitions.
 */
import { brief } from "../../common/numbers.js";

/** @typedef {import("./links.js").Links} Links */
/** @typedef {import("./network.js").Network} Network */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const LAYER = 550; // milliseconds per layer
const STAY = 1400; // milliseconds of the loss and of the update

export class Phases {
  /** @param {Network} network @param {Links} links @param {HTMLElement} words @param {() => void} onEnd */
  constructor(network, links, words, onEnd) {
    this.network = network;
    this.links = links;
    this.words = words;
    this.onEnd = onEnd;
    /** @type {number | undefined} */ this.timer = undefined;
    this.isOn = false;
  }

  /** `before` must have its gradient. @param {Snapshot} before @param {Snapshot} after @param {() => void} update called when the update is shown */
  start(before, after, update) {
    this.stop();
    this.isOn = true;
    this.words.hidden = false;
    const last = (this.network.setup?.layers.length ?? 1) - 1;
    /** @type {[number, () => void][]} */ const scenes = [];
    for (let layer = 0; layer <= last; layer += 1) {
      scenes.push([LAYER, () => this.#light("forward", layer, layer ? `Forward: layer ${layer} computes its activations.` : "Forward: the batch enters the network.")]);
    }
    scenes.push([STAY, () => this.#light("loss", last, `Loss before: ${brief(before.loss)}.`)]);
    for (let layer = last; layer >= 1; layer -= 1) {
      scenes.push([LAYER, () => this.#backward(before, layer)]);
    }
    scenes.push([STAY, () => this.#update(before, after, update)]);
    this.#next(scenes);
  }

  /** @param {[number, () => void][]} scenes */
  #next([scene, ...rest]) {
    if (!scene) return this.stop(false);
    const [duration, play] = scene;
    play();
    this.timer = window.setTimeout(() => this.#next(rest), duration);
  }

  /** @param {string} phase @param {number} layer @param {string} words */
  #light(phase, layer, words) {
    this.network.box.dataset.phase = phase;
    for (const { button, layer: own } of this.network.neurons) button.classList.toggle("lit", own === layer);
    for (const { path, to } of this.links.links) path.classList.toggle("lit", phase === "forward" && to.layer === layer);
    this.words.textContent = words;
  }

  /** Show the gradients of a layer in its links. @param {Snapshot} before @param {number} layer */
  #backward(before, layer) {
    this.#light("backward", layer, `Backward: the gradient of each weight into layer ${layer}, in orange.`);
    const { gradient } = before;
    if (gradient) this.links.drawGradient(gradient, layer);
  }

  /** @param {Snapshot} before @param {Snapshot} after @param {() => void} update */
  #update(before, after, update) {
    this.links.dropGradient();
    const change = after.loss - before.loss;
    const words = Number.isFinite(change) ? `, ${brief(Math.abs(change))} ${change < 0 ? "less" : "more"}` : "";
    this.#light("update", -1, `Update: the optimizer changes every weight. Loss after: ${brief(after.loss)}${words}.`);
    update();
  }

  /** End the animation. @param {boolean} silent whether to hide the last message */
  stop(silent = true) {
    clearTimeout(this.timer);
    if (silent) this.words.hidden = true;
    if (!this.isOn) return;
    this.isOn = false;
    this.links.dropGradient();
    delete this.network.box.dataset.phase;
    for (const { button } of this.network.neurons) button.classList.remove("lit");
    for (const { path } of this.links.links) path.classList.remove("lit");
    this.onEnd();
  }
}
