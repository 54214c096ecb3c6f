/** The page of a recorded program: steps through boxes, whose maps show from their step on. */
import { Player, Timeline } from "../explore/timeline.js";
import { announce, at } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";

/** @typedef {{ pass: string, box: string }} BoxStep */

const LEAST = 0.8; // scale below which the picture is moved about instead
const canvas = at("canvas");
const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.getElementById("picture")));
/** @type {BoxStep[]} */ const steps = JSON.parse(at("trace").textContent ?? "[]");
/** @type {string[]} */ const words = JSON.parse(at("picture-steps").textContent ?? "[]");
const shown = [...svg.querySelectorAll("[data-from]")].map((part) => ({ part, from: Number(part.getAttribute("data-from")) }));
const boxes = new Map([...svg.querySelectorAll("[data-box]")].map((part) => [part.getAttribute("data-box"), part]));
const first = steps.filter((step) => step.pass === "forward").length;
const film = {
  steps: steps.map((_, frame) => ({ frame, frames: [frame], slot: null })),
  frames: steps, last: steps.length - 1, firstBackward: first, stepOf: (/** @type {number} */ k) => k,
};
const player = new Player(show, (playing) => timeline.showPlaying(playing));
const timeline = new Timeline(player);

/** @param {number} k */
function show(k) {
  const step = steps[k];
  for (const { part, from } of shown) part.classList.toggle("later", from > k);
  for (const part of boxes.values()) part.classList.remove("active");
  const box = boxes.get(step.box);
  box?.classList.add("active");
  at("explanation").innerHTML = words[k];
  at("explanation").className = `told ${step.pass}`;
  at("pass").textContent = step.pass;
  at("pass").className = `pass ${step.pass}`;
  const place = `step ${k + 1} of ${steps.length}`;
  at("frame-title").textContent = `Step ${k + 1} of ${steps.length}`;
  timeline.show(film, player.step, place);
  if (box) follow(box);
  announce(`${place}, ${step.pass}`, "recorded");
}

/** Scroll to a box of a picture that does not fit. @param {Element} box */
function follow(box) {
  const seen = canvas.getBoundingClientRect();
  const rect = box.getBoundingClientRect();
  if (rect.left < seen.left || rect.right > seen.right) canvas.scrollLeft += rect.left + rect.width / 2 - seen.left - seen.width / 2;
  if (rect.top < seen.top || rect.bottom > seen.bottom) canvas.scrollTop += rect.top + rect.height / 2 - seen.top - seen.height / 2;
}

/** The largest scale at which the picture fits, within limits. */
function fit() {
  const { width, height } = svg.viewBox.baseVal;
  const whole = Math.min((canvas.clientWidth - 24) / width, (canvas.clientHeight - 16) / height);
  const scale = Math.min(Math.max(whole, LEAST), 1);
  svg.setAttribute("width", String(width * scale));
  svg.setAttribute("height", String(height * scale));
  canvas.classList.toggle("scrolled", whole < scale);
}

if (steps.length) {
  for (const [id, part] of boxes) {
    part.addEventListener("click", () => {
      const k = steps.findLastIndex((step) => step.box === id);
      if (k >= 0) player.jump(k);
    });
  }
  listenToKeys(timeline.keys, timeline.scrubber);
  new ResizeObserver(fit).observe(canvas);
  fit();
  timeline.load(film);
  player.load(film.steps, film.last);
  timeline.showPlaying(false);
}
document.documentElement.dataset.ready = "true";
