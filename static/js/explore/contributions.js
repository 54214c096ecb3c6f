/**
 * Contributions on the edges of a picture that the server drew with them: lines as wide as they are large, and numbers
 * where there is room. What has come along each edge is delivered (`app/picture/amounts.py`).
 *
 * @typedef {[frame: number, slot: number | null, level: string, text: string, title: string]} Arrival  slot null: a write of
 *   the program
 * @typedef {{element: SVGGElement, label: SVGGElement | null, arrivals: Arrival[], look: string}} Edge
 */

const LEVELS = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "odd"];
const [CHARACTER, PADDING] = [6.02, 6]; // of a number on an edge, in pixels

export class Contributions {
  /** @param {SVGSVGElement} svg with the class `contributions` */
  constructor(svg) {
    /** @type {import("./grains.js").Step} */ this.step = { frame: 0, frames: [0], slot: null };
    const labels = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".amount"));
    const byEdge = new Map([...labels].map((label) => [Number(label.dataset.edge), label]));
    /** @type {Edge[]} */
    this.edges = [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".edge"))].map((element, at) => (
      { element, label: byEdge.get(at) ?? null, arrivals: [], look: "?" }
    ));
    this.#take(document.getElementById("amounts"));
  }

  /** Update the numbers of the same graph. */
  renew() {
    this.#take(document.getElementById("amounts-next"));
    this.show(this.step);
  }

  /** @param {HTMLElement | null} source */
  #take(source) {
    /** @type {Record<number, Arrival[]>} */ const known = JSON.parse(source?.textContent || "{}");
    this.edges.forEach((edge, at) => (edge.arrivals = known[at] ?? []));
  }

  /** Show what has come up to a step. @param {import("./grains.js").Step} step */
  show(step) {
    this.step = step;
    for (const edge of this.edges) this.#write(edge, edge.arrivals.filter((arrival) => hasCome(arrival, step)));
  }

  /** @param {Edge} edge @param {Arrival[]} come */
  #write(edge, come) {
    const { element, label } = edge;
    const isNew = come.some(([frame, slot]) => frame >= this.step.frames[0] && (this.step.slot === null || this.step.slot === slot));
    const [, , level = "", text = "", title = ""] = come.at(-1) ?? [];
    const look = level && `made ${level}${isNew ? " new" : ""}`;
    if (look !== edge.look) {
      element.classList.remove("made", "new", ...LEVELS);
      if (look) element.classList.add(...look.split(" "));
      edge.look = look;
    }
    if (label || title) entitle(label ?? element, title);
    else element.querySelector("title")?.remove();
    if (!label) return;
    label.classList.toggle("new", isNew);
    label.classList.toggle("none", text === "");
    const [number, paper] = [label.querySelector("text"), label.querySelector("rect")];
    if (!number || !paper || number.textContent === text) return;
    number.textContent = text;
    const width = Math.max(text.length, 1) * CHARACTER + PADDING;
    paper.setAttribute("width", String(width));
    paper.setAttribute("x", String(-width / 2));
  }
}

/** @param {Arrival} arrival @param {import("./grains.js").Step} step */
function hasCome([frame, slot], step) {
  return frame < step.frame || (frame === step.frame && (step.slot === null || slot === null || slot <= step.slot));
}

/** @param {SVGElement} element @param {string} text */
function entitle(element, text) {
  let title = element.querySelector("title");
  if (!title) {
    title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    element.prepend(title);
  }
  if (title.textContent !== text) title.textContent = text;
}
