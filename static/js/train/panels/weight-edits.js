/** Manual edits of weights: the run continues from the same step with a new value. The list of edits has the same words
 * as the server's. */
import { announce, at, made } from "../../common/elements.js";
import { brief, plain } from "../../common/numbers.js";
import { firstParameters } from "../run/parameters.js";
import { listRemovable } from "./tables.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/draft.js").Draft} Draft */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/run.js").Edit} Edit */

export class WeightEdits {
  /** @param {Screen} screen @param {Draft} draft @param {PageAddress} address */
  constructor(screen, draft, address) {
    this.screen = screen;
    this.player = screen.player;
    this.draft = draft;
    this.address = address;
  }

  revise = this.load;

  /** @param {Run} run */
  load(run) {
    listEdits(at("edits"), run.setup.layers, run.edits, (edit) => {
      this.#goOn(run.without(edit), null);
      announce("Change undone.");
    });
    if (run.dropped) tellDropped(at("edits"), run.dropped);
  }

  /** Change a parameter at the step shown. @param {number} parameter @param {number} value */
  edit(parameter, value) {
    const { run, at: step, snapshot } = this.player;
    if (!run || snapshot?.parameters[parameter] === value) return;
    const field = document.activeElement;
    this.#goOn(run.edited(step, parameter, value), `weight ${parameter}`);
    announce(`Weight changed to ${brief(value)} at step ${step}.`);
    if (field instanceof HTMLElement) field.focus();
  }

  /** @param {Run} run @param {string | null} about what was changed, as of `Link.push` */
  #goOn(run, about) {
    this.screen.revise(run);
    this.draft.touch();
    this.address.push("", about);
  }
}

/** The name of a parameter. @param {number[]} layers @param {number} place */
function whose(layers, place) {
  const firsts = firstParameters(layers);
  const layer = firsts.findLastIndex((first) => first <= place) + 1;
  const inputs = layers[layer - 1];
  const [neuron, i] = [Math.floor((place - firsts[layer - 1]) / (inputs + 1)), (place - firsts[layer - 1]) % (inputs + 1)];
  return `layer ${layer}, neuron ${neuron + 1}, ${i < inputs ? `weight ${i + 1}` : "bias"}`;
}

/** Say that edits of the run before are gone. @param {HTMLElement} section @param {number} count */
function tellDropped(section, count) {
  const words = `${count === 1 ? "One change was" : `${count} changes were`} dropped: no such weight or step in this run.`;
  section.hidden = false;
  section.querySelector("ul")?.append(made("li", {}, words));
  announce(words);
}

/** List the edits, each removable. @param {HTMLElement} section @param {number[]} layers @param {Edit[]} edits @param {(edit: Edit) => void} remove */
function listEdits(section, layers, edits, remove) {
  const told = (/** @type {Edit} */ [step, place, value]) => `${whose(layers, place)} is ${plain(value)} from step ${step.toLocaleString("en")} on`;
  listRemovable(section, edits.map((edit) => [told(edit), () => remove(edit)]));
}
