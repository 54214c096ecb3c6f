/** Pinned runs: their losses stay on the chart for comparison with other runs. */
import { logOf, snapshotOf } from "../run/decode.js";
import { fetchJson, pathTo } from "../run/server.js";
import { Losses } from "../run/store.js";

/** @typedef {import("../draw/chart.js").Pinned} Pinned */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {Pinned & {spec: Record<string, any>, edits: Edit[], why: string}} Pin */
/** @typedef {import("../run/run.js").Edit} Edit */

const MOST = 6;
const RIGHT = "the correct run"; // the label of the pin beside a run with a mistake

export class Pins {
  /** @param {HTMLElement} list @param {string[]} colours */
  constructor(list, colours) {
    this.list = list;
    this.colours = colours;
    /** Called after a pin was added or removed. */ this.onChange = () => {};
    /** Called when the list is shown anew. */ this.onShow = () => {};
    /** @type {Pin[]} */ this.pins = [];
    /** @type {Record<string, any>} */ this.spec = {};
    /** @type {Edit[]} */ this.edits = [];
  }

  /** The pin beside a run with a mistake. */
  get right() {
    return this.pins.find((pin) => pin.why === RIGHT);
  }

  /** The pins of the visitor. */
  get own() {
    return this.pins.filter((pin) => pin.why !== RIGHT);
  }

  /** @param {string[]} colours */
  recolour(colours) {
    this.colours = colours;
    this.show();
  }

  /** Pin the correct run beside one with a mistake. @param {string} query */
  addRight(query) {
    return this.add(query, RIGHT);
  }

  /** Train a run to its end and keep its losses. @param {string} query @param {string} [why] */
  async add(query, why = "") {
    if (this.pins.some((pin) => pin.query === query)) return;
    /** @type {Setup} */ const setup = await fetchJson(pathTo("setup", query));
    const answer = await fetchJson(pathTo("state", query, { step: setup.steps, losses: 1 }));
    const losses = new Losses(setup.steps);
    const log = logOf(answer);
    if (log) losses.add(log);
    losses.end(snapshotOf(answer));
    this.pins.push({ query, words: "", losses, spec: setup.spec, edits: setup.edits ?? [], why });
    if (this.pins.length > MOST) this.pins.shift();
    this.show();
    this.onChange();
  }

  /** @param {string} query */
  remove(query) {
    this.pins = this.pins.filter((pin) => pin.query !== query);
    this.show();
    this.onChange();
  }

  /** Relabel the pins by their differences from a new run. @param {import("../run/run.js").Run} run */
  load({ setup, edits }) {
    [this.spec, this.edits] = [setup.spec, edits];
    this.show();
  }

  show() {
    for (const pin of this.pins) pin.words = pin.why || differences(pin, this);
    this.list.replaceChildren(...this.pins.map((pin, i) => this.#item(pin, this.colours[i % this.colours.length])));
    this.onShow();
  }

  /** @param {Pin} pin @param {string} colour */
  #item(pin, colour) {
    const li = document.createElement("li");
    const key = document.createElement("i");
    key.style.background = colour;
    const link = document.createElement("a");
    link.href = pathTo("", pin.query);
    link.textContent = pin.words;
    const drop = document.createElement("button");
    drop.type = "button";
    drop.textContent = "×";
    drop.setAttribute("aria-label", `Unpin ${pin.words}`);
    drop.addEventListener("click", () => this.remove(pin.query));
    li.append(key, link, drop);
    return li;
  }
}

/** The differences of a run from the current one: "learning rate 0.05, seed 4".
 * @param {{spec: Record<string, any>, edits: Edit[]}} run @param {{spec: Record<string, any>, edits: Edit[]}} now */
export function differences({ spec, edits }, { spec: present, edits: own }) {
  const names = Object.keys(spec).filter((name) => name !== "rows" && JSON.stringify(spec[name]) !== JSON.stringify(present[name]));
  const words = names.map((name) => {
    const value = name === "layers" ? spec[name].join(" → ") : spec[name];
    if (name === "zero_grad" || name === "accumulate") return value ? RIGHT : name === "zero_grad" ? "gradients not zeroed" : "assigned, not accumulated";
    return `${name.replaceAll("_", " ")} ${value}`;
  });
  if (String(edits) !== String(own)) words.push(edits.length ? "changed by hand" : "not changed by hand");
  return words.join(", ") || "this run";
}
