/** The player of an exported file: picture, explanation and frames, without a server. */
import { Explanation } from "./explanation.js";
import { Picture } from "./picture.js";
import { Trace } from "./trace.js";
import { at, find, showPlaying } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";

const BEAT = 1200; // milliseconds per frame while playing

const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.getElementById("picture")));
const trace = new Trace(at("trace").textContent ?? "");
trace.take(JSON.parse(at("picture-steps").textContent ?? ""));
const picture = new Picture(svg, trace);
const explanation = new Explanation();
const scrubber = find("scrubber", "input");
/** @type {number | undefined} */ let timer;
let step = trace.stepOf(Number(svg.dataset.frame));

/** @param {number} to a place among the steps */
function show(to) {
  step = Math.min(Math.max(to, 0), trace.steps.length - 1);
  const now = trace.steps[step];
  const place = `frame ${step + 1} of ${trace.steps.length}`;
  picture.show(now);
  explanation.show(trace, now, place);
  scrubber.value = String(step);
  scrubber.setAttribute("aria-valuetext", place);
}

/** Step by hand, which ends playing. @param {number} to */
function go(to) {
  stop();
  show(to);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  showPlaying(at("play"), false);
}

function play() {
  if (timer !== undefined) return stop();
  if (step === trace.steps.length - 1) show(0);
  showPlaying(at("play"), true);
  timer = window.setInterval(() => {
    show(step + 1);
    if (step === trace.steps.length - 1) stop();
  }, BEAT);
}

/** @type {Record<string, () => void>} */
const moves = {
  first: () => go(0),
  back: () => go(step - 1),
  play,
  forward: () => go(step + 1),
  last: () => go(trace.steps.length - 1),
};

explanation.load();
scrubber.max = String(trace.steps.length - 1);
scrubber.addEventListener("input", () => go(Number(scrubber.value)));
for (const [name, move] of Object.entries(moves)) at(name).addEventListener("click", move);
listenToKeys({ ArrowLeft: moves.back, ArrowRight: moves.forward, PageUp: moves.back, PageDown: moves.forward, Home: moves.first, End: moves.last, " ": play }, scrubber);
at("player").hidden = false;
show(step);
