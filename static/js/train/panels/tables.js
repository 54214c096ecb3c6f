/** The tables: predictions against targets, norms by layer, losses at selected steps. */
import { at, made, write } from "../../common/elements.js";
import { brief, compact, fixed, percent } from "../../common/numbers.js";
import { inOwnUnits } from "../run/own-units.js";

/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/store.js").Losses} Losses */
/** @typedef {import("../run/store.js").Snapshots} Snapshots */

const MOST = 300; // rows of predictions
const LOSSES = 10; // rows of the table of losses

/** @param {string} text @param {string} [look] */
export const cell = (text, look = "") => made("td", { className: look }, text);

/** @param {string} text @param {string} [scope] */
export const head = (text, scope = "row") => made("th", { scope }, text);

/** @param {HTMLElement[]} cells */
export const row = (...cells) => made("tr", {}, ...cells);

/** A list of lines in a section, each with a button that removes it; without lines the section is hidden.
 * @param {HTMLElement} section @param {[string, () => void][]} lines */
export function listRemovable(section, lines) {
  const remover = (/** @type {string} */ text, /** @type {() => void} */ onclick) => made("button", { type: "button", className: "link", "aria-label": `Remove: ${text}`, onclick }, "Remove");
  section.hidden = !lines.length;
  section.querySelector("ul")?.replaceChildren(...lines.map(([text, remove]) => made("li", {}, made("span", {}, text), " ", remover(text, remove))));
}

/** The predicted class. @param {number[]} outputs @param {number} threshold the largest single output that means "not this class" */
function chosen(outputs, threshold) {
  return outputs.length === 1 ? Number(outputs[0] > threshold) : Math.max(0, outputs.indexOf(Math.max(...outputs)));
}

/** The class of a label; with a single output, labels are signs. @param {number[]} outputs @param {number} label */
const classOf = (outputs, label) => (outputs.length === 1 ? Number(label > 0) : label);

/** Whether the prediction is correct. @param {number[]} outputs @param {number} label @param {number} threshold as of `chosen` */
export function isRight(outputs, label, threshold) {
  return chosen(outputs, threshold) === classOf(outputs, label);
}

/** The regression target; for classes, the target of a single output or the class name.
 * @param {Setup} setup @param {number} y */
export function targetOf({ kind, outputs, no, class_names: names }, y) {
  if (kind !== "classes") return fixed(y);
  if (names.length) return names[y];
  return outputs === 1 ? compact(y > 0 ? 1 : no) : `class ${y}`;
}

/** The outputs, and the name of the predicted class if classes have names. @param {Setup} setup @param {number[]} outputs */
function outputOf({ class_names: names, threshold }, outputs) {
  const numbers = outputs.map(fixed).join(", ");
  if (!names.length) return numbers;
  return `${numbers}: ${names[chosen(outputs, threshold)]}`;
}

/** Predictions against targets: `snapshot` must have predictions.
 * @param {HTMLElement} body @param {Setup} setup @param {Snapshot} snapshot
 * @param {(index: number) => string} linkOf */
export function fillPredictions(body, setup, snapshot, linkOf) {
  const predictions = (snapshot.predictions ?? []).slice(0, MOST);
  const ours = /** @type {HTMLTableRowElement[]} */ ([...body.querySelectorAll("tr[data-sample]")]);
  if (ours.length !== predictions.length) headPicks(body);
  if (ours.length !== predictions.length) body.replaceChildren(...predictions.map((_, i) => sampleRow(i)));
  write(at("predictions-off"), setup.kind === "classes" ? "right" : "off by");
  const rows = /** @type {HTMLTableRowElement[]} */ ([...body.children]);
  predictions.forEach((outputs, i) => {
    const { x, y } = setup.samples[i];
    const off = setup.kind === "classes" ? (isRight(outputs, y, setup.threshold) ? "✓" : "✗") : fixed(outputs[0] - y);
    const texts = [inOwnUnits(setup, x).map(fixed).join(", "), targetOf(setup, y), outputOf(setup, outputs), off];
    const [name, ...cells] = rows[i].cells;
    /** @type {HTMLAnchorElement} */ (name.firstChild).href = linkOf(i);
    texts.forEach((text, k) => write(cells[k], text));
    cells[3].className = off === "✗" ? "bad" : off === "✓" ? "ok" : "";
  });
}

