/** The progress bar of a presentation: both passes in their colours, with what is done of each. */

import { placeOf } from "./grains.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 1000; // units
const GAP = 3; // units between the passes

/** @typedef {import("./trace.js").Trace} Trace */

/** Draw the bar at a step. @param {HTMLElement} bar @param {Trace} trace @param {import("./grains.js").Step} step */
export function showProgress(bar, trace, step) {
  const count = trace.steps.length;
  const forward = trace.steps.filter(({ frame }) => frame < trace.firstBackward).length;
  const done = placeOf(trace.steps, step) + 1;
  const split = (WIDTH * forward) / count;
  const parts = [
    ["data", 0, split - (forward < count ? GAP / 2 : 0), Math.min(done, forward) / Math.max(forward, 1)],
    ["grad", split + GAP / 2, WIDTH, Math.max(done - forward, 0) / Math.max(count - forward, 1)],
  ];
  bar.replaceChildren(drawn(/** @type {[string, number, number, number][]} */ (parts)));
}

/** @param {[string, number, number, number][]} parts each with its class, both ends, and the share that is done */
function drawn(parts) {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  for (const [look, from, to, share] of parts) {
    if (to <= from) continue;
    for (const [kind, width] of /** @type {[string, number][]} */ ([["track", to - from], ["done", (to - from) * share]])) {
      const rect = document.createElementNS(NAMESPACE, "rect");
      rect.setAttribute("class", `${kind} ${look}`);
      for (const [name, size] of Object.entries({ x: from, width, height: 1 })) rect.setAttribute(name, String(size));
      svg.append(rect);
    }
  }
  return svg;
}
