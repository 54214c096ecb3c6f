/** The list of manual edits, each removable, in the same words as the server's list. */

import { plain } from "../../common/numbers.js";
import { firstParameters } from "../run/parameters.js";

/** @typedef {import("../run/run.js").Edit} Edit */

/** The name of a parameter. @param {number[]} layers @param {number} place */
function whose(layers, place) {
  const firsts = firstParameters(layers);
  const layer = firsts.findLastIndex((first) => first <= place) + 1;
  const inputs = layers[layer - 1];
  const [neuron, i] = [Math.floor((place - firsts[layer - 1]) / (inputs + 1)), (place - firsts[layer - 1]) % (inputs + 1)];
  return `layer ${layer}, neuron ${neuron + 1}, ${i < inputs ? `weight ${i + 1}` : "bias"}`;
}

/** @param {HTMLElement} section @param {number[]} layers @param {Edit[]} edits @param {(edit: Edit) => void} remove */
export function listEdits(section, layers, edits, remove) {
  const list = section.querySelector("ul");
  section.hidden = !edits.length;
  list?.replaceChildren(
    ...edits.map((edit) => {
      const [step, place, value] = edit;
      const text = `${whose(layers, place)} is ${plain(value)} from step ${step.toLocaleString("en")} on`;
      const [item, words, button] = [document.createElement("li"), document.createElement("span"), document.createElement("button")];
      words.textContent = text;
      button.type = "button";
      button.className = "link";
      button.textContent = "Remove";
      button.setAttribute("aria-label", `Remove: ${text}`);
      button.addEventListener("click", () => remove(edit));
      item.append(words, " ", button);
      return item;
    }),
  );
}
