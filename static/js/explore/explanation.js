/** The panel with the explanation of a frame: the template of its op, filled with names and numbers. */
import { at } from "../common/elements.js";
import { inEquation, plain } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./grains.js").Step} Step */
/** @typedef {Map<string, HTMLTemplateElement>} Templates  by pass and op, such as "forward *" */

const EXPRESSION = /[-+*\/ ]/; // needs parentheses in a fraction

const LISTED = 6; // args of a closed formula that its card names

export class Explanation {
  constructor() {
    /** @type {Templates} */ this.templates = new Map();
    this.tallest = 0; // height in pixels of the tallest explanation of this program so far
    this.width = 0; // pixels, for which `tallest` holds
    this.measuring = 0;
  }

  /** Load the templates of a new result. */
  load() {
    this.tallest = 0;
    this.templates = templates(at("result"));
  }

  /** @param {Trace} trace @param {Step} step @param {string} place the step's, in words */
  show(trace, step, place) {
    const { pass } = trace.frames[step.frame];
    this.renew(trace, step);
    this.#keepRoom();
    at("frame-title").textContent = `${place[0].toUpperCase()}${place.slice(1)}`;
    at("pass").textContent = pass;
    at("pass").className = `pass ${pass}`;
  }

  /** The same step with other numbers. @param {Trace} trace @param {Step} step */
  renew(trace, step) {
    explain(at("explanation"), this.templates, trace, step);
  }

  /** The explanation on one line, for a screen reader. */
  get words() {
    return at("explanation").textContent?.replace(/\s+/g, " ").trim() ?? "";
  }

  /** Keep the height of the tallest explanation, so that the content below does not jump. */
  #keepRoom() {
    cancelAnimationFrame(this.measuring);
    this.measuring = requestAnimationFrame(() => {
      const room = document.getElementById("explanation-room");
      if (!room) return;
      if (room.offsetWidth !== this.width) this.tallest = 0;
      this.width = room.offsetWidth;
      this.tallest = Math.max(this.tallest, at("explanation").offsetHeight);
      room.style.minHeight = `${this.tallest}px`;
    });
  }
}

/** The templates that came with a result. @param {ParentNode} result @returns {Templates} */
function templates(result) {
  const found = /** @type {NodeListOf<HTMLTemplateElement>} */ (result.querySelectorAll("template[data-explain]"));
  return new Map([...found].map((template) => {
    const { explain, op = "", exponent = "" } = template.dataset;
    return [`${explain} ${op} ${exponent}`.trim(), template];
  }));
}

/** Put the explanation of a step into `card`: that of its last frame, below a line on all of them.
 * @param {HTMLElement} card @param {Templates} known @param {Trace} trace @param {Step} step */
function explain(card, known, trace, step) {
  const { frame: at } = step;
  const frame = trace.frames[at];
  const kind = step.box ? `box ${frame.pass}` : frame.given ? "given" : trace.foldAt(at) ? "formula" : frame.seed != null ? "seed" : frame.written ? "written" : `${frame.pass} ${trace.byId.get(frame.node)?.op}`;
  const template = known.get(`${kind} ${exponent(trace, frame.node)}`) ?? known.get(kind);
  if (!template) return;
  const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  fill(content, step.box ? boxSlots(trace, step, step.box) : slots(trace, at, step.slot), digits(trace, at), trace.explain.symbols);
  const text = step.words;
  if (text && !step.box) content.prepend(Object.assign(document.createElement("p"), { className: "of-step", textContent: `${text}; the last:` }));
  for (const text of frame.remarks ?? []) {
    content.append(Object.assign(document.createElement("p"), { className: "remark", textContent: text }));
  }
  card.classList.toggle("forward", frame.pass === "forward");
  card.classList.toggle("backward", frame.pass === "backward");
  card.replaceChildren(content);
}

/** The last input of a Value's op, if it is a constant: templates of powers are for one exponent.
 * @param {Trace} trace @param {string} id */
function exponent(trace, id) {
  const last = trace.byId.get(trace.byId.get(id)?.args.at(-1) ?? "");
  return last?.kind === "constant" ? plain(last.data) : "";
}

/** The slots of a frame's equations that have further digits, by the first letter of what is delivered of them. */
const SLOTS = /** @type {Record<string, (slot: string) => string[]>} */ ({
  f: () => ["x0.data", "x1.data"],
  c: (slot) => [`c${slot}.upstream`, `c${slot}.partial`],
  s: (slot) => [`s${slot}.before`, `s${slot}.amount`],
  r: (slot) => ["y", "x0", "x1"].map((of) => `r${slot}${of}.data`),
});

/** The further digits of each slot in frame `at`. @param {Trace} trace @param {number} at @returns {Record<string, number>} */
function digits(trace, at) {
  const known = Object.entries(trace.explain.digits[at] ?? {});
  return Object.fromEntries(known.flatMap(([key, more]) => SLOTS[key[0]](key.slice(1)).map((slot) => [slot, more])));
}

