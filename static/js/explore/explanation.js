/** The panel with the explanation of a frame: the template of its op, filled with names and numbers. */
import { at } from "../common/elements.js";
import { inEquation } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {Map<string, HTMLTemplateElement>} Templates  by pass and op, such as "forward *" */

const EXPRESSION = /[-+*\/ ]/; // needs parentheses in a fraction

const LISTED = 6; // args of a closed formula that its card names

export class Explanation {
  constructor() {
    /** @type {Templates} */ this.templates = new Map();
    this.tallest = 0; // height in pixels of the tallest explanation of this program so far
    this.measuring = 0;
  }

  /** Load the templates of a new result. */
  load() {
    this.tallest = 0;
    this.templates = templates(at("result"));
  }

  /** @param {Trace} trace @param {number} k @param {string} place the frame's, in words */
  show(trace, k, place) {
    const { pass } = trace.frames[k];
    this.renew(trace, k);
    this.#keepRoom();
    at("frame-title").textContent = `${place[0].toUpperCase()}${place.slice(1)}`;
    at("pass").textContent = pass;
    at("pass").className = `pass ${pass}`;
  }

  /** The same frame with other numbers. @param {Trace} trace @param {number} k */
  renew(trace, k) {
    explain(at("explanation"), this.templates, trace, k);
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
      this.tallest = Math.max(this.tallest, at("explanation").offsetHeight);
      room.style.minHeight = `${this.tallest}px`;
    });
  }
}

/** The templates that came with a result. @param {ParentNode} result @returns {Templates} */
function templates(result) {
  const found = /** @type {NodeListOf<HTMLTemplateElement>} */ (result.querySelectorAll("template[data-explain]"));
  return new Map([...found].map((template) => [`${template.dataset.explain} ${template.dataset.op ?? ""}`.trim(), template]));
}

/** Put the explanation of frame `at` into `card`.
 * @param {HTMLElement} card @param {Templates} known @param {Trace} trace @param {number} at */
function explain(card, known, trace, at) {
  const frame = trace.frames[at];
  const kind = frame.given ? "given" : trace.foldAt(at) ? "formula" : frame.seed != null ? "seed" : frame.written ? "written" : `${frame.pass} ${trace.byId.get(frame.node)?.op}`;
  const template = known.get(kind);
  if (!template) return;
  const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  fill(content, slots(trace, at));
  for (const text of frame.remarks ?? []) {
    content.append(Object.assign(document.createElement("p"), { className: "remark", textContent: text }));
  }
  card.classList.toggle("forward", frame.pass === "forward");
  card.classList.toggle("backward", frame.pass === "backward");
  card.replaceChildren(content);
}

/** The variables of a template: the Value y, the output, the args x0, x1, the contributions c0, c1, flags.
 * @param {Trace} trace @param {number} at @returns {(slot: string) => unknown} */
export function slots(trace, at) {
  const frame = trace.frames[at];
  const { tags, sources, flags } = trace.explain;
  const value = (/** @type {string} */ id) => {
    const { name, data } = /** @type {import("./trace.js").Node} */ (trace.byId.get(id));
    return { name, data, tag: tags[id] ?? name, source: sources[id] ?? name };
  };
  /** @type {Record<string, any>} */
  const known = { y: value(frame.node), out: value(trace.output), count: String(frame.given?.length ?? 0) };
  trace.byId.get(frame.node)?.args.forEach((id, slot) => (known[`x${slot}`] = value(id)));
  const fold = trace.foldAt(at);
  if (fold) {
    const args = fold.args.slice(0, LISTED).map((id) => `${value(id).name} = ${inEquation(value(id).data)}`);
    const more = fold.args.length > LISTED ? " …" : "";
    known.fold = { title: fold.title, args: args.join(", ") + more, count: String(fold.operations) };
  }
  if (frame.written) {
    const [line, column, endLine, endColumn] = frame.written.span;
    const text = [...trace.lines[line - 1]].slice(...(line === endLine ? [column - 1, endColumn - 1] : []));
    known.written = { ...frame.written, line: String(line), source: text.join("").trim(), ...judged(frame.written, value, trace.mistakes.find((one) => one.frame === at)?.span[0]) };
  }
  for (const part of frame.contributions ?? []) known[`c${part.slot}`] = part;
  return (slot) => {
    const [who, what] = slot.split(".");
    return (what ? known[who]?.[what] : known[who]) ?? flags[at]?.includes(slot);
  };
}

/** What the verdict says of a write, and the function that ran.
 * @param {import("./trace.js").Written} written @param {(id: string) => {name: string}} value
 * @param {number} [line] that of a mistake that shows in this frame, even if the amount is right */
function judged({ right, due, running }, value, line) {
  const held = Object.entries(running?.variables ?? {}).map(([name, id]) => `${name} = ${value(id).name}`);
  const more = held.length > LISTED ? " …" : "";
  const blamed = right === false || line === undefined ? undefined : String(line);
  return { due, wrong: right === false, fine: right === true && !blamed, blamed, function: running?.function, held: held.slice(0, LISTED).join(", ") + more };
}

/** @param {DocumentFragment} content @param {(slot: string) => unknown} value */
function fill(content, value) {
  for (const element of content.querySelectorAll("[data-if]")) {
    const flag = /** @type {HTMLElement} */ (element).dataset.if ?? "";
    const isShown = flag.startsWith("!") ? !value(flag.slice(1)) : value(flag);
    if (!isShown) element.remove();
  }
  for (const element of content.querySelectorAll("[data-slot]")) {
    const found = value(/** @type {HTMLElement} */ (element).dataset.slot ?? "") ?? "";
    const held = element.hasAttribute("data-paren");
    if (typeof found === "number") element.textContent = inEquation(found, held);
    else element.textContent = held && EXPRESSION.test(String(found)) ? `(${found})` : String(found);
  }
}