/** How many training samples of each class, by row, are taken for each class, by column.
 * @param {HTMLElement} table @param {Setup} setup @param {Snapshot} snapshot */
export function fillConfusion(table, setup, { predictions }) {
  table.hidden = setup.kind !== "classes";
  if (table.hidden || !predictions) return;
  const classes = Array.from({ length: Math.max(setup.classes, 2) }, (_, k) => k);
  const counts = classes.map(() => classes.map(() => 0));
  predictions.forEach((outputs, i) => (counts[classOf(outputs, setup.samples[i].y)][chosen(outputs, setup.threshold)] += 1));
  const names = classes.map((k) => targetOf(setup, k));
  const heads = names.map((name) => head(name, "col"));
  table.querySelector("thead")?.replaceChildren(row(cell(""), ...heads));
  table.querySelector("tbody")?.replaceChildren(...counts.map((line, k) => row(head(names[k]), ...line.map((count, j) => cell(String(count), count ? (j === k ? "ok" : "bad") : undefined)))));
}

/** The row of a sample, reused between updates so that a focused link keeps the focus. @param {number} index */
function sampleRow(index) {
  const link = made("a", { "aria-label": `Sample ${index + 1}: open in Explore` }, String(index + 1));
  const pick = made("input", { type: "checkbox", value: String(index), autocomplete: "off", "aria-label": `Pick sample ${index + 1} for Explore` });
  const tr = row(made("th", { scope: "row" }, link), cell(""), cell(""), cell("", "data"), cell(""), made("td", {}, pick));
  tr.dataset.sample = String(index);
  return tr;
}

/** Add the column of checkboxes, which the table without scripts lacks. @param {HTMLElement} body */
function headPicks(body) {
  const heads = body.parentElement?.querySelector("thead tr");
  if (!heads || heads.querySelector("[data-pick]")) return;
  heads.append(made("th", { scope: "col", title: "Picked samples are opened in Explore together", "data-pick": "" }, "pick"));
}

/** @param {HTMLElement} body @param {(sample: number) => void} onPick */
export function wirePicks(body, onPick) {
  body.addEventListener("change", (event) => onPick(Number(/** @type {HTMLInputElement} */ (event.target).value)));
}

/** @param {HTMLElement} body @param {number[]} chosen */
export function showPicks(body, chosen) {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (body.querySelectorAll("input[type=checkbox]"))) box.checked = chosen.includes(Number(box.value));
}

/** @param {HTMLElement} body @param {Snapshot} snapshot */
export function fillNorms(body, snapshot) {
  body.replaceChildren(
    ...snapshot.norms.map(({ layer, weights, gradients, updates }) => row(head(`layer ${layer}`), cell(brief(weights), "data"), cell(brief(gradients), "grad"), cell(brief(updates === null ? null : updates / weights)))),
  );
}

/** The metrics at every tenth of the run so far, its last step included.
 * @param {HTMLElement} body @param {Losses} losses @param {Snapshot} snapshot */
export function fillLosses(body, { losses, tests, accuracies, known }, { step: at, loss, testLoss, accuracy }) {
  const last = Math.max(known - 1, at);
  const steps = new Set(Array.from({ length: LOSSES + 1 }, (_, part) => Math.floor((last * part) / LOSSES)));
  const rows = [...steps].map((step) => {
    const isKnown = step < known;
    const test = isKnown ? (tests ? tests[step] : null) : testLoss;
    const share = isKnown ? (accuracies ? accuracies[step] : null) : accuracy;
    return row(head(String(step)), cell(brief(isKnown ? losses[step] : loss), "data"), cell(brief(test)), cell(percent(share)));
  });
  body.replaceChildren(...rows);
}