/** The variables of a template: the Value y, the output, the args x0, x1, the contributions c0, c1, flags;
 * with `only`, of the contributions that of one slot.
 * @param {Trace} trace @param {number} at @param {number | null} [only] @returns {(slot: string) => unknown} */
export function slots(trace, at, only = null) {
  const frame = trace.frames[at];
  const { tags, terms, owners, sources, flags, writes = {}, statements = {} } = trace.explain;
  const value = (/** @type {string} */ id) => {
    const { name, data } = /** @type {import("./trace.js").Node} */ (trace.byId.get(id));
    return { id, name, data, term: terms[id] ?? name, tag: tags[id] ?? name, of: owners[id], source: sources[id] ?? name };
  };
  /** @type {Record<string, any>} */
  const known = { y: value(frame.node), out: value(trace.output), count: String(frame.given?.length ?? 0) };
  trace.byId.get(frame.node)?.args.forEach((id, slot) => (known[`x${slot}`] = value(id)));
  const fold = trace.foldAt(at);
  if (fold) {
    known.fold = { title: fold.title, args: listed(fold.args, (id) => computed(trace, id)), count: String(fold.operations) };
  }
  if (frame.written) known.written = { ...frame.written, source: statements[frame.written.span.join()], ...writes[at] };
  for (const part of (frame.contributions ?? []).filter(({ slot }) => only === null || slot === only)) {
    known[`c${part.slot}`] = known[`s${part.slot}`] = part;
    for (const of of ["y", "x0", "x1"]) known[`r${part.slot}${of}`] = known[of];
  }
  const held = new Set(flags[at]);
  return (slot) => {
    const [who, what] = slot.split(".");
    return (what ? known[who]?.[what] : known[who]) ?? held.has(slot);
  };
}

/** The variables of the template of a step inside a closed box.
 * @param {Trace} trace @param {Step} step @param {import("./grains.js").BoxStep} box @returns {(slot: string) => unknown} */
export function boxSlots(trace, { frame, frames, words }, box) {
  const say = (/** @type {string} */ id) => {
    if (trace.frames[frame].pass === "forward") return computed(trace, id);
    const { grad, gradText } = trace.shown(id, frame);
    return grad === null ? trace.name(id) : `${trace.name(id)}: ${gradText}`;
  };
  /** @type {Record<string, unknown>} */ const known = {
    title: box.title, words, results: listed(box.results, say), args: listed(box.args, say), own: listed(box.own, say),
    wrong: frames.some((at) => trace.frames[at].written?.right === false),
  };
  return (slot) => known[slot.replace("box.", "")];
}

/** @param {Trace} trace @param {string} id */
const computed = (trace, id) => `${trace.name(id)} = ${inEquation(trace.byId.get(id)?.data ?? NaN)}`;

/** @param {string[]} ids @param {(id: string) => string} say */
const listed = (ids, say) => ids.slice(0, LISTED).map(say).join(", ") + (ids.length > LISTED ? " …" : "");

/** @param {DocumentFragment} content @param {(slot: string) => unknown} value @param {Record<string, number>} more digits
 * @param {Record<string, import("./trace.js").Symbol[]>} symbols of names */
function fill(content, value, more, symbols) {
  for (const element of content.querySelectorAll("[data-if]")) {
    const flag = /** @type {HTMLElement} */ (element).dataset.if ?? "";
    const isShown = flag.startsWith("!") ? !value(flag.slice(1)) : value(flag);
    if (!isShown) element.remove();
  }
  for (const element of content.querySelectorAll("[data-slot]")) {
    const slot = element.getAttribute("data-slot") ?? "";
    const found = value(slot) ?? "";
    const of = slot.split(".")[0];
    const id = value(`${of}.id`) ?? value(`${of}.to`);
    if (typeof id === "string") element.setAttribute("data-value", id);
    const held = element.hasAttribute("data-paren");
    if (typeof found === "number") {
      element.textContent = inEquation(found, held, more[slot]);
      continue;
    }
    const text = String(found);
    if (element.localName !== "mi") {
      element.textContent = text;
      continue;
    }
    const parts = symbols[text] ?? [`i${text}`];
    element.replaceWith(...(held && EXPRESSION.test(text) ? ["i(", ...parts, "i)"] : parts).map(symbolElement));
  }
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** An element of a name. @param {import("./trace.js").Symbol} symbol */
function symbolElement(symbol) {
  const [text, subscript] = typeof symbol === "string" ? [symbol] : symbol;
  const main = mathElement(`m${text[0]}`, text.slice(1));
  if (subscript === undefined) return main;
  const pair = document.createElementNS(MATHML, "msub");
  pair.append(main, mathElement("mn", subscript));
  return pair;
}

/** @param {string} kind @param {string} text */
function mathElement(kind, text) {
  const made = document.createElementNS(MATHML, kind);
  made.textContent = text;
  return made;
}
