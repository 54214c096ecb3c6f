/** The picture at a frame, and the tooltip of a Value in it. */
import { full, inSentence, minus } from "../common/numbers.js";
import { named, press } from "./card-buttons.js";
import { listenToEscape } from "../common/keyboard.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./grains.js").Step} Step */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{element: SVGGElement, named: SVGElement, head: string, data: Text | null, grad: Text | null, due: Text | null}} Card */
/** @typedef {{element: SVGGElement, from: string, slot: number}} Link  slot -1: from the op to its card */

const DISC = 18; // radius of an op's circle, with its margin
const ROOMY = 9; // characters of a number beside which there is room for "data" in large letters
const DELAY = 90; // milliseconds from pointing at a card to its tooltip

/** Updates only the texts and classes that differ from the previous frame. */
export class Picture {
  /** @param {SVGSVGElement} svg @param {Trace} trace */
  constructor(svg, trace) {
    this.svg = svg;
    this.trace = trace;
    /** @type {Step} */ this.step = { frame: -1, frames: [], slot: null };
    this.first = true;
    /** @type {[Element, string][]} */ this.lit = [];
    /** @type {Map<string, Card[]>} */ this.cards = new Map();
    /** @type {Map<string, SVGGElement>} */ this.ops = new Map();
    /** @type {Map<string, Link[]>} the edges of the op of a Value, by that Value */
    this.links = new Map();
    /** @type {Map<string, SVGGElement>} the closed group that hides a Value */ this.hiddenIn = new Map();
    /** @type {Map<string, SVGGElement>} the closed array that a Value is a cell of */ this.arrays = new Map();
    this.width = svg.viewBox.baseVal.width;
    this.height = svg.viewBox.baseVal.height;
    this.#index();
  }

  /** The frame. */
  get at() {
    return this.step.frame;
  }

  #index() {
    for (const element of this.#all(".value")) this.#card(element.dataset.node ?? "", element);
    for (const element of this.#all(".op")) this.ops.set(element.dataset.of ?? "", element);
    for (const element of this.#all(".edge")) this.#edge(element);
    for (const element of this.#all(".group, .formula")) {
      for (const id of (element.dataset.nodes ?? "").split(" ")) this.hiddenIn.set(id, element);
      for (const id of (element.dataset.cells ?? "").split(" ")) this.arrays.set(id, element);
      if (element.dataset.nodeShown) this.#card(element.dataset.nodeShown, element);
      for (const row of /** @type {NodeListOf<SVGGElement>} */ (element.querySelectorAll(".row"))) this.#card(row.dataset.output ?? "", row);
    }
  }

  /** @param {string} selector @returns {NodeListOf<SVGGElement>} */
  #all(selector) {
    return this.svg.querySelectorAll(selector);
  }

  /** @param {string} id @param {SVGGElement} element */
  #card(id, element) {
    const name = named(element);
    const label = name.getAttribute("aria-label") ?? "";
    const head = label.slice(0, label.lastIndexOf(": ") + 2);
    push(this.cards, id, { element, named: name, head, data: textOf(element, ".data"), grad: textOf(element, ".grad"), due: textOf(element, ".due") });
  }

