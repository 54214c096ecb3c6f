/** A board of the race: a run with its boundary and its figures. */
import { write } from "../../common/elements.js";
import { brief, percent } from "../../common/numbers.js";
import { Kernel } from "../run/kernel.js";
import { Run } from "../run/run.js";
import { pathTo } from "../run/server.js";

/** @typedef {import("../draw/boundary.js").Boundary} Boundary */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

export class Board {
  /** @param {HTMLElement} element @param {{words: string, setup: Setup}} given @param {Boundary} boundary */
  constructor(element, { words, setup }, boundary) {
    this.element = element;
    this.words = words;
    this.run = new Run(setup);
    this.boundary = boundary;
    /** @type {Snapshot | null} */ this.snapshot = null;
    boundary.load(this.run);
  }

  /** Train in this browser from now on, if it can. */
  async take() {
    const { run } = this;
    try {
      run.source = await Kernel.take(run, 0, new AbortController().signal);
    } catch {
      // The states come from the server.
    }
  }

  /** Go to a step, or to the last one of a shorter run. @param {number} step */
  async go(step) {
    const { run } = this;
    const goal = Math.min(step, run.setup.steps);
    const { snapshot, log } = await run.source.state(goal, goal > run.losses.known);
    if (log) run.losses.add(log);
    run.losses.end(snapshot);
    this.snapshot = snapshot;
    this.element.removeAttribute("data-failed");
  }

  /** @param {unknown} error */
  fail(error) {
    this.element.dataset.failed = error instanceof Error ? error.message : String(error);
  }

  /** The loss shown: over all training data, though steps may use batches. */
  get loss() {
    return this.snapshot?.wholeLoss ?? this.snapshot?.loss ?? NaN;
  }

  draw() {
    const { snapshot, element } = this;
    if (!snapshot) return;
    this.boundary.draw(snapshot);
    const output = (/** @type {string} */ name) => /** @type {HTMLElement} */ (element.querySelector(`[data-${name}]`));
    write(output("loss"), brief(this.loss));
    write(output("train"), percent(snapshot.wholeAccuracy ?? snapshot.accuracy));
    write(output("test"), percent(snapshot.testAccuracy));
    const link = element.querySelector("a[data-open]");
    if (link instanceof HTMLAnchorElement) link.href = pathTo("", this.run.query, { step: snapshot.step });
    element.toggleAttribute("data-ill", !Number.isFinite(this.loss));
  }
}

/** The run with the least loss, in a sentence. @param {Board[]} boards @param {number} step */
export function leader(boards, step) {
  const finite = boards.filter(({ loss }) => Number.isFinite(loss));
  if (!finite.length) return `At step ${step.toLocaleString("en")} no run has a finite loss.`;
  if (boards.length > 1 && boards.every(({ loss }) => loss === boards[0].loss)) return `At step ${step.toLocaleString("en")} all runs have a loss of ${brief(boards[0].loss)}.`;
  const best = finite.reduce((least, board) => (board.loss < least.loss ? board : least));
  return `At step ${step.toLocaleString("en")} ${best.words} leads with a loss of ${brief(best.loss)}.`;
}
