/** A path from a Value to the output, lit on the picture; the rest gets paler. */

/** @typedef {import("./picture.js").Picture} Picture */

/** Light the uses of a path, as "v3.0 v5.-1" where v5 is a closed formula, that starts at a Value; null: no path.
 * @param {Picture | null} picture @param {string} start @param {string | null} uses */
export function lightPath(picture, start, uses) {
  const svg = picture?.svg;
  if (!picture || !svg) return;
  for (const element of svg.querySelectorAll(".on-path")) element.classList.remove("on-path");
  svg.classList.toggle("tracing", uses !== null);
  if (uses === null) return;
  const add = (/** @type {Element | undefined} */ element) => element?.classList.add("on-path");
  picture.elements(start).forEach(add);
  let from = start;
  for (const use of uses.split(" ")) {
    const [to, slot] = use.split(".");
    for (const id of [to, ...(picture.trace.folded.get(to)?.inner ?? [])]) {
      for (const link of picture.links.get(id) ?? []) {
        if ((link.from === from && (slot === "-1" || link.slot === Number(slot))) || link.slot < 0) add(link.element);
      }
    }
    for (const element of [picture.ops.get(to), picture.arrays.get(to), ...picture.elements(to)]) add(element);
    from = to;
  }
  for (const label of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".amount"))) {
    const edge = svg.querySelectorAll(".edge")[Number(label.dataset.edge)];
    if (edge?.classList.contains("on-path")) add(label);
  }
}
