/** Deliberate mistakes: explained below the chart, with the curve of the correct run for comparison. */
import { at, made, on } from "../../common/elements.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("./form.js").Form} Form */
/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {import("./pins.js").Pins} Pins */

const SWITCHES = ["zero_grad", "accumulate"]; // in an address only if they are off
const FACTOR = 30; // of far too large a rate, unless the page sets it

export class Mistakes {
  /** @param {Player} player @param {Form} form @param {Pins} pins @param {PageAddress} address @param {Notice} notice */
  constructor(player, form, pins, address, notice) {
    this.player = player;
    this.form = form;
    this.pins = pins;
    this.notice = notice;
    /** The learning rate before it was made too large; "" if it was not. */ this.rightRate = address.start.right;
    address.state("right", () => (this.rightRate ? [this.rightRate] : []));
    on("large-rate", "click", (event) => {
      event.preventDefault();
      this.#enlarge(Number(event.currentTarget.dataset.factor ?? FACTOR));
    });
  }

  /** @param {number} factor */
  #enlarge(factor) {
    const right = Number(this.player.run?.setup.spec.learning_rate ?? 1);
    this.rightRate = String(right);
    this.form.set("learning_rate", String(Number((right * factor).toPrecision(6))));
  }

  /** Pin the correct run for comparison with one that makes a mistake. */
  async compare() {
    const { run } = this.player;
    if (!run) return;
    const params = new URLSearchParams(run.query);
    if (!(Number(run.setup.spec.learning_rate) > Number(this.rightRate || "NaN"))) this.rightRate = "";
    const isMistake = SWITCHES.some((name) => params.has(name)) || this.rightRate !== "";
    this.#explain();
    for (const name of SWITCHES) params.delete(name);
    if (this.rightRate) params.set("learning_rate", this.rightRate);
    const right = String(params);
    const old = this.pins.right;
    if (old && (!isMistake || old.query !== right)) this.pins.remove(old.query);
    if (isMistake) await this.pins.addRight(right).catch((error) => this.notice.refuse(error));
  }

  /** Explain the mistakes of the run. */
  #explain() {
    /** @type {[string, string | undefined][]} */
    const mistakes = this.form.mistakes.map((box) => [box.labels?.[0]?.textContent?.trim() ?? box.name, box.dataset.why]);
    if (this.rightRate) mistakes.push(["The learning rate is too large", at("large-rate").dataset.why]);
    at("mistake").replaceChildren(...mistakes.map(([name, why]) => explanation(name, why)));
  }
}

/** @param {string} name @param {string | undefined} why */
function explanation(name, why) {
  return made("p", { className: "notice warning" }, made("b", {}, `${name}. `), `${why} The chart shows the correct run for comparison.`);
}
