/**
 * Other settings for a run while the server is away: those that its kernel reads as numbers from memory, in the range
 * that the server gave for each. All others need another kernel.
 */
import { Kernel } from "./kernel.js";
import { Run } from "./run.js";

/** @typedef {import("./machine.js").Setting} Setting */

const DECIMAL = /^\d+(\.\d*)?(e[+-]?\d+)?$/i;

/** The settings whose texts differ between two queries. @param {string} before @param {string} after @returns {Map<string, string>} */
export function changed(before, after) {
  const [old, now] = [new URLSearchParams(before), new URLSearchParams(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return new Map([...names].filter((name) => old.get(name) !== now.get(name)).map((name) => [name, now.get(name) ?? ""]));
}

/** The number that a setting takes from a text; null if it does not. @param {Setting | undefined} setting @param {string} text */
function numberFor(setting, text) {
  if (!setting || !DECIMAL.test(text)) return null;
  const { least, most, whole, positive } = setting;
  const value = Number(text);
  const isTaken = Number.isFinite(value) && value >= least && value <= (most ?? Infinity) && (value > 0 || !positive);
  return isTaken && (Number.isInteger(value) || !whole) ? value : null;
}

/** The run with other settings, from its first step, trained by the same kernel; null if it needs another one, as after changes
 * in mid-run.
 * @param {Run} run @param {Map<string, string>} changes @returns {Run | null} */
export function revised({ source, setup, edits }, changes) {
  const [only, ...others] = setup.segments;
  if (!(source instanceof Kernel) || edits.length || others.length || !changes.size) return null;
  /** @type {[Setting, number][]} */ const values = [];
  const query = new URLSearchParams(setup.query);
  for (const [name, text] of changes) {
    const setting = source.machine.packed.settings.find((one) => one.name === name);
    const value = numberFor(setting, text);
    if (!setting || value === null) return null;
    values.push([setting, value]);
    query.set(name, text);
  }
  const numbers = Object.fromEntries(values.map(([{ name }, value]) => [name, value]));
  const spec = { ...setup.spec, ...numbers };
  const segments = [{ ...only, settings: { ...only.settings, ...numbers } }];
  const next = { ...setup, spec, segments, steps: spec.steps, query: String(query), preset: null };
  return new Run(next, [], source.revised(values, next));
}

/** How a run goes on to more steps with its kernel, whose schedule they leave as it is; null if it cannot.
 * @param {Run} run @param {number} steps in all @param {string} query of the longer run @returns {(() => Run) | null} */
export function trainedOn(run, steps, query) {
  const { source, setup } = run;
  if (!(source instanceof Kernel) || !source.holds(setup.steps)) return null;
  const setting = source.machine.packed.settings.find(({ name }) => name === "steps");
  if (numberFor(setting, String(steps)) === null) return null;
  const last = setup.segments[setup.segments.length - 1];
  const added = { ...last, start: setup.steps, words: `train on to ${steps.toLocaleString("en")}`, settings: { ...last.settings, steps } };
  const at = { ...setup.spec.at, [setup.steps]: { steps } };
  return () => {
    const longer = { ...setup, steps, query, preset: null, spec: { ...setup.spec, at }, segments: [...setup.segments, added] };
    const next = run.continued(longer, setup.steps);
    next.source = source.extended(longer, next.source);
    return next;
  };
}
