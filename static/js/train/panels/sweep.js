/** Sweep: runs for all pairs of rate and seed, with loss curves as small multiples that link to their run. */
import { at, find, made, on, write } from "../../common/elements.js";
import { Busy, fetchJsonOnce, pathTo } from "../run/server.js";
import { raceOfSweep } from "./race-link.js";

/** @typedef {{rate: number, seed: number | string, losses: (number | string)[], final: number | string, accuracy: number | null}} Result */
/** @typedef {{query: string, steps: number, seed: number | string, colour: string, isEdited: boolean}} Present  the run shown, its query without edits */
/** @typedef {{rates: number[], seeds: (number | string)[], runs: Result[]}} Sweep */

/** @param {string} query @param {string} rates @param {string} seeds @param {AbortSignal} signal @param {import("../run/server.js").Report} report
 * @returns {Promise<Sweep>} */
function sweep(query, rates, seeds, signal, report) {
  const list = (/** @type {string} */ text) => text.split(/[\s,;]+/).filter(Boolean).join(",");
  return fetchJsonOnce(pathTo("sweep", query, { rates: list(rates), seeds: list(seeds) }), signal, report);
}

/** An error message, with a retry button if the server is busy. @param {unknown} error @param {() => void} again */
function failure(error, again) {
  const words = error instanceof Error ? error.message : String(error);
  const button = made("button", { type: "button", className: "link", onclick: again }, "Try again");
  return made("p", { className: "notice warning" }, words, ...(error instanceof Busy ? [" ", button] : []));
}

/** The dialog of a sweep. */
export class SweepDialog {
  /** @param {() => Present | null} present the run shown */
  constructor(present) {
    this.present = present;
    this.dialog = find("sweep", "dialog");
    this.rates = find("sweep-rates", "input");
    this.seeds = find("sweep-seeds", "input");
    this.box = at("sweep-result");
    this.asking = new AbortController();
    on("sweep-open", "click", () => this.dialog.showModal());
    on("sweep-run", "click", () => this.#train());
    for (const field of [this.rates, this.seeds]) field.addEventListener("keydown", (event) => event.key === "Enter" && this.#train());
    this.dialog.addEventListener("close", () => this.asking.abort());
  }

  async #train() {
    const { box } = this;
    const now = this.present();
    if (!now) return;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    box.setAttribute("aria-busy", "true");
    write(box, "Training…");
    const begun = performance.now();
    try {
      const found = await sweep(now.query, this.rates.value, this.seeds.value, signal, (words) => write(box, words ?? "Training…"));
      const seconds = (performance.now() - begun) / 1000;
      const { tableOf } = await import("./sweep-table.js");
      const table = tableOf(found, now, seconds, (query) => pathTo("", query, { step: now.steps }));
      if (!signal.aborted) box.replaceChildren(table, raceOfSweep(now.query, found.runs, now.seed));
    } catch (error) {
      if (!signal.aborted) box.replaceChildren(failure(error, () => this.#train()));
    }
    if (signal === this.asking.signal) box.removeAttribute("aria-busy");
  }
}
