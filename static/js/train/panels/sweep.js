/** Sweep: runs for all pairs of rate and seed, with loss curves as small multiples that link to their run. */
import { at, find, on, write } from "../../common/elements.js";
import { brief, percent } from "../../common/numbers.js";
import { Busy, fetchJsonOnce, pathTo } from "../run/server.js";
import { raceOfSweep } from "./race-link.js";

/** @typedef {{rate: number, seed: number | string, losses: (number | string)[], final: number | string, accuracy: number | null}} Result */
/** @typedef {{query: string, steps: number, seed: number | string, colour: string, isEdited: boolean}} Present  the run shown, its query without edits */
/** @typedef {{rates: number[], seeds: (number | string)[], runs: Result[]}} Sweep */

const [WIDTH, HEIGHT] = [96, 44];
const FEW = 7; // maximum rates or seeds with curves of full size

/** @param {string} query @param {string} rates @param {string} seeds @param {AbortSignal} signal @param {import("../run/server.js").Report} report
 * @returns {Promise<Sweep>} */
function sweep(query, rates, seeds, signal, report) {
  const list = (/** @type {string} */ text) => text.split(/[\s,;]+/).filter(Boolean).join(",");
  return fetchJsonOnce(pathTo("sweep", query, { rates: list(rates), seeds: list(seeds) }), signal, report);
}

/** A table with a row per rate, a column per seed, and curves on a common scale.
 * @param {HTMLElement} box @param {Sweep} found @param {Present} now @param {number} seconds */
function fillSweep(box, { rates, seeds, runs }, now, seconds) {
  const table = document.createElement("table");
  table.createCaption().textContent = `${runs.length} runs in ${seconds.toFixed(1)} s: loss curves on a common log scale. Click a cell to open its run.${now.isEdited ? " Weights changed by hand are left out." : ""}`;
  const head = table.createTHead().insertRow();
  head.append(heading("rate \\ seed", "col"), ...seeds.map((seed) => heading(String(seed), "col")));
  const scale = scaleOf(runs);
  const best = runs.reduce((least, { final }) => (Number(final) < least ? Number(final) : least), Infinity);
  const body = table.createTBody();
  for (const rate of rates) {
    const row = body.insertRow();
    row.append(heading(String(rate), "row"));
    for (const seed of seeds) {
      const run = runs.find((other) => other.rate === rate && other.seed === seed);
      const cell = row.insertCell();
      if (run) cell.append(multiple(run, now, scale));
      if (run && Number(run.final) === best) cell.className = "best";
    }
  }
  for (const canvas of table.querySelectorAll("canvas")) fit(canvas, seeds.length, rates.length);
  box.replaceChildren(table, raceOfSweep(now.query, runs, now.seed));
}

/** Shrink the curves of large sweeps, so that all are visible. @param {HTMLCanvasElement} canvas @param {number} across @param {number} down */
function fit(canvas, across, down) {
  if (across > FEW) canvas.style.width = "70px";
  if (down > FEW) canvas.style.height = "24px";
}

/** @param {string} text @param {string} scope */
function heading(text, scope) {
  const th = document.createElement("th");
  th.scope = scope;
  th.textContent = text;
  return th;
}

/** The common logarithms of the lowest and highest loss. @param {Result[]} runs @returns {[number, number]} */
function scaleOf(runs) {
  let [low, high] = [Infinity, -Infinity];
  for (const { losses } of runs) {
    for (const loss of losses.map(Number)) {
      if (!(loss > 0) || !Number.isFinite(loss)) continue;
      low = Math.min(low, loss);
      high = Math.max(high, loss);
    }
  }
  return low < high ? [Math.log10(Math.max(low, high * 1e-8)), Math.log10(high)] : [-1, 1];
}

/** @param {Result} run @param {Present} now @param {[number, number]} scale */
function multiple(run, { query, steps, seed, colour }, scale) {
  const params = new URLSearchParams(query);
  for (const name of ["data_seed", "order_seed"]) if (!params.has(name)) params.set(name, String(seed)); // only the weights differ
  params.set("learning_rate", String(run.rate));
  params.set("seed", String(run.seed));
  const link = document.createElement("a");
  link.href = pathTo("", String(params), { step: steps });
  const right = run.accuracy === null ? "" : `, accuracy ${percent(run.accuracy)}`;
  link.setAttribute("aria-label", `Rate ${run.rate}, seed ${run.seed}: loss ${brief(Number(run.final))} at the end${right}`);
  const words = document.createElement("small");
  words.textContent = run.accuracy === null ? brief(Number(run.final)) : percent(run.accuracy);
  link.append(curve(run.losses.map(Number), colour, scale), words);
  return link;
}

/** @param {number[]} losses @param {string} colour @param {[number, number]} scale */
function curve(losses, colour, [low, high]) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * WIDTH, height: 2 * HEIGHT });
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.scale(2, 2);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  losses.forEach((loss, i) => {
    if (!(loss > 0) || !Number.isFinite(loss)) return;
    const y = 3 + (1 - Math.max(0, (Math.log10(loss) - low) / (high - low))) * (HEIGHT - 6);
    context.lineTo(2 + (i / Math.max(1, losses.length - 1)) * (WIDTH - 4), y);
  });
  context.stroke();
  return canvas;
}

/** An error message, with a retry button if the server is busy. @param {unknown} error @param {() => void} again */
function failure(error, again) {
  const words = error instanceof Error ? error.message : String(error);
  const line = Object.assign(document.createElement("p"), { className: "notice warning", textContent: words });
  if (!(error instanceof Busy)) return line;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Try again" });
  button.addEventListener("click", again);
  line.append(" ", button);
  return line;
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
      fillSweep(box, found, now, (performance.now() - begun) / 1000);
    } catch (error) {
      if (!signal.aborted) box.replaceChildren(failure(error, () => this.#train()));
    }
    if (signal === this.asking.signal) box.removeAttribute("aria-busy");
  }
}
