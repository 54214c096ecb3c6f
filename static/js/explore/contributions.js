/**
 * Contributions on the edges of a picture that the server drew with them: numbers where it left room, and lines as wide
 * as they are large. The same as in `app/picture/contributions.py` and `app/picture/amounts.py`.
 *
 * @typedef {{frame: number, slot: number | null, amount: number}} Flow  slot null: a write of the program
 * @typedef {{count: number, amount: number | null, level: string, isNew: boolean}} Carried  amount null: to several Values
 * @typedef {{to: string, from: string, slot: number}} Use
 * @typedef {{element: SVGGElement, uses: Use[], label: SVGGElement | null, look: string}} Edge
 */
import { compact, full, inRoom, minus } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */

const [LEVELS, DIGITS] = [8, 3];
const SPOKEN = 200; // characters of a name in a title
const [CHARACTER, PADDING] = [6.02, 6]; // of a number on an edge, in pixels

export class Contributions {
  /** @param {SVGSVGElement} svg with the class `contributions` @param {Trace} trace whose formulas are folded */
  constructor(svg, trace) {
    /** @type {import("./grains.js").Step} */ this.step = { frame: 0, frames: [0], slot: null };
    const labels = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".amount"));
    const byEdge = new Map([...labels].map((label) => [Number(label.dataset.edge), label]));
    /** @type {Edge[]} */
    this.edges = [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".edge"))].map((element, at) => (
      { element, uses: usesOf(element), label: byEdge.get(at) ?? null, look: "?" }
    ));
    this.#take(trace);
  }

  /** Update the numbers of the same graph. @param {Trace} trace */
  renew(trace) {
    this.#take(trace);
    this.show(this.step);
  }

  /** @param {Trace} trace */
  #take(trace) {
    this.trace = trace;
    this.flows = flows(trace);
    /** @type {Map<string, string>} the result of the closed formula that each inner Value is in */
    this.users = new Map([...trace.folded.values()].flatMap(({ inner, result }) => [...inner].map((id) => [id, result])));
    const amounts = [...this.flows.values()].flat().map(({ amount }) => Math.abs(amount));
    /** Sizes of contributions that are neither 0 nor infinite. */
    this.sizes = [...new Set(amounts)].filter((size) => Number.isFinite(size) && size > 0).sort((a, b) => a - b);
  }

  /** Show what has come up to a step. @param {import("./grains.js").Step} step */
  show(step) {
    this.step = step;
    for (const edge of this.edges) this.#write(edge, this.carried(edge.uses));
  }

  /** @param {Edge} edge @param {Carried | null} carried */
  #write(edge, carried) {
    const { element, uses, label } = edge;
    const look = carried ? `made ${carried.level}${carried.isNew ? " new" : ""}` : "";
    if (look !== edge.look) {
      element.classList.remove("made", "new", "odd", ...Array.from({ length: LEVELS + 1 }, (_, level) => `s${level}`));
      if (look) element.classList.add(...look.split(" "));
      edge.look = look;
    }
    if (!label && new Set(uses.map(({ from }) => from)).size > 1) {
      this.#entitle(element, carried?.amount === null ? words(carried, "", "") : "");
    }
    if (!label) return;
    const text = carried?.amount == null ? "" : inRoom(carried.amount, Number(label.dataset.room));
    label.classList.toggle("new", carried?.isNew ?? false);
    label.classList.toggle("none", text === "");
    const [number, paper] = [label.querySelector("text"), label.querySelector("rect")];
    if (number && paper && number.textContent !== text) {
      number.textContent = text;
      const width = Math.max(text.length, 1) * CHARACTER + PADDING;
      paper.setAttribute("width", String(width));
      paper.setAttribute("x", String(-width / 2));
    }
    this.#entitle(label, carried ? words(carried, this.#name(uses[0].from), this.#name(this.users?.get(uses[0].to) ?? uses[0].to)) : "");
  }

  /** @param {string} id */
  #name(id) {
    return this.trace?.name(id).slice(0, SPOKEN) ?? "";
  }

  /** @param {SVGGElement} element @param {string} text */
  #entitle(element, text) {
    let title = element.querySelector("title");
    if (!title) {
      title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      element.prepend(title);
    }
    if (title.textContent !== text) title.textContent = text;
  }

  /** What has come along an edge; null if nothing has. @param {Use[]} uses @returns {Carried | null} */
  carried(uses) {
    const come = uses.flatMap((use) => this.#along(uses, use).map((flow) => ({ from: use.from, flow })));
    if (!come.length) return null;
    const isNew = come.some(({ flow }) => flow.frame >= this.step.frames[0] && (this.step.slot === null || this.step.slot === flow.slot));
    const amounts = come.map(({ flow }) => flow.amount);
    if (new Set(come.map(({ from }) => from)).size > 1) {
      const most = amounts.reduce((a, b) => (size(b) > size(a) ? b : a));
      return { count: come.length, amount: null, level: this.level(most), isNew };
    }
    const amount = amounts.reduce((sum, x) => sum + x);
    return { count: come.length, amount, level: this.level(amount), isNew };
  }

  /** The contributions that a use brought so far. @param {Use[]} uses of its edge @param {Use} use @returns {Flow[]} */
  #along(uses, { to, from, slot }) {
    const own = (this.flows?.get(`${to} ${from}`) ?? []).filter((flow) => flow.slot === slot);
    const user = this.users?.get(to) ?? to;
    const written = (this.flows?.get(`${user} ${from}`) ?? []).filter((flow) => flow.slot === null);
    if (written.length) {
      const turns = this.#turns(uses, from, user);
      const turn = turns.indexOf(`${to} ${slot}`);
      own.push(...written.filter((_, index) => index % turns.length === turn));
    }
    const { frame: at, slot: only } = this.step;
    return own.filter(({ frame, slot: own }) => frame < at || (frame === at && (only === null || own === null || own <= only)));
  }

  /** The uses among which the writes for `from` by the operation of `user` take turns.
   * @param {Use[]} uses @param {string} from @param {string} user @returns {string[]} */
  #turns(uses, from, user) {
    if (this.trace?.folded.has(user)) {
      return uses.filter((use) => use.from === from && (this.users?.get(use.to) ?? use.to) === user).map(({ to, slot }) => `${to} ${slot}`);
    }
    return (this.trace?.byId.get(user)?.args ?? []).flatMap((arg, slot) => (arg === from ? [`${user} ${slot}`] : []));
  }

  /** The strength of a line, as a class. @param {number} amount */
  level(amount) {
    if (!Number.isFinite(amount)) return "odd";
    const largest = this.sizes?.at(-1);
    if (amount === 0 || largest === undefined) return "s0";
    return `s${Math.min(LEVELS, Math.max(1, Math.ceil(LEVELS * Math.sqrt(Math.abs(amount) / largest))))}`;
  }

  /** Sizes for the caption, each with the class of its line: the least, the middle and the largest.
   * @returns {[string, string][]} */
  samples() {
    const { sizes = [] } = this;
    const some = sizes.length <= 3 ? sizes : [sizes[0], sizes[Math.floor(sizes.length / 2)], sizes[sizes.length - 1]];
    return some.map((each) => [this.level(each), compact(each, DIGITS)]);
  }
}

