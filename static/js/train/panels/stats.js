/** The figures of the state shown: step, loss, accuracy, test. */
import { at, write } from "../../common/elements.js";
import { brief, percent } from "../../common/numbers.js";
import { hasPenalty, isPartial } from "../run/segments.js";
import { hasDropout } from "./words.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const BATCH = "The loss of this step's batch";
const MASKED = "The loss of this step's batch, with dropout; all else is without dropout";
const WHOLE = "Over all training data";

export class Stats {
  /** @param {Run} run */
  load({ setup }) {
    const isParted = isPartial(setup);
    for (const id of ["stat-loss-box", "stat-accuracy-box"]) at(id).title = isParted ? WHOLE : "";
    at("stat-batch-box").title = hasDropout(setup) ? MASKED : BATCH;
    at("stat-batch-box").hidden = !isParted;
    at("key-batch").hidden = !isParted;
    at("key-penalty").hidden = !hasPenalty(setup);
    at("stat-accuracy-box").hidden = setup.kind !== "classes";
    at("stat-test-box").hidden = !setup.samples.some(({ test }) => test);
    at("key-stripes").hidden = setup.map_kind !== "samples";
  }

  /** @param {Snapshot} snapshot */
  draw({ step, loss, accuracy, wholeLoss, wholeAccuracy, testLoss, testAccuracy }) {
    write(at("stat-step"), String(step));
    write(at("stat-batch"), brief(loss));
    write(at("stat-loss"), brief(wholeLoss ?? loss));
    write(at("stat-accuracy"), percent(wholeAccuracy ?? accuracy));
    const test = testAccuracy === null ? brief(testLoss) : percent(testAccuracy);
    write(at("stat-test"), test);
    const right = wholeAccuracy ?? accuracy;
    const rest = testLoss === null ? right === null ? "" : ` · ${percent(right)}` : ` · test ${test}`;
    write(at("in-brief"), `loss ${brief(wholeLoss ?? loss)}${rest}`);
  }
}
