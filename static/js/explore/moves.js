/** A new picture of the same graph: what is in both moves from its earlier place, and what is new appears. */
import { boxOf } from "./picture.js";

/** @typedef {import("./picture.js").Box} Box */
/** @typedef {import("./viewport.js").View} View */

const MOVED = ".value, .op, .group";
const MOST = 600; // parts up to which they are moved
const TIME = { duration: 260, easing: "cubic-bezier(.2, .7, .3, 1)", id: "moved" };
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** The places of the parts of a picture, and of open and closed groups and operations, by what they show. */
export class Places {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    /** @type {Map<string, Box>} */ this.parts = new Map();
    /** @type {Map<string, Box>} */ this.groups = new Map();
    for (const part of partsOf(svg)) this.parts.set(keyOf(part), boxOf(part));
    for (const op of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".op"))) this.groups.set(expanded(op.dataset.of ?? ""), boxOf(op));
    for (const frame of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".cluster"))) this.groups.set(frame.dataset.group ?? "", frameOf(frame));
    for (const box of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-group]:not(.cluster)"))) this.groups.set(box.dataset.group ?? "", boxOf(box));
  }
}

/** Move the parts of a picture to their places from those in the picture before.
 * @param {SVGSVGElement} svg @param {Places} before @param {View} earlier the view of the picture before @param {View} now */
export function moveFrom(svg, before, earlier, now) {
  const parts = partsOf(svg);
  if (CALM.matches || parts.length > MOST) return;
  for (const part of parts) {
    const [old, box] = [before.parts.get(keyOf(part)), boxOf(part)];
    if (!old) {
      part.animate([{ opacity: 0 }, { opacity: 1 }], TIME);
      continue;
    }
    const x = (old.x * earlier.scale + earlier.x - now.x) / now.scale - box.x;
    const y = (old.y * earlier.scale + earlier.y - now.y) / now.scale - box.y;
    const own = part.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
    const at = (/** @type {number} */ dx, /** @type {number} */ dy) => ({ transform: `translate(${own[0] + dx}px, ${own[1] + dy}px)` });
    if (Math.abs(x) + Math.abs(y) > 0.5) part.animate([at(x, y), at(0, 0)], TIME);
  }
  svg.querySelector(".lines")?.animate([{ opacity: 0 }, { opacity: 1 }], TIME);
}

/** The group of an op that is opened into others. @param {string} id of its Value */
export const expanded = (id) => `expand-${id}`;

/** @param {SVGSVGElement} svg @returns {SVGGElement[]} */
const partsOf = (svg) => [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(MOVED))];

/** @param {SVGGElement} part */
const keyOf = ({ dataset }) => dataset.node ? `${dataset.node} ${dataset.copy ?? ""}` : dataset.group ? `[${dataset.group}]` : `(${dataset.of})`;

/** @param {SVGGElement} cluster @returns {Box} */
function frameOf(cluster) {
  const rect = cluster.querySelector(".frame");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(rect?.getAttribute(name) ?? 0));
  return { x, y, width, height };
}
