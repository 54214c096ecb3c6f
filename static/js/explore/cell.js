/** The page below a notebook's cell: picture, explanation and player of a file that asks nobody for anything. */
import { Explanation } from "./explanation.js";
import { Fitting } from "./fitting.js";
import { Picture } from "./picture.js";
import { Player, Timeline } from "./timeline.js";
import { Trace } from "./trace.js";
import { announce, at } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";

const canvas = at("canvas");
const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.getElementById("picture")));
const trace = new Trace(at("trace").textContent ?? "");
const picture = new Picture(svg, trace);
const fitting = new Fitting(canvas, svg, picture);
const explanation = new Explanation();
const player = new Player(show, (playing) => timeline.showPlaying(playing));
const timeline = new Timeline(player);

/** @param {number} k */
function show(k) {
  const { step } = player;
  const place = trace.place(step);
  picture.show(step);
  explanation.show(trace, step, place);
  timeline.show(trace, step, place);
  fitting.follow();
  announce(`${place}, ${trace.frames[k].pass}. ${explanation.words}`, "cell");
}

explanation.load();
trace.take(JSON.parse(at("picture-steps").textContent ?? ""));
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-frame]:is(button)"))) {
  button.addEventListener("click", () => player.jump(Number(button.dataset.frame)));
}
listenToKeys({ ...timeline.keys, PageUp: timeline.keys.ArrowLeft, PageDown: timeline.keys.ArrowRight }, timeline.scrubber);
timeline.load(trace);
player.load(trace.steps, Number(svg.dataset.frame));
timeline.showPlaying(false);
new ResizeObserver(() => fitting.fit()).observe(canvas);
document.documentElement.dataset.ready = "true";