/** The contributions by user and source. @param {Trace} trace @returns {Map<string, Flow[]>} */
function flows({ frames }) {
  /** @type {Map<string, Flow[]>} */ const found = new Map();
  const put = (/** @type {string} */ key, /** @type {Flow} */ flow) => found.get(key)?.push(flow) ?? found.set(key, [flow]);
  frames.forEach(({ node, contributions = [], written }, frame) => {
    for (const { to, slot, amount } of contributions) put(`${node} ${to}`, { frame, slot, amount });
    if (written?.user != null && written.amount != null) put(`${written.user} ${node}`, { frame, slot: null, amount: written.amount });
  });
  return found;
}

/** The uses that an edge stands for, none if it leads from an op to its card. @param {SVGGElement} element @returns {Use[]} */
function usesOf({ dataset }) {
  if (dataset.from === undefined) return [];
  const [from, slots] = [dataset.from.split(" "), (dataset.slot ?? "").split(" ")];
  return (dataset.to ?? "").split(" ").map((to, at) => ({ to, from: from[at], slot: Number(slots[at]) }));
}

/** @param {number} amount */
const size = (amount) => (Number.isNaN(amount) ? Infinity : Math.abs(amount));

/** @param {Carried} carried @param {string} to @param {string} through */
function words({ count, amount }, to, through) {
  if (amount === null) return `${count.toLocaleString("en")} contributions to several Values`;
  const many = count === 1 ? "" : ` in ${count.toLocaleString("en")} contributions`;
  return `${to} receives ${minus(full(amount))} through ${through}${many}`;
}
