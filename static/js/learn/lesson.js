/**
 * A lesson: text that drives the live picture beside it.
 *
 *   scrolling, keys, buttons → steps → live picture → (the reader takes it over) → bar with the way back
 */
import { announce, at } from "../common/elements.js";
import { Challenges } from "./challenges.js";
import { offerColumn } from "./column.js";
import { drawByOwn } from "./own-pictures.js";
import { Folding } from "./folding.js";
import { listener } from "./keys.js";
import { Live } from "./live.js";
import { Pointing } from "./pointing.js";
import { keep } from "./progress.js";
import { listenToQuestions } from "./questions.js";
import { Reading } from "./reading.js";
import { StepBar } from "./step-bar.js";
import { Steps } from "./steps.js";
import { TakeOver } from "./take-over.js";

/** @typedef {import("./steps.js").Step} Step */

const SETTLE = 70; // milliseconds for which a step stays at the line until the picture follows a scroll
const WRITE = 250; // milliseconds of debounce of the address

const main = /** @type {HTMLElement} */ (at("main"));
const { slug = "" } = main.dataset;
const text = at("text");
/** @type {{follow?: number, write?: number}} */ const timers = {};
/** @type {Step | null} the step whose state the picture shows, or which the reader has changed */ let shown = null;

const steps = new Steps(/** @type {HTMLElement} */ (text.querySelector(".steps")), turned);
const keys = {
  n: () => next(1),
  p: () => next(-1),
  Escape: () => (live.isTaken ? goBack() : false),
};
const live = new Live(at("live"), {
  onDeparture: (words) => bar.show(words),
  onKey: listener(keys),
  onPoint: (id) => pointing.show(live.isTaken ? null : id),
  onForward: () => folding.holds(steps.current),
  onMade: (address) => challenges.try(steps.current, address),
});
const challenges = new Challenges(slug);
const bar = new TakeOver(at("live"), { onBack: goBack, address: () => live.address });
const pointing = new Pointing(text, (id) => live.light(id));
const folding = new Folding(steps.all, slug, steps.current);
const stepBar = new StepBar(steps, go, () => next(1));
const reading = new Reading(steps.all, arrive);

/** Another step is current. @param {Step} step */
function turned(step) {
  stepBar.show();
  bar.turn(step.number);
  pointing.turn(step.element);
  announce(`Step ${step.number} of ${steps.all.length}: ${step.title}.`, "step");
  clearTimeout(timers.write);
  timers.write = window.setTimeout(write, WRITE);
}

/** Go to a step because the reader asked for it: the text moves, and the picture follows, whoever had it.
 * @param {Step} step */
function go(step) {
  folding.unfold(step.number);
  drive(step); // first, as the picture may wait for the server
  steps.turn(step);
  reading.go(step);
}

/** The reader has scrolled to a step: the picture follows. @param {Step} step */
function arrive(step) {
  if (!steps.turn(step)) return;
  clearTimeout(timers.follow);
  timers.follow = window.setTimeout(() => drive(steps.current), SETTLE);
}

/** Show the state of a step. What the reader has made of the step before can be had back. @param {Step} step */
function drive(step) {
  clearTimeout(timers.follow);
  const mine = live.isTaken && live.page && step !== shown ? { kind: live.page.kind, address: live.page.address } : null;
  shown = step;
  live.drive(step);
  bar.offer(mine && mine.kind === step.page ? () => live.restore(mine.kind, mine.address) : null);
  window.setTimeout(() => live.prepare(steps.all.find(({ page }) => page !== step.page)), 3000);
}

/** @param {number} by */
function next(by) {
  const step = steps.beside(by);
  if (by > 0 && folding.holds(steps.current)) return;
  if (step !== steps.current || live.isTaken) go(step);
}

/** Restore the step's picture as it was. */
function goBack() {
  const { page } = live;
  drive(steps.current);
  page?.fit(true);
  announce(`The picture shows step ${steps.current.number} again.`, "picture");
}

/** Keep the place in the address and in this browser. */
function write() {
  const { number } = steps.current;
  try {
    history.replaceState(history.state, "", `/learn/${slug}?step=${number}`);
  } catch {
    // Rate-limited by the browser; the next step writes it.
  }
  keep({ slug, step: number, end: steps.isLast });
}

/** The browser brings an anchor to the top of the text, above the line where the eye rests: bring it there. @param {Step} step */
function leaveAnchor(step) {
  const settle = () => requestAnimationFrame(() => go(step));
  if (document.readyState === "complete") settle();
  else window.addEventListener("load", settle, { once: true });
}

/** The text is painted first, then the picture comes. */
function begin() {
  const { current } = steps;
  if (current.number > 1) reading.go(current, true);
  if (location.hash) leaveAnchor(current);
  bar.turn(current.number);
  pointing.turn(current.element);
  live.placehold(current);
  requestAnimationFrame(() => window.setTimeout(() => drawByOwn(steps.all, slug).then(() => drive(steps.current))));
  keep({ slug, step: current.number, end: steps.isLast });
  document.documentElement.dataset.ready = "true";
}

main.append(Object.assign(document.createElement("p"), { id: "announcer", className: "visually-hidden", ariaLive: "polite" }));
window.addEventListener("keydown", listener({ ...keys, ArrowLeft: () => live.step("back"), ArrowRight: () => (folding.holds(steps.current) ? undefined : live.step("forward")) }));
text.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(".step h2 a") : null;
  const step = link && steps.of(link);
  if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(step);
});
listenToQuestions();
offerColumn(main, () => {
  reading.go(steps.current, true);
  drive(steps.current);
});
begin();