  /** An edge at a closed group represents several uses, in lists of equal length.
   * @param {SVGGElement} element */
  #edge(element) {
    const from = (element.dataset.from ?? "").split(" ");
    const slots = (element.dataset.slot ?? "-1").split(" ");
    (element.dataset.to ?? "").split(" ").forEach((to, at) => {
      push(this.links, to, { element, from: from[at] ?? "", slot: Number(slots[at] ?? -1) });
    });
  }

  /** Show a step. @param {Step} step */
  show(step) {
    const from = this.step.slot === null ? this.at : this.at - 1;
    const changed = this.at < 0 ? this.trace.byId.keys() : this.trace.changedBetween(from, step.slot === null ? step.frame : step.frame - 1);
    const both = [this.step, step].flatMap(({ frame, slot }) => (slot === null ? [] : this.trace.frames[frame].changes.map(({ node }) => node)));
    this.step = step;
    for (const id of new Set([...changed, ...both])) this.#write(id);
    this.#light(step);
  }

  /** Update the numbers of the same graph. @param {Trace} trace */
  renew(trace) {
    this.trace = trace;
    for (const id of trace.byId.keys()) this.#write(id);
    if (trace.broken) this.#light(this.step);
  }

  /** @param {string} id */
  #write(id) {
    const cards = this.cards.get(id);
    if (!cards) return;
    const { data, grad, dataText, gradText, due } = this.trace.shown(id, this.at, this.step.slot);
    const dueText = due?.[0] ?? "";
    for (const card of cards) {
      if (card.data && card.data.data !== dataText) card.data.data = dataText;
      if (card.grad && card.grad.data !== gradText) card.grad.data = gradText;
      if (card.due && card.due.data !== dueText) card.due.data = dueText;
      card.element.classList.toggle("pending", data === null);
      card.element.classList.toggle("long", Math.max(dataText.length, gradText.length) > ROOMY);
      const isValue = card.element.classList.contains("value");
      const hasGrad = card.grad !== null;
      card.element.classList.toggle("wrong", hasGrad && due !== null);
      card.element.classList.toggle("first-wrong", hasGrad && due !== null && this.trace.broken?.first === id);
      if (hasGrad) card.element.classList.toggle("no-grad", grad === null);
      if (isValue) card.named.setAttribute("aria-label", card.head + inWords(data, grad, hasGrad, this.trace.isUnwritten(id), due));
    }
  }

  /** Whether some contributions of the frame have not come yet. */
  get isPart() {
    const { frame, slot } = this.step;
    return slot !== null && (this.trace.frames[frame].contributions ?? []).some((part) => part.slot > slot);
  }

  /** @param {Step} step */
  #light({ frame: at, frames, slot }) {
    for (const [element, name] of this.lit) element.classList.remove(name);
    this.lit = [];
    if (this.first) this.#clear();
    const frame = this.trace.frames[at];
    this.svg.dataset.pass = frame.pass;
    this.svg.dataset.frame = String(at);
    if (slot === null) delete this.svg.dataset.slot;
    else this.svg.dataset.slot = String(slot);
    const lit = frames.map((each) => this.trace.lit(each, slot));
    const changed = new Set(lit.flatMap((each) => each.changed));
    const sources = new Set(lit.flatMap((each) => each.sources));
    for (const id of changed) this.#mark(id, "changed");
    for (const id of sources) if (frames.length === 1 || !changed.has(id)) this.#mark(id, "source");
    if (!this.isPart) for (const id of this.trace.brokenAt(at)) this.#add(this.hiddenIn.get(id), "holds-wrong");
    for (const each of frames) this.#flow(each, slot);
  }

  /** Light the op and the edges of a frame. @param {number} at @param {number | null} slot */
  #flow(at, slot) {
    const frame = this.trace.frames[at];
    if (!frame.slots) return;
    this.#add(this.ops.get(frame.node), "active");
    this.#add(this.arrays.get(frame.node), "active");
    for (const element of this.elements(frame.node)) this.#add(element, "active");
    for (const { element, slot: into } of this.links.get(frame.node) ?? []) {
      if (into < 0 || (slot === null ? frame.slots.includes(into) : into === slot)) this.#add(element, `flow-${frame.pass}`);
    }
    for (const id of this.trace.foldAt(at)?.inner ?? []) {
      for (const { element } of this.links.get(id) ?? []) this.#add(element, "flow-forward");
    }
  }

  /** Remove the server's classes for the initial frame. */
  #clear() {
    const names = ["active", "changed", "source", "flow-forward", "flow-backward", "holds-wrong"];
    for (const element of this.#all(names.map((name) => `.${name}`).join())) element.classList.remove(...names);
    this.first = false;
  }

  /** @param {string} id @param {string} name */
  #mark(id, name) {
    const group = this.hiddenIn.get(id);
    if (group) {
      if (name === "changed" || !group.classList.contains("changed")) this.#add(group, name);
      return;
    }
    for (const { element } of this.cards.get(id) ?? []) this.#add(element, name);
  }

  /** @param {Element | undefined} element @param {string} name */
  #add(element, name) {
    if (!element || element.classList.contains(name)) return;
    element.classList.add(name);
    this.lit.push([element, name]);
  }

  /** Highlight a Value with its parents, children and copies; null clears it. @param {string | null} id */
  choose(id) {
    for (const element of this.svg.querySelectorAll(".chosen, .near")) element.classList.remove("chosen", "near");
    this.svg.classList.toggle("choosing", id !== null);
    press(this.svg, id === null ? [] : this.elements(id));
    if (id === null) return;
    const near = (/** @type {Element | undefined} */ element) => element?.classList.add("near");
    const users = this.trace.users(id);
    for (const other of [...(this.trace.byId.get(id)?.args ?? []), ...users]) this.elements(other).forEach(near);
    for (const link of this.links.get(id) ?? []) near(link.element);
    for (const user of users) {
      near(this.ops.get(user));
      for (const link of this.links.get(user) ?? []) if (link.from === id || link.slot < 0) near(link.element);
    }
    near(this.ops.get(id));
    for (const other of [id, ...(this.trace.byId.get(id)?.args ?? []), ...users]) near(this.arrays.get(other));
    this.elements(id).forEach((element) => element.classList.add("chosen"));
  }

  /** The elements of a Value: its card, its linked copies, or the group that hides it.
   * @param {string} id @returns {SVGGElement[]} */
  elements(id) {
    const group = this.hiddenIn.get(id);
    return group ? [group] : (this.cards.get(id) ?? []).map((card) => card.element);
  }

  /** The bounding box of the active Value and its arguments, in picture units. @returns {Box | null} */
  activeBox() {
    const frame = this.trace.frames[this.at];
    const ids = frame.given ? [] : [frame.node, ...(this.trace.byId.get(frame.node)?.args ?? [])];
    return around(ids.flatMap((id) => this.elements(id).slice(0, 1)).map(boxOf));
  }

  /** The bounding box of the active op and its result. @returns {Box | null} */
  coreBox() {
    const { node, given } = this.trace.frames[this.at];
    if (given) return null;
    const op = this.ops.get(node);
    return around([...(op ? [op] : []), ...this.elements(node).slice(0, 1)].map(boxOf));
  }
}

