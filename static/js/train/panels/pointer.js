/** What the pointer does over the network and the plane: look close, pick a weight, open a sample. */
import { brief } from "../../common/numbers.js";
import { targetOf } from "./tables.js";

/** @typedef {import("../draw/links.js").Links} Links */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("./tip.js").Tip} Tip */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("./picks.js").Picks} Picks */
/** @typedef {import("./plane.js").Plane} Plane */

const DRAG = 4; // pixels the pointer may move in a click

/**
 * Neurons and lines: pointing or focusing shows them close up, a click or Enter their weights.
 * @param {Player} player @param {Network} network @param {Links} links @param {Tip} tip @param {(neuron: Neuron, input?: number) => void} inspect
 */
export function overNetwork(player, network, links, tip, inspect) {
  const { box } = network;
  const snapshot = () => player.snapshot;
  box.addEventListener("pointermove", (event) => {
    const { run } = player;
    if (!run) return;
    const neuron = network.of(event.target);
    const { left, top } = box.getBoundingClientRect();
    const line = neuron ? null : links.nearest(event.clientX - left, event.clientY - top);
    if (line && line === links.pointed) return;
    links.point(line);
    if (neuron) tip.showNeuron(neuron, network, snapshot);
    else if (line) tip.showLink(line, network, snapshot, run.snapshots, spot(event));
    else tip.hide();
  });
  box.addEventListener("pointerleave", () => {
    links.point(null);
    tip.hide();
  });
  box.addEventListener("focusin", (event) => {
    const neuron = network.of(event.target);
    if (neuron?.button.matches(":focus-visible")) tip.showNeuron(neuron, network, snapshot);
  });
  box.addEventListener("focusout", () => tip.hide());
  box.addEventListener("click", (event) => {
    const neuron = network.of(event.target);
    const line = neuron ? null : links.pointed;
    const goal = neuron ?? line?.to;
    if (!goal || goal.layer === 0) return;
    tip.hide();
    inspect(goal, line?.from.index);
  });
}

/**
 * Samples: pointing says what one is, a click opens it in Explore, with Shift several are picked.
 * @param {Player} player @param {Plane} plane @param {Picks} picks @param {Tip} tip
 */
export function overPlane(player, plane, picks, tip) {
  const { plot, boundary } = plane;
  let pressed = [0, 0];
  const sampleAt = (/** @type {MouseEvent} */ event) => {
    const { left, top } = plot.getBoundingClientRect();
    return boundary.nearest(event.clientX - left, event.clientY - top);
  };
  plot.addEventListener("pointermove", (event) => {
    const { run } = player;
    if (plane.isEditing || !run) return tip.hide();
    const index = sampleAt(event);
    boundary.choose(index);
    plot.classList.toggle("on-sample", index !== null);
    if (index === null) return tip.hide();
    const { x, y, test } = run.setup.samples[index];
    const outputs = player.snapshot?.predictions?.[index];
    const rows = [["inputs", x.map(brief).join(", ")], ["target", targetOf(run.setup, y)]];
    if (outputs && !test) rows.push(["output", outputs.map(brief).join(", ")]);
    tip.showText(`Sample ${index + 1}${test ? ", for testing" : ""}`, [...rows, ["click", "open in Explore"], ["Shift + click", "pick several"]], spot(event));
  });
  plot.addEventListener("pointerleave", () => {
    if (plane.isEditing) return;
    boundary.choose(null);
    tip.hide();
  });
  plot.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
  plot.addEventListener("click", (event) => {
    if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > DRAG || plane.isEditing) return;
    const index = sampleAt(event);
    if (index === null) return;
    if (event.shiftKey) picks.pick(index);
    else picks.open(index);
  });
}

/** @param {MouseEvent} event */
const spot = (event) => new DOMRect(event.clientX, event.clientY, 1, 1);
