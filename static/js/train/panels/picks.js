/** The picked samples, and the links that open them in Explore. */
import { announce, at, write } from "../../common/elements.js";
import { pathTo } from "../run/server.js";
import { showPicks, wirePicks } from "./tables.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("./plane.js").Plane} Plane */

const FEW = 8; // maximum samples listed individually

/** @param {number[]} samples */
const numbers = (samples) => samples.map((index) => index + 1).join(", ");

export class Picks {
  /** @param {Player} player @param {Plane} plane @param {PageAddress} address */
  constructor(player, plane, address) {
    this.player = player;
    this.plane = plane;
    this.address = address;
    /** @type {number[]} */ this.chosen = [];
    /** Called before a sample is opened; true takes it over. @type {(sample: number) => boolean} */ this.onOpen = () => false;
    this.words = Object.assign(document.createElement("p"), { className: "words", id: "pick-words" });
    at("plot-hint").after(this.words);
    this.body = at("predictions-body");
    wirePicks(this.body, (sample) => this.pick(sample));
    plane.onEdit = () => this.#show();
  }

  /** A new run has other samples. */
  load() {
    this.chosen = [];
    this.#show();
  }

  move() {
    this.#nameButton();
  }

  settle() {
    showPicks(this.body, this.chosen);
    this.#link();
  }

  /** Pick or unpick a sample. @param {number} sample */
  pick(sample) {
    const { chosen } = this;
    this.chosen = chosen.includes(sample) ? chosen.filter((other) => other !== sample) : [...chosen, sample];
    this.#show();
    announce(this.chosen.length ? `Picked for Explore: ${numbers(this.chosen)}.` : "No samples picked.", "pick");
  }

  /** The address of samples in Explore, at the step shown; without any, of the first that the step uses.
   * @param {number | number[]} samples */
  linkTo(samples) {
    const sample = String(samples);
    return pathTo("open", this.player.run?.query ?? "", { step: this.player.at, ...(sample ? { sample } : {}) });
  }

  /** @param {number} sample */
  open(sample) {
    if (this.onOpen(sample)) return;
    this.address.write();
    location.assign(this.linkTo(sample));
  }

  /** Show which samples are picked, in plot, table and links. */
  #show() {
    const { chosen, plane } = this;
    plane.boundary.pick(chosen);
    showPicks(this.body, chosen);
    this.#nameButton();
    this.#link();
    this.words.hidden = plane.isEditing || !this.player.run?.setup.bounds;
    const list = chosen.length > FEW ? `${chosen.length} samples` : numbers(chosen);
    write(this.words, chosen.length ? `Picked for Explore: ${list}. Shift+click picks more.` : "Click opens a sample; Shift+click picks several.");
  }

  /** Link to the picked samples, or else to the step's, and say before a click what is too large. */
  #link() {
    /** @type {HTMLAnchorElement} */ (at("open")).href = this.linkTo(this.chosen);
    const opening = this.player.run?.setup.opening;
    if (!opening) return;
    at("open").hidden = opening.most === 0 || this.chosen.length > opening.most;
    at("opening").hidden = !at("open").hidden;
    write(at("opening-words"), opening.message);
    at("opening-parts").replaceChildren(...opening.parts.flatMap(({ part, words }, i) => [...(i ? [", "] : []), this.#partLink(part, words)]));
  }

  /** @param {string} part @param {string} words */
  #partLink(part, words) {
    return Object.assign(document.createElement("a"), { textContent: words, href: `${this.linkTo([])}&part=${part}` });
  }

  /** Label the button with its target. */
  #nameButton() {
    const button = at("open");
    const [first, step] = [button.firstChild, button.querySelector("[data-step]")];
    if (!first || !step) return;
    const words = this.chosen.length > 1 ? `Open ${this.chosen.length} samples at step ` : "Open step ";
    if (first.nodeValue !== words) first.nodeValue = words;
    write(step, String(this.player.at));
  }
}
