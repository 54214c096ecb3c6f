/** Manual edits of weights: the run continues from the same step with a new value. */
import { announce, at } from "../../common/elements.js";
import { brief } from "../../common/numbers.js";
import { listEdits } from "./edits.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/draft.js").Draft} Draft */
/** @typedef {import("../run/run.js").Run} Run */

export class WeightEdits {
  /** @param {Screen} screen @param {Draft} draft @param {PageAddress} address */
  constructor(screen, draft, address) {
    this.screen = screen;
    this.player = screen.player;
    this.draft = draft;
    this.address = address;
  }

  /** @param {Run} run */
  load(run) {
    listEdits(at("edits"), run.setup.layers, run.edits, (edit) => {
      this.#goOn(run.without(edit));
      announce("Change undone.");
    });
  }

  /** @param {Run} run */
  revise(run) {
    this.load(run);
  }

  /** Change a parameter at the step shown. @param {number} parameter @param {number} value */
  edit(parameter, value) {
    const { run, at: step, snapshot } = this.player;
    if (!run || snapshot?.parameters[parameter] === value) return;
    const field = document.activeElement;
    this.#goOn(run.edited(step, parameter, value));
    announce(`Weight changed to ${brief(value)} at step ${step}.`);
    if (field instanceof HTMLElement) field.focus();
  }

  /** @param {Run} run */
  #goOn(run) {
    this.screen.revise(run);
    this.draft.touch();
    this.address.push();
  }
}
