/** One frame of a step on the network: the sample's numbers on neurons and links, and the layer it is about. */

/** @typedef {import("./links.js").Links} Links */
/** @typedef {import("./network.js").Network} Network */
/** @typedef {{look: string, texts: string[]}} Texts */
/**
 * @typedef {{
 *   name: string, phase: string, layer: number | null, neuron: number | null, title: string, sentence: string, lines: string[],
 *   table: {head: string[], rows: string[][]} | null, numbers: (Texts | null)[], links: string[],
 * }} Frame  layer: counted from 1 after the inputs; numbers: by layer, the inputs first; links: of the chosen neuron, by input
 */

export class Phases {
  /** @param {Network} network @param {Links} links */
  constructor(network, links) {
    this.network = network;
    this.links = links;
  }

  /** @param {Frame} frame */
  paint(frame) {
    const { network, links } = this;
    network.box.dataset.phase = frame.phase;
    const lit = frame.layer ?? (frame.phase === "input" ? 0 : frame.numbers.length - 1);
    for (const { button, layer, index } of network.neurons) {
      const numbers = frame.numbers[layer];
      button.classList.toggle("lit", layer === lit);
      button.classList.toggle("told", layer === frame.layer && index === frame.neuron);
      write(button, network.name(layer, index), numbers?.texts[index] ?? "", numbers?.look ?? "");
    }
    const told = frame.layer === null || frame.neuron === null ? null : network.at(frame.layer, frame.neuron);
    links.tell(told, frame.links, frame.phase === "forward" ? "" : "grad");
  }

  clear() {
    const { network, links } = this;
    delete network.box.dataset.phase;
    for (const { button, layer, index } of network.neurons) {
      button.classList.remove("lit", "told");
      write(button, network.name(layer, index), "", "");
    }
    links.tell(null, [], "");
  }
}

/** Write a number on a neuron and in its accessible name, or remove it. @param {HTMLElement} button @param {string} name @param {string} text @param {string} look */
function write(button, name, text, look) {
  button.setAttribute("aria-label", text ? `${name}: ${text}` : name);
  const word = button.querySelector(".number") ?? document.createElement("span");
  word.className = `number ${look}`;
  word.textContent = text;
  if (text) button.append(word);
  else word.remove();
}
