/** The weights as links between neurons: width by magnitude, colour by sign. */

import { parameterOf } from "../run/parameters.js";

/** @typedef {import("./network.js").Network} Network */
/** @typedef {import("./network.js").Neuron} Neuron */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {{parameter: number, from: Neuron, to: Neuron, path: SVGPathElement, look: number}} Link */
/** @typedef {{parameter: number, neuron: Neuron, dot: SVGCircleElement, look: number}} Bias */

const SVG = "http://www.w3.org/2000/svg";
const NEAR = 5; // hit distance of a link in pixels
const MANY = 80; // links between two layers above which all links are thinner
const THIN = 1.5; // stroke width of a weight that is nan
const LOST = 1000; // added to the look of nan, beyond that of any number
const AT = 0.3; // Bézier parameter at which a link's text stands
const FINE = 4; // visible widths per pixel; smaller changes are not redrawn

/** The stroke width of a weight. @param {number} weight */
const width = (weight) => {
  const size = Math.abs(weight);
  return Number.isFinite(size) ? 0.4 + (5 * size) / (size + 2.2) : 6;
};

export class Links {
  /** @param {Network} network */
  constructor(network) {
    this.network = network;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.id = "links";
    this.svg.setAttribute("aria-hidden", "true");
    network.box.prepend(this.svg);
    /** @type {Link[]} */ this.links = [];
    /** @type {Bias[]} */ this.biases = [];
    /** @type {Link | null} */ this.pointed = null;
    /** @type {SVGTextElement[]} */ this.words = [];
    this.share = 1;
  }

  /** Rebuild the links after a layout of the neurons. */
  build() {
    const { neurons, setup } = this.network;
    this.links = [];
    this.biases = [];
    this.pointed = null;
    if (!setup) return;
    const most = Math.max(...setup.layers.slice(1).map((count, i) => count * setup.layers[i]));
    this.share = Math.max(0.4, Math.min(1, Math.sqrt(MANY / most)));
    for (const to of neurons) {
      if (to.layer === 0) continue;
      for (const from of neurons) if (from.layer === to.layer - 1) this.links.push(this.#line(from, to, setup.layers));
      this.biases.push(this.#dot(to, setup.layers));
    }
    this.svg.replaceChildren(...this.links.map(({ path }) => path), ...this.biases.map(({ dot }) => dot));
  }

  /** @param {Neuron} from @param {Neuron} to @param {number[]} layers @returns {Link} */
  #line(from, to, layers) {
    const path = document.createElementNS(SVG, "path");
    const [x0, x1] = [from.x + from.half, to.x - to.half];
    const middle = (x0 + x1) / 2;
    path.setAttribute("d", `M${x0.toFixed(1)} ${from.y.toFixed(1)}C${middle.toFixed(1)} ${from.y.toFixed(1)} ${middle.toFixed(1)} ${to.y.toFixed(1)} ${x1.toFixed(1)} ${to.y.toFixed(1)}`);
    return { parameter: parameterOf(layers, to.layer, to.index, from.index), from, to, path, look: NaN };
  }

  /** @param {Neuron} neuron @param {number[]} layers @returns {Bias} */
  #dot(neuron, layers) {
    const dot = document.createElementNS(SVG, "circle");
    dot.setAttribute("cx", (neuron.x - neuron.half - 1).toFixed(1));
    dot.setAttribute("cy", (neuron.y + neuron.half + 1).toFixed(1));
    return { parameter: parameterOf(layers, neuron.layer, neuron.index, layers[neuron.layer - 1]), neuron, dot, look: NaN };
  }

  /** Update the links whose look changed. @param {Snapshot} snapshot */
  draw({ parameters }) {
    for (const link of this.links) {
      const weight = parameters[link.parameter];
      const look = Math.max(1, Math.round(width(weight) * this.share * FINE)) * (weight < 0 ? -1 : 1) + (Number.isNaN(weight) ? LOST : 0);
      if (look === link.look) continue;
      dress(link.path, weight);
      link.path.setAttribute("stroke-width", String(Number.isNaN(weight) ? THIN : Math.abs(look) / FINE));
      link.look = look;
    }
    for (const bias of this.biases) {
      const value = parameters[bias.parameter];
      const size = Number.isFinite(value) ? Math.abs(value) / (Math.abs(value) + 1) : 1;
      const look = Math.round((1.5 + 3 * size) * 2) * (value < 0 ? -1 : 1) + (Number.isNaN(value) ? LOST : 0);
      if (look === bias.look) continue;
      dress(bias.dot, value);
      bias.dot.setAttribute("r", String(1.5 + 3 * size));
      bias.look = look;
    }
  }

  /** Write the texts of a neuron's links on them, by input; null removes them. @param {Neuron | null} neuron @param {string[]} texts @param {string} look */
  tell(neuron, texts, look) {
    for (const word of this.words) word.remove();
    this.words = [];
    for (const link of this.links) {
      const isTold = link.to === neuron && texts.length > 0;
      link.path.classList.toggle("told", isTold);
      link.path.classList.toggle("grad", isTold && look === "grad");
      if (isTold) this.#write(link, texts[link.from.index], look);
    }
  }

  /** A text near the start of a link, where those of one neuron are apart. @param {Link} link @param {string} text @param {string} look */
  #write({ from, to }, text, look) {
    const [x0, x1] = [from.x + from.half, to.x - to.half];
    const share = AT * AT * (3 - 2 * AT);
    const x = x0 + (x1 - x0) * (1.5 * AT * (1 - AT) ** 2 + 1.5 * AT * AT * (1 - AT) + AT ** 3);
    const word = document.createElementNS(SVG, "text");
    word.setAttribute("x", x.toFixed(1));
    word.setAttribute("y", (from.y + (to.y - from.y) * share + 4).toFixed(1));
    if (look) word.setAttribute("class", look);
    word.textContent = text;
    this.svg.append(word);
    this.words.push(word);
  }

  /** The link nearest to a position, within a distance. @param {number} x @param {number} y @param {number} [within] pixels @returns {Link | null} */
  nearest(x, y, within = NEAR) {
    /** @type {Link | null} */ let found = null;
    let least = within;
    for (const link of this.links) {
      const [x0, x1] = [link.from.x + link.from.half, link.to.x - link.to.half];
      if (x < x0 || x > x1) continue;
      const t = along((x - x0) / (x1 - x0));
      const share = t * t * (3 - 2 * t);
      const distance = Math.abs(link.from.y + (link.to.y - link.from.y) * share - y);
      if (distance < least) [found, least] = [link, distance];
    }
    return found;
  }

  /** @param {Link | null} link */
  point(link) {
    if (link === this.pointed) return;
    this.pointed?.path.classList.remove("pointed");
    link?.path.classList.add("pointed");
    this.pointed = link;
  }
}

/** Nan has no sign: neither the colour of positive nor that of negative numbers. @param {SVGElement} part @param {number} x */
function dress(part, x) {
  part.classList.toggle("neg", x < 0);
  part.classList.toggle("pos", x >= 0);
  part.classList.toggle("lost", Number.isNaN(x));
}

/** The Bézier parameter t of a link at a horizontal fraction, 1.5·t·(1−t)² + 1.5·t²·(1−t) + t³, by bisection.
 * @param {number} across from 0 to 1 */
function along(across) {
  let [low, high] = [0, 1];
  for (let i = 0; i < 20; i += 1) {
    const t = (low + high) / 2;
    const x = 1.5 * t * (1 - t) ** 2 + 1.5 * t * t * (1 - t) + t ** 3;
    if (x < across) low = t;
    else high = t;
  }
  return (low + high) / 2;
}
