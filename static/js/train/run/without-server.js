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

/** The run with other settings, from its first step, trained by the same kernel; null if it needs another one.
 * @param {Run} run @param {Map<string, string>} changes @returns {Run | null} */
export function revised({ source, setup, edits }, changes) {
  if (!(source instanceof Kernel) || edits.length || !changes.size) return null;
  /** @type {[Setting, number][]} */ const values = [];
  const query = new URLSearchParams(setup.query);
  for (const [name, text] of changes) {
    const setting = source.machine.packed.settings.find((one) => one.name === name);
    const value = numberFor(setting, text);
    if (!setting || value === null) return null;
    values.push([setting, value]);
    query.set(name, text);
  }
  const spec = { ...setup.spec, ...Object.fromEntries(values.map(([{ name }, value]) => [name, value])) };
  const next = { ...setup, spec, steps: spec.steps, query: String(query), preset: null };
  return new Run(next, [], source.revised(values, next));
}
