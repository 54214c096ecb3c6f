/** The explanation of a frame: the template of its op, filled with names and numbers. */
import { inEquation } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */

const EXPRESSION = /[-+*\/ ]/; // needs parentheses in a fraction

/** @typedef {Map<string, HTMLTemplateElement>} Templates  by pass and op, such as "forward *" */

/** The templates that came with a result. @param {ParentNode} result @returns {Templates} */
export function templates(result) {
  const found = /** @type {NodeListOf<HTMLTemplateElement>} */ (result.querySelectorAll("template[data-explain]"));
  return new Map([...found].map((template) => [`${template.dataset.explain} ${template.dataset.op ?? ""}`.trim(), template]));
}

/** Put the explanation of frame `at` into `card`.
 * @param {HTMLElement} card @param {Templates} known @param {Trace} trace @param {number} at */
export function explain(card, known, trace, at) {
  const frame = trace.frames[at];
  const kind = frame.given ? "given" : frame.seed != null ? "seed" : `${frame.pass} ${trace.byId.get(frame.node)?.op}`;
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
  for (const part of frame.contributions ?? []) known[`c${part.slot}`] = part;
  return (slot) => {
    const [who, what] = slot.split(".");
    return (what ? known[who]?.[what] : known[who]) ?? flags[at]?.includes(slot);
  };
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
