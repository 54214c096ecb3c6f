/** After a setting trained the run anew: a link that changes it in mid-run instead, from the step that was shown. */
import { at } from "../../common/elements.js";
import { pathTo } from "../run/server.js";
import { withChanges } from "./changes.js";

/** @typedef {import("../run/run.js").Run} Run */

const SETTINGS = new Set(["learning_rate", "optimizer", "batch", "momentum", "weight_decay", "l1", "l2", "dropout"]);

export class Instead {
  constructor() {
    this.link = Object.assign(document.createElement("a"), { className: "link instead", hidden: true });
    at("change-open").before(this.link);
  }

  /** Another run. */
  load() {
    this.link.hidden = true;
  }

  /** @param {Run} before the run that was shown @param {number} step at which @param {Map<string, string>} changes of its settings */
  offer(before, step, changes) {
    if (!step || step >= before.setup.steps || ![...changes.keys()].every((name) => SETTINGS.has(name))) return;
    const past = before.setup.spec.at ?? {};
    const query = withChanges(before.query, { ...past, [step]: { ...past[step], ...Object.fromEntries(changes) } });
    this.link.href = pathTo("", query, { step });
    this.link.textContent = `from step ${step.toLocaleString("en")} on instead`;
    this.link.title = "The run began anew; this keeps its steps so far and changes the setting in mid-run";
    this.link.hidden = false;
  }
}
