/** The doctor: the server's diagnosis of the run, requested when playback stops. */
import { ask, pathTo } from "../run/server.js";

/** @typedef {{illness?: string, name?: string, step?: number, layer?: number | null, message: string, advice: string}} Verdict */

/** @param {HTMLElement} list @param {string} query @param {number} step @param {AbortSignal} signal @returns {Promise<number>} the number of verdicts */
export async function diagnose(list, query, step, signal) {
  /** @type {Verdict[]} */
  const verdicts = await ask(pathTo("doctor", query, { step }), signal);
  const items = verdicts.map(item);
  if (!items.length) items.push(Object.assign(document.createElement("li"), { className: "well", textContent: "Nothing is wrong with this run so far." }));
  list.replaceChildren(...items);
  return verdicts.length;
}

/** @param {Verdict} verdict */
function item(verdict) {
  const li = document.createElement("li");
  const name = document.createElement("b");
  name.textContent = (verdict.illness ?? verdict.name ?? "").replaceAll("_", " ");
  const words = document.createElement("p");
  words.textContent = verdict.message;
  const advice = document.createElement("p");
  advice.className = "advice";
  advice.textContent = verdict.advice;
  li.append(name, words, advice);
  return li;
}
