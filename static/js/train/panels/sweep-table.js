/** The results of a sweep: loss curves as small multiples that link to their run. Fetched with the first of them. */
import { made } from "../../common/elements.js";
import { brief, percent } from "../../common/numbers.js";
import { head } from "./tables.js";

/** @typedef {import("./sweep.js").Result} Result */
/** @typedef {import("./sweep.js").Present} Present */
/** @typedef {import("./sweep.js").Sweep} Sweep */

const [WIDTH, HEIGHT] = [96, 44];
const FEW = 7; // maximum rates or seeds with curves of full size

/** A table with a row per rate, a column per seed, and curves on a common scale.
 * @param {Sweep} found @param {Present} now @param {number} seconds @param {(query: string) => string} linkOf a run at its last step */
export function tableOf({ rates, seeds, runs }, now, seconds, linkOf) {
  const table = made("table");
  table.createCaption().textContent = `${runs.length} runs in ${seconds.toFixed(1)} s: training loss on a common log scale${runs.some(({ accuracy }) => accuracy !== null) ? ", and the accuracy on training data at the end" : ", and at the end"}. Click a cell to open its run.${now.isEdited ? " Weights changed by hand are left out." : ""}`;
  table.createTHead().insertRow().append(head("rate \\ seed", "col"), ...seeds.map((seed) => head(String(seed), "col")));
  const scale = scaleOf(runs);
  const best = runs.reduce((least, { final }) => (Number(final) < least ? Number(final) : least), Infinity);
  const body = table.createTBody();
  for (const rate of rates) {
    const row = body.insertRow();
    row.append(head(String(rate)));
    for (const seed of seeds) {
      const run = runs.find((other) => other.rate === rate && other.seed === seed);
      const cell = row.insertCell();
      if (run) cell.append(multiple(run, now, scale, linkOf));
      if (run && Number(run.final) === best) cell.className = "best";
    }
  }
  for (const canvas of table.querySelectorAll("canvas")) fit(canvas, seeds.length, rates.length);
  return table;
}

/** Shrink the curves of large sweeps, so that all are visible. @param {HTMLCanvasElement} canvas @param {number} across @param {number} down */
function fit(canvas, across, down) {
  if (across > FEW) canvas.style.width = "70px";
  if (down > FEW) canvas.style.height = "24px";
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

/** @param {Result} run @param {Present} now @param {[number, number]} scale @param {(query: string) => string} linkOf */
function multiple(run, { query, seed, colour }, scale, linkOf) {
  const params = new URLSearchParams(query);
  for (const name of ["data_seed", "order_seed"]) if (!params.has(name)) params.set(name, String(seed)); // only the weights differ
  params.set("learning_rate", String(run.rate));
  params.set("seed", String(run.seed));
  const right = run.accuracy === null ? "" : `, accuracy on training data ${percent(run.accuracy)}`;
  const words = made("small", {}, run.accuracy === null ? brief(Number(run.final)) : percent(run.accuracy));
  const label = `Rate ${run.rate}, seed ${run.seed}: loss ${brief(Number(run.final))} at the end${right}`;
  return made("a", { href: linkOf(String(params)), "aria-label": label }, curve(run.losses.map(Number), colour, scale), words);
}

/** @param {number[]} losses @param {string} colour @param {[number, number]} scale */
function curve(losses, colour, [low, high]) {
  const canvas = made("canvas", { width: 2 * WIDTH, height: 2 * HEIGHT });
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