/** The accessible description of a Value's numbers, the same as in `app/picture/drawing.py`.
 * @param {number | null} data @param {number | null} grad @param {boolean} hasGrad @param {boolean} isUnwritten
 * @param {import("./trace.js").Due | null} due the right gradient, if it is another one */
function inWords(data, grad, hasGrad, isUnwritten, due) {
  const words = data === null ? "no data yet" : `data ${inSentence(data)}`;
  if (!hasGrad) return words;
  const none = isUnwritten ? "gradient never written by the program" : "no gradient yet";
  const right = due === null ? "" : `, which should be ${due[1]}`;
  return `${words}, ${grad === null ? none : `gradient ${inSentence(grad)}${right}`}`;
}

/** The box of a card, group or op, read from its attributes (no layout needed).
 * @param {Element} element @returns {Box} */
export function boxOf(element) {
  const [x, y] = (element.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
  const rect = element.querySelector("rect.card") ?? element.querySelector("rect");
  if (!rect) return { x: x - DISC, y: y - DISC, width: 2 * DISC, height: 2 * DISC };
  const read = (/** @type {string} */ name) => Number(rect.getAttribute(name) ?? 0);
  return { x: x + read("x"), y: y + read("y"), width: read("width"), height: read("height") };
}

/** @param {Box[]} boxes @returns {Box | null} */
function around(boxes) {
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** @param {Element} element @param {string} selector @returns {Text | null} */
function textOf(element, selector) {
  const text = element.querySelector(`text${selector}`);
  if (!text) return null;
  if (!(text.firstChild instanceof Text)) text.prepend("");
  return /** @type {Text} */ (text.firstChild);
}

/** @template T @param {Map<string, T[]>} map @param {string} key @param {T} value */
function push(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** The tooltip of a Value: full name, op and numbers at full precision. */
export class Tooltip {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {Picture | null} */ this.picture = null;
    /** @type {string | null} */ this.id = null;
    /** @type {number | undefined} */ this.timer = undefined;
    listenToEscape(() => this.hide());
  }

  /** Attach to the cards of a picture. @param {Picture} picture */
  load(picture) {
    this.hide();
    this.picture = picture;
    const { svg } = picture;
    svg.addEventListener("pointerover", (event) => this.#point(event.target));
    svg.addEventListener("pointerleave", () => this.hide());
    // Not on the svg: Chromium makes an svg that listens to focus a Tab stop.
    const canvas = svg.parentElement ?? svg;
    canvas.addEventListener("focusin", (event) => this.#point(event.target));
    canvas.addEventListener("focusout", () => this.hide());
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const card = target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest(".value")) : null;
    const id = card?.dataset.node ?? null;
    if (id === this.id) return;
    this.hide();
    if (!id || !card) return;
    this.id = id;
    this.picture?.elements(id).forEach((element) => element.classList.add("pointed"));
    this.timer = window.setTimeout(() => this.#show(id, card), DELAY);
  }

  /** @param {string} id @param {SVGGElement} card */
  #show(id, card) {
    this.card = card;
    this.#fill(id);
    this.box.hidden = false;
    const around = card.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.box;
    const left = Math.min(Math.max(around.left + around.width / 2 - offsetWidth / 2, 12), innerWidth - offsetWidth - 12);
    const below = around.bottom + 8;
    const top = below + offsetHeight < innerHeight - 12 ? below : around.top - offsetHeight - 8;
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** The frame or a number has changed. */
  renew() {
    if (this.id && !this.box.hidden) this.#fill(this.id);
  }

  /** @param {string} id */
  #fill(id) {
    const picture = this.picture;
    const node = picture?.trace.byId.get(id);
    if (!picture || !node) return;
    const { trace, at } = picture;
    const { data, grad, due } = trace.shown(id, at, picture.step.slot);
    const title = document.createElement("div");
    const name = document.createElement("b");
    name.textContent = trace.name(id);
    title.append(name, node.kind === "value" ? "" : ` ${node.kind}`);
    const list = document.createElement("dl");
    const row = (/** @type {string} */ term, /** @type {string} */ text, look = "") => {
      const dt = document.createElement("dt");
      const dd = document.createElement("dd");
      [dt.textContent, dd.textContent, dd.className] = [term, text, look];
      list.append(dt, dd);
    };
    if (node.op) row("op", `${node.op}  of  ${node.args.map((arg) => trace.name(arg)).join(", ")}`);
    row("data", data === null ? "not yet computed" : minus(full(data)), "data");
    if (node.grad !== null) row("grad", grad === null ? (trace.isUnwritten(id) ? "never written by the program" : "not yet") : minus(full(grad)), "grad");
    if (due) row("due", due[2], "due");
    else if (trace.ends && id in trace.ends && node.true_grad !== null) row("true", minus(full(node.true_grad)), "due");
    this.box.replaceChildren(title, list);
  }

  hide() {
    clearTimeout(this.timer);
    if (this.id) this.picture?.elements(this.id).forEach((element) => element.classList.remove("pointed"));
    this.id = null;
    this.box.hidden = true;
  }
}
