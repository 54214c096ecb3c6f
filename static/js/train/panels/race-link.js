/** Links to the race: of the run and its pins, or of the best runs of a sweep. */
import { at } from "../../common/elements.js";
import { editPairs } from "../run/run.js";
import { pathTo } from "../run/server.js";
import { changesText } from "./changes.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./pins.js").Pins} Pins */
/** @typedef {Record<string, any>} Spec */

export const MOST = 12; // runs of a race

/** The settings in which a run differs from the base of a race, as a query. @param {Spec} spec @param {Spec} base */
export function ownSettings(spec, base) {
  const differs = (/** @type {string} */ name) => JSON.stringify(spec[name]) !== JSON.stringify(base[name]);
  const names = [...new Set([...Object.keys(base), ...Object.keys(spec)])].filter((name) => differs(name) || (name === "learning_rate" && differs("optimizer"))); // else it would be the optimizer's own
  return String(new URLSearchParams(names.map((name) => [name, textOf(name, spec[name])])));
}

/** A setting as in an address. @param {string} name @param {any} value */
function textOf(name, value) {
  if (value === undefined || value === null) return "";
  if (name === "layers") return value.join("-");
  if (name === "at") return changesText(value);
  if (name === "rows") return value.map((/** @type {number[]} */ row) => row.join(",")).join(";");
  if (name === "activation" && Array.isArray(value)) return `${value.join(",")}${value.length === 1 ? "," : ""}`;
  return String(value);
}

/** @param {string} query of the base @param {string[]} owns */
export const raceOf = (query, owns) => pathTo("race", [query, ...owns.slice(0, MOST).map((own) => `run=${encodeURIComponent(own)}`)].join("&"));

/** The link of the page: the run beside its pins, or without pins all optimizers. */
export class RaceLink {
  /** @param {Pins} pins */
  constructor(pins) {
    this.pins = pins;
    this.link = at("race-open");
    /** @type {Run | null} */ this.run = null;
    pins.onShow = () => this.#link();
  }

  revise = this.load;

  /** @param {Run} run */
  load(run) {
    this.run = run;
    this.#link();
  }

  #link() {
    const { link, pins, run } = this;
    if (!run || !(link instanceof HTMLAnchorElement)) return;
    const none = run.edits.length ? ["set="] : []; // a pin does not take the edits of the run
    const owns = pins.own.map(({ spec, edits }) => [ownSettings(spec, run.setup.spec), ...(edits.length ? editPairs(edits) : none)].filter(Boolean).join("&"));
    link.href = raceOf(run.query, owns.length ? ["", ...owns] : []);
    link.title = owns.length ? "The run and its pins side by side" : "The run with every optimizer side by side";
  }
}

/** A link to the race of a sweep's best runs. @param {string} query @param {{rate: number, seed: number | string, final: number | string}[]} runs @param {number | string} seed of data and order */
export function raceOfSweep(query, runs, seed) {
  const params = new URLSearchParams(query);
  for (const name of ["data_seed", "order_seed"]) if (!params.has(name)) params.set(name, String(seed)); // only the weights differ
  const order = (/** @type {{final: number | string}} */ { final }) => (Number.isFinite(Number(final)) ? Number(final) : Infinity);
  const best = [...runs].sort((a, b) => order(a) - order(b)).slice(0, MOST);
  const link = document.createElement("a");
  link.className = "button";
  link.href = raceOf(String(params), best.map(({ rate, seed: own }) => `learning_rate=${rate}&seed=${own}`));
  link.textContent = `Race the ${best.length === runs.length ? "runs" : `${best.length} best`}`;
  return link;
}
