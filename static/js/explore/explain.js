/** The card that explains a frame: a template of the op, filled with this frame's names and numbers. */
import { inEquation } from "../common/numbers.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {Record<string, string | number | boolean | null>} Slots */

const TAG_LENGTH = 8;
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

/** Everything that a template may name, at frame `at`.
 * @param {Trace} trace @param {number} at @returns {Slots} */
export function slots(trace, at) {
  const frame = trace.frames[at];
  const node = trace.byId.get(frame.node);
  /** @type {Slots} */
  const values = {
    ...named("y", trace.name(frame.node)), ...named("out", trace.name(trace.output)),
    "y.data": node?.data ?? null, "y.source": trace.source(frame.node), "y.grad": trace.gradAt(frame.node, at),
    count: String(frame.given?.length ?? 0), kink: frame.kink ?? false,
    twice: new Set(node?.args).size < (node?.args.length ?? 0),
  };
  node?.args.forEach((id, slot) => {
    Object.assign(values, named(`x${slot}`, trace.name(id)));
    values[`x${slot}.data`] = trace.byId.get(id)?.data ?? null;
  });
  for (const part of frame.contributions ?? []) {
    const name = `c${part.slot}`;
    values[name] = true;
    values[`${name}.sum`] = part.before !== 0 || receivedEarlier(trace, at, part);
    for (const key of /** @type {const} */ (["partial", "upstream", "amount", "before", "after"])) values[`${name}.${key}`] = part[key];
  }
  return values;
}

/** A name whole, and cut so that it fits a fraction. @param {string} who @param {string} name @returns {Slots} */
function named(who, name) {
  const characters = Array.from(name);
  const isExpression = EXPRESSION.test(name);
  const length = isExpression ? TAG_LENGTH - 2 : TAG_LENGTH; // parentheses take room
  const tag = characters.length <= length ? name : `${characters.slice(0, length - 1).join("")}…`;
  return { [`${who}.name`]: name, [`${who}.tag`]: isExpression ? `(${tag})` : tag };
}

/** Whether the receiver had a gradient before this contribution, were it 0.
 * @param {Trace} trace @param {number} at @param {import("./trace.js").Contribution} part */
function receivedEarlier(trace, at, part) {
  const within = (trace.frames[at].contributions ?? []).some((other) => other.to === part.to && other.slot < part.slot);
  return within || trace.gradAt(part.to, at - 1) !== null;
}

/** @param {DocumentFragment} content @param {Slots} values */
function fill(content, values) {
  for (const element of content.querySelectorAll("[data-if]")) {
    if (!values[/** @type {HTMLElement} */ (element).dataset.if ?? ""]) element.remove();
  }
  for (const element of content.querySelectorAll("[data-slot]")) {
    const value = values[/** @type {HTMLElement} */ (element).dataset.slot ?? ""] ?? "";
    const held = element.hasAttribute("data-paren");
    if (typeof value === "number") element.textContent = inEquation(value, held);
    else element.textContent = held && EXPRESSION.test(String(value)) ? `(${value})` : String(value);
  }
}
