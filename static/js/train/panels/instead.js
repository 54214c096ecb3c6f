/**
 * The other way to change a setting, offered as a link: after one that trained the run anew, in mid-run, from the step that
 * was shown; after one in mid-run, from the start.
 */
import { at } from "../../common/elements.js";
import { LIVE } from "../run/live.js";
import { pathTo } from "../run/server.js";
import { withChanges } from "./changes.js";

/** @typedef {import("../run/run.js").Run} Run */

export class Instead {
  /** @param {(query: string) => void} restart trains a run from its first step */
  constructor(restart) {
    this.link = Object.assign(document.createElement("a"), { className: "link instead", hidden: true });
    /** The run that begins with what was changed. */ this.query = "";
    at("where").parentElement?.querySelector(".bench")?.prepend(this.link);
    this.link.addEventListener("click", (event) => {
      if (!this.query || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      restart(this.query);
    });
  }

  /** Another run. */
  load() {
    this.link.hidden = true;
  }

  /** @param {Run} before the run that was shown @param {number} step at which @param {Map<string, string>} changes of its settings */
  offer(before, step, changes) {
    if (!step || step >= before.setup.steps || ![...changes.keys()].every((name) => LIVE.has(name))) return;
    const past = before.setup.spec.at ?? {};
    const query = withChanges(before.query, { ...past, [step]: { ...past[step], ...Object.fromEntries(changes) } });
    this.query = "";
    this.link.href = pathTo("", query, { step });
    this.#show(`from step ${step.toLocaleString("en")} on instead`, "The run began anew; this keeps its steps so far and changes the setting in mid-run");
  }

  /** @param {Run} before the run without the changes @param {Map<string, string>} changes that it has from a step on */
  offerRestart(before, changes) {
    const query = new URLSearchParams(withChanges(before.query, {}));
    for (const [name, text] of changes) query.set(name, text);
    this.query = String(query);
    this.link.href = pathTo("", this.query);
    this.#show("restart with it", "The change acts from the step on at which it was made; this trains the run with it from the start");
  }

  /** @param {string} words @param {string} title */
  #show(words, title) {
    Object.assign(this.link, { textContent: words, title, hidden: false });
  }
}
