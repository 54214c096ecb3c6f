/** The figures of the state shown: step, loss, accuracy, test. */
import { at, write } from "../../common/elements.js";
import { brief, percent } from "../../common/numbers.js";
import { hasDropout } from "./words.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const MASKED = "Of this step's batch, with dropout; the table of predictions is without dropout";

export class Stats {
  /** @param {Run} run */
  load({ setup }) {
    for (const id of ["stat-loss-box", "stat-accuracy-box"]) at(id).title = hasDropout(setup) ? MASKED : "";
    at("stat-accuracy-box").hidden = setup.kind !== "classes";
    at("stat-test-box").hidden = !setup.samples.some(({ test }) => test);
    at("key-stripes").hidden = setup.map_kind !== "samples";
  }

  /** @param {Snapshot} snapshot */
  draw({ step, loss, accuracy, testLoss, testAccuracy }) {
    write(at("stat-step"), String(step));
    write(at("stat-loss"), brief(loss));
    write(at("stat-accuracy"), percent(accuracy));
    write(at("stat-test"), testAccuracy === null ? brief(testLoss) : percent(testAccuracy));
  }
}
