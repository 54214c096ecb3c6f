/** The tables: predictions against targets, norms by layer, the losses at some steps. For everyone, and for reading aloud. */
import { write } from "./page.js";
import { brief } from "./words.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./store.js").Losses} Losses */
/** @typedef {import("./store.js").Frames} Frames */

const MOST = 300; // rows of predictions
const LOSSES = 10; // rows of the table of losses
const DIGITS = 4;

/** @param {string} text @param {string} [look] */
function cell(text, look) {
  const td = document.createElement("td");
  td.textContent = text;
  if (look) td.className = look;
  return td;
}

/** @param {string} text */
function head(text) {
  const th = document.createElement("th");
  th.scope = "row";
  th.textContent = text;
  return th;
}

/** @param {(HTMLElement)[]} cells */
function row(...cells) {
  const tr = document.createElement("tr");
  tr.append(...cells);
  return tr;
}

const fixed = (/** @type {number} */ x) => (Number.isFinite(x) ? x.toFixed(DIGITS).replace("-", "−") : brief(x));

/** Whether the outputs say the class of a sample. @param {number[]} outputs @param {number} label */
export function isRight(outputs, label) {
  if (outputs.length === 1) return outputs[0] > 0 === label > 0;
  return outputs.indexOf(Math.max(...outputs)) === label;
}

/** What the network should say. @param {Setup} setup @param {number} y @param {number} no */
function targetOf({ kind, outputs }, y, no) {
  const target = kind === "classes" && outputs === 1 ? (y > 0 ? 1 : no) : y;
  return (kind === "classes" ? String(target) : fixed(target)).replace("-", "−");
}

/** Predictions against targets: `frame` must have predictions.
 * @param {HTMLElement} body @param {Setup} setup @param {Frame} frame @param {number} no the target that says "not this class"
 * @param {(index: number) => string} linkOf */
export function fillPredictions(body, setup, frame, no, linkOf) {
  const predictions = (frame.predictions ?? []).slice(0, MOST);
  const ours = /** @type {HTMLTableRowElement[]} */ ([...body.querySelectorAll("tr[data-sample]")]);
  if (ours.length !== predictions.length) body.replaceChildren(...predictions.map((_, i) => sampleRow(i)));
  const rows = /** @type {HTMLTableRowElement[]} */ ([...body.children]);
  predictions.forEach((outputs, i) => {
    const { x, y } = setup.samples[i];
    const off = setup.kind === "classes" ? (isRight(outputs, y) ? "✓" : "✗") : fixed(outputs[0] - y);
    const texts = [x.map(fixed).join(", "), targetOf(setup, y, no), outputs.map(fixed).join(", "), off];
    const [name, ...cells] = rows[i].cells;
    /** @type {HTMLAnchorElement} */ (name.firstChild).href = linkOf(i);
    cells.forEach((td, k) => write(td, texts[k]));
    cells[3].className = off === "✗" ? "bad" : off === "✓" ? "ok" : "";
  });
}

/** A row of its own for each sample, so that a link that has the focus keeps it. @param {number} index */
function sampleRow(index) {
  const link = document.createElement("a");
  link.textContent = String(index + 1);
  link.setAttribute("aria-label", `Sample ${index + 1}: open in Explore`);
  const name = head("");
  name.append(link);
  const tr = row(name, cell(""), cell(""), cell("", "data"), cell(""));
  tr.dataset.sample = String(index);
  return tr;
}

/** @param {HTMLElement} body @param {Frame} frame */
export function fillNorms(body, frame) {
  body.replaceChildren(
    ...frame.norms.map(({ layer, weights, gradients }) => row(head(`layer ${layer}`), cell(brief(weights), "data"), cell(brief(gradients), "grad"))),
  );
}

/** The losses at about ten steps of the run so far.
 * @param {HTMLElement} body @param {Losses} losses */
export function fillLosses(body, { losses, tests, accuracies, known }) {
  const each = Math.max(1, Math.ceil(known / LOSSES));
  const rows = [];
  for (let step = 0; step < known; step += each) {
    const test = tests ? brief(tests[step]) : "–";
    const share = accuracies ? `${Number((100 * accuracies[step]).toFixed(1))}%` : "–";
    rows.push(row(head(String(step)), cell(brief(losses[step]), "data"), cell(test), cell(share)));
  }
  body.replaceChildren(...rows);
}

/** The norms of each layer over the steps whose states are kept: weights in blue, gradients in orange, log.
 * @param {HTMLCanvasElement} canvas @param {Frames} frames @param {number} steps @param {{data: string, grad: string, line: string, mute: string}} colours */
export function drawNorms(canvas, frames, steps, colours) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  const kept = [...frames.frames.values()].filter(({ norms }) => norms.length).sort((a, b) => a.step - b.step);
  if (!context || !width || !kept.length) return;
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  const all = kept.flatMap(({ norms }) => norms.flatMap(({ weights, gradients }) => [weights, gradients])).filter((x) => x > 0 && Number.isFinite(x));
  const [low, high] = [Math.log10(Math.max(Math.min(...all), 1e-12)), Math.log10(Math.max(...all, 1e-11))];
  const place = (/** @type {number} */ step, /** @type {number} */ x) =>
    /** @type {[number, number]} */ ([(step / steps) * width, 6 + (1 - (Math.log10(x) - low) / (high - low || 1)) * (height - 12)]);
  kept[0].norms.forEach((_, layer) => {
    for (const [key, colour] of /** @type {const} */ ([["weights", colours.data], ["gradients", colours.grad]])) {
      context.strokeStyle = colour;
      context.globalAlpha = 1 - (0.65 * layer) / kept[0].norms.length;
      context.lineWidth = 1.6;
      context.beginPath();
      for (const frame of kept) {
        const x = frame.norms[layer]?.[key];
        if (x > 0 && Number.isFinite(x)) context.lineTo(...place(frame.step, x));
      }
      context.stroke();
    }
  });
}
