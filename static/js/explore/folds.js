/**
 * Formulas that are closed in the picture: stepping goes over the frames inside them to that of their result.
 * The same as in `app/picture/steps.py`.
 *
 * @typedef {import("./trace.js").Node} Node
 * @typedef {import("./trace.js").Group} Group
 * @typedef {import("./trace.js").Frame} Frame
 * @typedef {{title: string, result: string, inner: Set<string>, args: string[], operations: number}} Folded
 */

/** The closed formulas of several operations, by their results. @param {Node[]} nodes @param {Group[]} groups
 * @param {Set<string>} open ids of the open groups @returns {Map<string, Folded>} */
export function folded(nodes, groups, open) {
  const byId = new Map(groups.map((group) => [group.id, group]));
  /** @type {Map<string, Node[]>} */ const members = new Map();
  for (const node of nodes) {
    /** @type {string | null} the outermost: what is open inside it is not drawn */ let closed = null;
    for (let home = byId.get(node.group ?? ""); home; home = byId.get(home.parent ?? "")) {
      if (home.kind === "formula" && !open.has(home.id)) closed = home.id;
    }
    if (closed === null) continue;
    const list = members.get(closed);
    if (list) list.push(node);
    else members.set(closed, [node]);
  }
  const found = [...members].map(([formula, list]) => fold(byId.get(formula)?.title ?? "", list));
  return new Map(found.filter(({ operations }) => operations > 1).map((each) => [each.result, each]));
}

/** @param {string} title @param {Node[]} nodes @returns {Folded} */
function fold(title, nodes) {
  const ids = nodes.map((node) => node.id);
  const own = new Set(ids);
  const args = [...new Set(nodes.flatMap((node) => node.args))].filter((arg) => !own.has(arg));
  const operations = nodes.filter((node) => node.op !== null).length;
  return { title, result: ids[ids.length - 1], inner: new Set(ids.slice(0, -1)), args, operations };
}

/** The frames to step through. @param {Frame[]} frames @param {Map<string, Folded>} closed @returns {number[]} */
export function steps(frames, closed) {
  const inner = new Set([...closed.values()].flatMap((each) => [...each.inner]));
  const isStep = (/** @type {Frame} */ { pass, given, node }) => pass === "backward" || given || !inner.has(node);
  return frames.flatMap((frame, at) => (isStep(frame) ? [at] : []));
}
