/**
 * The page for an iframe: picture, explanation and player. It keeps nothing in the browser, writes no address, and asks
 * the server for another page only where a box is opened, in place of this one in the history.
 */
import { addressQuery, read } from "./address.js";
import { Contributions } from "./contributions.js";
import { Explanation } from "./explanation.js";
import { Fitting } from "./fitting.js";
import { DEFAULT } from "./grains.js";
import { pack } from "./packed-text.js";
import { Picture } from "./picture.js";
import { Player, Timeline } from "./timeline.js";
import { Trace } from "./trace.js";
import { announce, at } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";
import { PagePort } from "../common/page-port.js";

const canvas = at("canvas");
const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.getElementById("picture")));
const trace = new Trace(at("trace").textContent ?? "");
trace.take(JSON.parse(at("picture-steps").textContent ?? ""));
const picture = new Picture(svg, trace);
const contributions = svg.classList.contains("contributions") ? new Contributions(svg) : null;
const fitting = new Fitting(canvas, svg, picture);
const explanation = new Explanation();
const player = new Player(show, (playing) => timeline.showPlaying(playing));
const timeline = new Timeline(player);

/** @param {number} k */
function show(k) {
  const { step } = player;
  const place = trace.place(step);
  picture.show(step);
  contributions?.show(step);
  explanation.show(trace, step, place);
  timeline.show(trace, step, place);
  fitting.follow();
  announce(`${place}, ${trace.frames[k].pass}. ${explanation.words}`, "embed");
}

/** @param {string | null} id of a Value */
function light(id) {
  for (const element of svg.querySelectorAll(".lit")) element.classList.remove("lit");
  if (id !== null && trace.byId.has(id)) for (const element of picture.elements(id)) element.classList.add("lit");
}

/** Open or close a box: the server draws another picture at this frame. @param {string} group @param {boolean} isOpen */
async function turn(group, isOpen) {
  const clusters = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".cluster"));
  const open = new Set([...clusters].map((cluster) => cluster.dataset.group ?? ""));
  if (isOpen) open.add(group);
  else open.delete(group);
  const [goal] = await Promise.all([read(location.search), pack(trace.program)]);
  const { slot } = player.step;
  if (trace.grain !== DEFAULT) goal.lenses.set("by", slot === null ? trace.grain : `${trace.grain}:${slot}`);
  location.replace(`/embed?${addressQuery({ ...goal, program: trace.program, frame: player.at, open: [...open].join() })}`);
}

/** @param {Event} event */
function pick(event) {
  const part = /** @type {SVGGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-close], [data-group]:not(.cluster)"));
  if (!part) return;
  event.preventDefault();
  event.stopPropagation();
  if (part.dataset.close) turn(part.dataset.close, false);
  else turn(part.dataset.group ?? "", true);
}

explanation.load();
trace.stepBy(canvas.dataset.grain ?? DEFAULT);
svg.addEventListener("click", pick);
svg.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") pick(event);
});
listenToKeys({ ...timeline.keys, PageUp: timeline.keys.ArrowLeft, PageDown: timeline.keys.ArrowRight }, timeline.scrubber);
timeline.load(trace);
player.load(trace.steps, Number(svg.dataset.frame), svg.dataset.slot === undefined ? null : Number(svg.dataset.slot));
timeline.showPlaying(false);
new ResizeObserver(() => fitting.fit()).observe(canvas);
new PagePort({ step: (way) => player.move(way === "back" ? -1 : 1), light, fit: () => fitting.fit() });
document.documentElement.dataset.ready = "true";
