/** Pinned runs: their losses stay on the chart for comparison with other runs. */
import { made, write } from "../../common/elements.js";
import { brief, counted, percent } from "../../common/numbers.js";
import { logOf, snapshotOf } from "../run/decode.js";
import { fetchJson, pathTo } from "../run/server.js";
import { Losses } from "../run/store.js";
import { cell, head, row } from "./tables.js";

/** @typedef {import("../draw/chart.js").Pinned} Pinned */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {{loss: number, test: number | null, accuracy: number | null}} Reached  what a run has come to: over all training data, and the loss on test data */
/** @typedef {Pinned & Told & Reached & {why: string}} Pin */
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
    /** What the run shown has come to, and where. @type {(Reached & {words: string}) | null} */ this.now = null;
    /** The row of the run shown. @type {HTMLTableRowElement | null} */ this.ownRow = null;
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
    const end = snapshotOf(answer);
    losses.end(end);
    this.pins.push({ query, words: "", losses, ...reached(end), spec: setup.spec, edits: setup.edits ?? [], why });
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
    [this.spec, this.edits, this.now] = [setup.spec, edits, null];
    this.show();
  }

  /** Tell what the run shown has come to. @param {import("../run/run.js").Run} run @param {import("../run/types.js").Snapshot} snapshot */
  settle({ setup: { steps } }, snapshot) {
    this.now = { ...reached(snapshot), words: snapshot.step < steps ? `this run, step ${snapshot.step}` : "this run" };
    if (this.ownRow) this.#tell(this.ownRow);
  }

  /** @param {HTMLTableRowElement} own */
  #tell({ cells }) {
    const { now } = this;
    write(cells[0], now?.words ?? "this run");
    this.#ends().forEach(({ of }, i, { length }) => write(cells[cells.length - 1 - length + i], now ? of(now) : ""));
  }

  #ends() {
    return ENDS.filter(({ of }) => this.pins.some((pin) => of(pin) !== "–"));
  }

  show() {
    for (const pin of this.pins) pin.words = pin.why || differences(pin, this);
    const names = differing([this, ...this.pins]);
    const ends = this.#ends();
    const heads = [...names.map((name) => name.replaceAll("_", " ")), ...ends.map(({ name }) => name)].map((name) => head(name, "col"));
    const own = row(head("this run"), ...names.map((name) => cell(valueOf(this, name))), ...ends.map(() => cell("")), cell(""));
    this.ownRow = this.pins.length ? own : null;
    this.#tell(own);
    const body = made("tbody", {}, own, ...this.pins.map((pin, i) => this.#row(pin, i, names, ends)));
    const table = made("table", {}, made("thead", {}, row(cell(""), ...heads, cell(""))), body);
    this.list.replaceChildren(...(this.pins.length ? [table] : []));
    this.onShow();
  }

  /** @param {Pin} pin @param {number} i @param {string[]} names of the settings that differ @param {typeof ENDS} ends */
  #row(pin, i, names, ends) {
    const key = made("i", {});
    key.style.background = this.colours[i % this.colours.length];
    const link = made("a", { href: pathTo("", pin.query), textContent: pin.why || `pin ${i + 1}`, title: pin.words });
    const drop = made("button", { type: "button", "aria-label": `Unpin ${pin.words}`, onclick: () => this.remove(pin.query) }, "×");
    const name = made("th", { scope: "row" }, key, link);
    const line = row(name, ...names.map((setting) => cell(valueOf(pin, setting))), ...ends.map(({ of }) => cell(of(pin))), made("td", {}, drop));
    line.dataset.pin = pin.query;
    return line;
  }
}

/** @typedef {{spec: Record<string, any>, edits: Edit[]}} Told  the settings of a run and its weights changed by hand */

/** What a run has come to. @type {{name: string, of: (run: Reached) => string}[]} */
const ENDS = [
  { name: "loss", of: ({ loss }) => brief(loss) },
  { name: "test loss", of: ({ test }) => brief(test) },
  { name: "accuracy", of: ({ accuracy }) => percent(accuracy) },
];
const BY_HAND = "by hand"; // the column of weights changed by hand

/** @param {import("../run/types.js").Snapshot} snapshot @returns {Reached} */
function reached({ loss, wholeLoss, accuracy, wholeAccuracy, testLoss }) {
  return { loss: wholeLoss ?? loss, test: testLoss, accuracy: wholeAccuracy ?? accuracy };
}

/** The settings that are not the same in all runs. @param {Told[]} runs */
function differing(runs) {
  const names = new Set(runs.flatMap(({ spec }) => Object.keys(spec)));
  return [...[...names].filter((name) => name !== "rows"), BY_HAND].filter((name) => new Set(runs.map((run) => valueOf(run, name))).size > 1);
}

/** A setting in a table. @param {Told} run @param {string} name */
function valueOf({ spec, edits }, name) {
  if (name === BY_HAND) return edits.length ? counted(edits.length, "change") : "none";
  const value = spec[name];
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (name === "layers") return value.join(" → ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "–");
}

/** The differences of a run from the current one: "learning rate 0.05, seed 4".
 * @param {Told} run @param {Told} now */
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
