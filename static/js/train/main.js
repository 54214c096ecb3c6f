/**
 * The Train page: wires form, player, pictures and tables together.
 *
 * All drawing happens in one place, `paint`, once for each picture the screen shows and only when
 * something has changed; what nobody reads while it moves is written a few times a second.
 */
import { Drafts } from "../common/drafts.js";
import { Link } from "../common/address-bar.js";
import { offerReload } from "../common/renewed.js";
import { read } from "./address.js";
import { Boundary } from "./draw/boundary.js";
import { Chart } from "./draw/chart.js";
import { onColours, palette } from "./draw/colours.js";
import { listEdits } from "./panels/edits.js";
import { snapshotOf, logOf } from "./run/decode.js";
import { Inspector } from "./panels/inspector.js";
import { Kernel } from "./run/kernel.js";
import { leave, left } from "./run/left.js";
import { Links } from "./draw/links.js";
import { Network } from "./draw/network.js";
import { announce, at, data, find, on, toggle, write } from "./page.js";
import { Phases } from "./draw/phases.js";
import { Pins } from "./panels/pins.js";
import { Player } from "./run/player.js";
import { overNetwork, overPlane } from "./panels/pointer.js";
import { Points } from "./panels/points.js";
import { Reading } from "./panels/reading.js";
import { Run } from "./run/run.js";
import { Refused, Renewed, address as addressOf, ask, watch } from "./run/server.js";
import { Form, asRows } from "./panels/form.js";
import { speedOf } from "./run/speed.js";
import { Server } from "./run/stream.js";
import { wireSweep } from "./panels/sweep.js";
import { showPicks, wirePicks } from "./panels/tables.js";
import { Tip } from "./panels/tip.js";
import { brief, percent } from "../common/numbers.js";
import { gist } from "./words.js";

/** @typedef {import("./run/types.js").Snapshot} Snapshot */
/** @typedef {import("./run/types.js").Setup} Setup */

const CALM = 250; // milliseconds between two renewals of what nobody reads while it moves
const READ = 6000; // milliseconds that what happened can be read
const PAST = 20; // states that a history is drawn from, at least

let colours = palette();
/** @type {Run | null} */ let run = null;
/** @type {Snapshot | null} */ let painted = null;
let isDirty = false;
/** @type {string | null} */ let trouble = null;
let isTouched = false; // by the visitor, and not only looked at
let isTyping = false; // what the form says is not the run that is shown
let isStale = false; // the settings are refused: what is shown is still the run before
let isPlanned = false;
let calmAt = 0;
/** @type {number | undefined} */ let calmTimer;
/** @type {AbortController} */ let asking = new AbortController();
/** @type {number[]} samples that Explore will open */ let chosen = [];

const scrub = find("scrub", "input");
const speed = find("speed", "select");
const start = read(location.search);
const player = new Player({ onSnapshot: plan, onPlaying: showPlaying, onTrouble: showTrouble });
const form = new Form(find("spec", "form"), tryForm, () => {
  [isTouched, isTyping] = [true, true];
  keepDraft();
});
const drafts = new Drafts("train", (search) => read(search).run);
const address = new Link(link, keepDraft);
const reading = new Reading(openLink, () => form.no);
const boundary = new Boundary(find("boundary", "canvas"), find("points", "canvas"), colours);
const network = new Network(at("network"), colours, () => {
  links.load();
  repaint();
});
const links = new Links(network);
const tip = new Tip(at("tip"));
const inspector = new Inspector(at("inspector"), editWeight, () => network.at(...inspected)?.button.focus());
/** @type {[number, number]} */ let inspected = [0, 0];
const chart = new Chart(at("loss"), colours, (step) => player.go(step));
const pins = new Pins(at("pins"), () => {
  chart.pins = pins.pins;
  chart.build();
  address.note();
});

// --- runs -------------------------------------------------------------------------------------

/** Show a run. @param {Run} next @param {number} step @param {Snapshot | null} snapshot */
function show(next, step, snapshot = null) {
  run = next;
  const { setup } = run;
  at("local").setAttribute("aria-pressed", "false");
  player.load(run.source, setup.steps, run.losses, run.snapshots);
  if (snapshot) run.snapshots.add(snapshot);
  chosen = [];
  at("key-stripes").hidden = setup.map_kind !== "samples";
  showEdits();
  pins.load(setup.spec);
  chart.load(run.losses, setup.steps);
  network.load(setup);
  const held = points.isOn ? boundary.samples[boundary.chosen ?? -1] : undefined;
  boundary.load(setup);
  inspector.load(setup);
  phases.stop();
  at("plot").hidden = !setup.bounds;
  write(document.querySelector(".no-plot") ?? at(""), `There is no picture of ${setup.inputs} inputs; the predictions are in the table.`);
  scrub.max = String(setup.steps);
  write(at("gist"), gist(setup));
  write(at("plot-title"), setup.inputs === 1 ? "Fitted curve" : setup.kind === "classes" ? "Decision boundary" : "Predicted plane");
  at("stat-test-box").hidden = !setup.samples.some(({ test }) => test);
  form.rows = () => asRows(setup.samples, setup);
  if (points.isOn) points.turn(Boolean(setup.bounds));
  if (held) boundary.choose(boundary.indexOf(held));
  showPicked();
  return player.go(step);
}

/** Try what the form says; a refusal leaves the run as it is. */
async function tryForm() {
  const query = form.query();
  isTyping = true;
  const wasPlaying = player.playing;
  const before = run;
  try {
    if (!(await load(query, 0))) return;
  } catch (error) {
    refuse(error);
    return;
  }
  if (!before) location.assign(addressOf("", query)); // the page was refused and has no room for pictures
  if (!run || run === before) return;
  address.push();
  compareMistake();
  if (wasPlaying) player.play();
}

/** Ask what a query means and show it. @param {string} query @param {number} step @returns {Promise<boolean>} */
async function load(query, step) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    /** @type {Setup & {edits?: import("./run/run.js").Edit[]}} */
    const setup = await ask(addressOf("setup", query), signal);
    form.accept();
    isTyping = false;
    showStale(false);
    const next = new Run(setup, setup.edits ?? []);
    if (run && next.query === run.query) return true;
    await show(next, Math.min(step, setup.steps));
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** @param {unknown} error */
function refuse(error) {
  if (error instanceof Renewed) return;
  if (error instanceof Refused) {
    form.refuse(error.field, error.message);
    announce(error.message);
    showStale(run !== null);
  } else showTrouble("The server does not answer.");
}

/** What the rate was before it was made too large; "" where it was not. */
let rightRate = "";

/** A mistake is seen best beside the right run. */
async function compareMistake() {
  if (!run) return;
  const params = new URLSearchParams(run.query);
  if (!(Number(run.setup.spec.learning_rate) > Number(rightRate || "NaN"))) rightRate = "";
  const isMistake = params.has("zero_grad") || params.has("accumulate") || rightRate !== "";
  explainMistakes();
  const old = pins.pins.find((pin) => pin.why === "the right run");
  params.delete("zero_grad");
  params.delete("accumulate");
  if (rightRate) params.set("learning_rate", rightRate);
  const right = String(params);
  if (old && (!isMistake || old.query !== right)) pins.remove(old.query);
  if (isMistake) await pins.add(right, "the right run").catch(refuse);
}

/** What happens, and why, under the curves. */
function explainMistakes() {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#spec input[data-why]:checked"));
  /** @type {[string, string | undefined][]} */
  const mistakes = [...boxes].map((box) => [box.labels?.[0]?.textContent?.trim() ?? box.name, box.dataset.why]);
  if (rightRate) mistakes.push(["The rate is too large", at("large-rate").dataset.why]);
  at("mistake").replaceChildren(
    ...mistakes.map(([name, why]) => {
      const words = Object.assign(document.createElement("p"), { className: "notice warning" });
      const title = document.createElement("b");
      title.textContent = `${name}. `;
      words.append(title, `${why} The right run is on the chart beside it.`);
      return words;
    }),
  );
}

/** @param {number} parameter @param {number} value */
function editWeight(parameter, value) {
  if (!run || player.snapshot?.parameters[parameter] === value) return;
  const field = document.activeElement;
  goOnAs(run.edited(player.at, parameter, value));
  announce(`Weight changed to ${brief(value)} at step ${player.at}.`);
  if (field instanceof HTMLElement) field.focus();
}

/** The run with other changes by hand, at the same step. @param {Run} next */
function goOnAs(next) {
  const step = player.at;
  player.pause();
  at("local").setAttribute("aria-pressed", "false");
  run = next;
  player.load(run.source, run.setup.steps, run.losses, run.snapshots);
  chart.load(run.losses, run.setup.steps);
  player.go(step);
  showEdits();
  isTouched = true;
  address.push();
}

function showEdits() {
  const shown = run;
  if (!shown) return;
  listEdits(at("edits"), shown.setup.layers, shown.edits, (edit) => {
    goOnAs(shown.without(edit));
    announce("The change is taken back.");
  });
}

// --- drawing ----------------------------------------------------------------------------------

function plan() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(paint);
}

/** Everything anew: sizes or colours have changed. */
function repaint() {
  isDirty = true;
  plan();
}

function paint() {
  isPlanned = false;
  player.tick();
  const { snapshot } = player;
  if (run && snapshot && (snapshot !== painted || isDirty)) {
    if (isDirty) boundary.drawSamples();
    isDirty = false;
    painted = snapshot;
    boundary.draw(snapshot);
    network.draw(snapshot);
    links.draw(snapshot);
    chart.draw(player.at, player.at === snapshot.step ? snapshot.loss : NaN);
    showStats(snapshot);
  }
  showWhere();
  if (player.waiting) plan();
  if (performance.now() - calmAt > CALM) settle();
  else {
    clearTimeout(calmTimer);
    calmTimer = window.setTimeout(settle, CALM);
  }
}

/** @param {Snapshot} snapshot */
function showStats(snapshot) {
  write(at("stat-step"), String(snapshot.step));
  write(at("stat-loss"), brief(snapshot.loss));
  write(at("stat-accuracy"), percent(snapshot.accuracy));
  write(at("stat-test"), snapshot.testAccuracy === null ? brief(snapshot.testLoss) : percent(snapshot.testAccuracy));
}

function showWhere() {
  const step = player.at;
  if (!run || scrub.dataset.shown === `${step}/${run.setup.steps}`) return;
  const { steps } = run.setup;
  scrub.dataset.shown = `${step}/${steps}`;
  scrub.value = String(step);
  scrub.style.setProperty("--done", `${(step / steps) * 100}%`);
  write(at("where"), `step ${step} of ${steps}`);
  nameOpen();
  if (!phases.isOn) phaseWords.hidden = true;
}

/** What is read at rest: tables, words, links, the address. */
function settle() {
  clearTimeout(calmTimer);
  calmAt = performance.now();
  const { snapshot } = player;
  if (!run || !snapshot) return;
  scrub.setAttribute("aria-valuetext", `step ${player.at} of ${run.setup.steps}, loss ${brief(snapshot.loss)}`);
  for (const [id, end] of /** @type {const} */ ([["reset", 0], ["back", 0], ["step", run.setup.steps], ["epoch", run.setup.steps]])) {
    at(id).setAttribute("aria-disabled", String(player.at === end));
  }
  reading.show(run, snapshot, colours);
  showPicks(at("predictions-body"), chosen);
  inspector.colour = colours.data;
  inspector.draw(snapshot, run.snapshots);
  tip.renew();
  showLinks();
  if (player.playing) return;
  const trained = run.setup.samples.filter(({ test }) => !test).length;
  boundary.batch = new Set(snapshot.batch && snapshot.batch.length < trained ? snapshot.batch : []);
  boundary.drawSamples();
  address.note();
  player.complete();
  reading.rest(run, snapshot);
}

// --- links ------------------------------------------------------------------------------------

/** The address of the page as it is. */
function link() {
  if (!run) return location.pathname + location.search;
  const more = [];
  if (player.at) more.push(`step=${player.at}`);
  if (chart.isLog) more.push("scale=log");
  if (rightRate) more.push(`right=${rightRate}`);
  if (speed.value && speed.value !== "1,60") more.push(`speed=${encodeURIComponent(speed.value)}`);
  if (start.hide) more.push(`hide=${encodeURIComponent(start.hide)}`);
  for (const pin of pins.pins) if (pin.why !== "the right run") more.push(`pin=${encodeURIComponent(pin.query)}`);
  return `/train?${[run.query, ...more].join("&")}`;
}

/** What was typed, and what was made of it, is kept. */
function keepDraft() {
  if (!isTouched) return;
  const typed = form.typed();
  const params = new URLSearchParams(typed);
  const layers = (params.get("layers") ?? "").replace(/\s*→\s*/g, "-");
  const words = [params.get("data"), layers, `rate ${params.get("learning_rate")}`, `seed ${params.get("seed")}`];
  if (run?.edits.length) words.push("changed by hand");
  drafts.keep(link(), typed, isTyping, words.filter(Boolean).join(" · "));
}

/** @param {number | number[]} samples */
function openLink(samples) {
  return addressOf("open", run?.query ?? "", { step: player.at, sample: String(samples) });
}

/** The samples that were picked, or else the first. */
function showLinks() {
  /** @type {HTMLAnchorElement} */ (at("open")).href = openLink(chosen.length ? chosen : 0);
}

/** What the button opens, in words. */
function nameOpen() {
  const button = at("open");
  const [first, step] = [button.firstChild, button.querySelector("[data-step]")];
  if (!first || !step) return;
  const words = chosen.length > 1 ? `Open ${chosen.length} samples at step ` : "Open step ";
  if (first.nodeValue !== words) first.nodeValue = words;
  write(step, String(player.at));
}

/** @param {number} sample */
function pick(sample) {
  chosen = chosen.includes(sample) ? chosen.filter((other) => other !== sample) : [...chosen, sample];
  showPicked();
  announce(chosen.length ? `Picked for Explore: ${numbers(chosen)}.` : "None is picked.", "pick");
}

/** @param {number[]} samples */
const numbers = (samples) => samples.map((index) => index + 1).join(", ");

/** Which samples are picked, wherever it can be seen. */
function showPicked() {
  boundary.pick(chosen);
  showPicks(at("predictions-body"), chosen);
  nameOpen();
  showLinks();
  pickWords.hidden = points.isOn || !run?.setup.bounds;
  write(pickWords, chosen.length ? `Picked for Explore: ${chosen.length > 8 ? `${chosen.length} samples` : numbers(chosen)}. Shift+click picks more.` : "A click opens a sample; Shift+click picks several.");
}

// Whoever comes back from where a link leads finds the very step.
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("a[href]")) address.write();
}, { capture: true });

// --- the player -------------------------------------------------------------------------------

function play() {
  phases.stop();
  if (run) player.speed = speedOf(speed.value, run.setup);
  player.toggle();
  if (!player.playing) address.write();
}

/** @param {boolean} playing */
function showPlaying(playing) {
  const button = at("play");
  button.classList.toggle("playing", playing);
  const word = button.querySelector("[data-word]");
  if (word) word.textContent = playing ? "Pause" : "Play";
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
  document.documentElement.toggleAttribute("data-playing", playing);
  plan();
}

/** @param {string | null} words */
function showTrouble(words) {
  trouble = words;
  showNotice();
}

/** @param {boolean} stale */
function showStale(stale) {
  isStale = stale;
  at("play").title = stale ? "Play or pause the run before: the settings are refused (space)" : "Play or pause (space)";
  showNotice();
}

function showNotice() {
  const notice = at("notice");
  const stale = isStale && run ? `Still the run before: ${gist(run.setup)}. One of the settings is refused.` : null;
  const words = [trouble, stale].filter(Boolean).join(" ");
  if (words) write(notice, words);
  notice.hidden = !words;
}

const epoch = () => run?.setup.steps_per_epoch ?? 1;
const moves = {
  reset: () => player.go(0),
  back: () => player.go(player.at - 1),
  play,
  step: () => player.go(player.at + 1),
  epoch: () => player.go((Math.floor(player.at / epoch()) + 1) * epoch()),
  last: () => player.go(Infinity),
};
for (const [id, move] of Object.entries(moves)) on(id, "click", move);
scrub.addEventListener("input", () => player.go(Number(scrub.value)));
speed.addEventListener("change", () => {
  if (run) player.setSpeed(speedOf(speed.value, run.setup));
  address.note();
});

/** @type {Record<string, () => void>} */
const KEYS = { ArrowLeft: moves.back, ArrowRight: moves.step, Home: moves.reset, End: moves.last, " ": moves.play };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Escape") return tip.hide();
  if (target.closest("dialog, [data-keys=own]")) return;
  const isField = target.matches("input:not([type=radio], [type=checkbox]), textarea, select") && target !== scrub;
  const isPressed = event.key === " " && target.closest("button, a, summary, label, input, [role=button]") && target !== scrub;
  const isRadio = target.matches("input[type=radio]") && event.key.startsWith("Arrow");
  if (isField || isPressed || isRadio || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

// --- under the pointer ------------------------------------------------------------------------

const now = { snapshot: () => player.snapshot, run: () => run, no: () => form.no };

overNetwork(network, links, tip, {
  ...now,
  colour: () => colours.data,
  inspect: ({ layer, index }, input) => {
    inspected = [layer, index];
    inspector.open(layer, index, network.name(layer, index), input);
    if (player.snapshot && run) inspector.draw(player.snapshot, run.snapshots);
    recall();
  },
});

/** A history needs states: some of the run so far, if there are few. */
async function recall() {
  const [there, at] = [run, player.at];
  for (let i = 0; i <= PAST && there; i += 1) {
    const step = Math.round((at * i) / PAST);
    if (there.snapshots.kept.has(step)) continue;
    const found = await there.source.state(step, false).catch(() => null);
    if (!found || run !== there || player.playing) return;
    there.snapshots.add(found.snapshot);
  }
  settle();
}

const plot = at("plot");

overPlane(plot, boundary, tip, {
  ...now,
  isEditing: () => points.isOn,
  open: (sample) => {
    address.write();
    location.assign(openLink(sample));
  },
  pick,
});

const pickWords = Object.assign(document.createElement("p"), { className: "words", id: "pick-words" });
at("plot-hint").after(pickWords);
wirePicks(at("predictions-body"), pick);

// --- own points -------------------------------------------------------------------------------

const points = new Points(plot, boundary, (samples) => run && form.setRows(asRows(samples, run.setup)), announce);

on("edit-points", "click", (event) => {
  const isOn = toggle(event.currentTarget);
  points.turn(isOn);
  const hint = at("plot-hint");
  hint.hidden = !isOn;
  showPicked();
  if (isOn && run) hint.replaceChildren(...points.hint(Math.max(2, run.setup.classes)));
  if (isOn) plot.focus({ preventScroll: true });
});

// --- one step in slow motion ------------------------------------------------------------------

const phaseWords = Object.assign(document.createElement("p"), { className: "phase-words", hidden: true });
phaseWords.id = "phase-words";
phaseWords.setAttribute("role", "status");
at("stage").append(phaseWords);
const phases = new Phases(network, links, phaseWords, () => {
  at("phases").setAttribute("aria-pressed", "false");
  repaint();
});

on("phases", "click", async () => {
  if (phases.isOn) return phases.stop();
  if (!run) return;
  player.pause();
  const step = Math.min(player.at, run.setup.steps - 1);
  at("phases").setAttribute("aria-pressed", "true");
  try {
    const [before, after] = await Promise.all([step, step + 1].map((each) => player.source?.state(each, false)));
    if (!before || !after) return;
    await player.go(step);
    run.snapshots.add(before.snapshot);
    run.snapshots.add(after.snapshot);
    phases.start(before.snapshot, after.snapshot, () => player.go(step + 1));
  } catch (error) {
    at("phases").setAttribute("aria-pressed", "false");
    refuse(error);
  }
});

// --- in this browser --------------------------------------------------------------------------

const localWords = Object.assign(document.createElement("p"), { className: "phase-words", id: "local-words", hidden: true });
localWords.setAttribute("role", "status");
at("stage").append(localWords);
/** @type {number | undefined} */ let localTimer;

/** @param {string} words @param {boolean} [isLasting] */
function sayLocal(words, isLasting = false) {
  clearTimeout(localTimer);
  localWords.hidden = false;
  write(localWords, words);
  if (!isLasting) localTimer = window.setTimeout(() => (localWords.hidden = true), READ);
}

// What plays goes on playing: only who computes the steps changes.
on("local", "click", async () => {
  if (!run) return;
  const there = run;
  const button = at("local");
  const wasPlaying = player.playing;
  player.pause();
  const isOn = button.getAttribute("aria-pressed") !== "true";
  sayLocal(isOn ? "Handing the run over to this browser…" : "Handing the run back to the server…", true);
  try {
    await moveTo(isOn);
    if (run !== there) return sayLocal("The run has changed; the server trains it.");
    button.setAttribute("aria-pressed", String(isOn));
    sayLocal(`${isOn ? "This browser trains from" : "The server trains from"} step ${player.at} on${isOn ? ", without the server" : ""}.`);
    if (wasPlaying) player.play();
  } catch (error) {
    localWords.hidden = true;
    refuse(error);
  }
});

/** Hand the run over, to this browser or back. @param {boolean} here */
async function moveTo(here) {
  if (!run) return;
  const there = run;
  const server = new Server(run.query);
  /** @type {import("./run/types.js").Source} */ let source = server;
  if (here) {
    const { setup, edits } = run;
    const first = Math.max(0, ...edits.map(([step]) => step));
    const inputs = player.snapshot?.maps?.slice(0, setup.inputs * setup.map ** (setup.map_kind === "line" ? 1 : 2)) ?? null;
    source = await Kernel.take(run.query, Math.max(player.at, first), first, setup, inputs, server);
  }
  if (run !== there) return;
  const playsOn = player.playing; // who pressed Play meanwhile
  player.pause();
  player.source = run.source = source;
  if (playsOn) player.play();
}

wireSweep(() => run && { query: run.query, steps: run.setup.steps, colour: colours.data });

// --- the chart --------------------------------------------------------------------------------

on("log-scale", "click", (event) => {
  chart.setLog(toggle(event.currentTarget));
  address.note();
});
chart.onZoom = () => (at("unzoom").hidden = chart.zoomed === null);
on("unzoom", "click", () => chart.unzoom());
on("pin", "click", async () => {
  if (!run) return;
  await pins.add(run.query).catch(refuse);
  announce("The run is pinned: its loss stays on the chart.");
});
for (const id of ["predictions", "norms", "losses", "code"]) on(id, "toggle", settle);
on("norms", "toggle", recall);

on("large-rate", "click", (event) => {
  event.preventDefault();
  const right = Number(run?.setup.spec.learning_rate ?? 1);
  const rate = right * Number(event.currentTarget.dataset.factor ?? 30);
  rightRate = String(right);
  form.set("learning_rate", String(Number(rate.toPrecision(6))));
});

on("exports", "keydown", (event) => {
  const menu = event.currentTarget;
  if (event.key !== "Escape" || !menu.open) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});

on("copy-link", "click", async () => {
  address.write();
  const said = at("copy-link").querySelector("[data-said]") ?? at("");
  const done = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
  said.textContent = done ? "Copied" : "Copy it from the address bar";
  announce(done ? "The link is copied." : "The link stands in the address bar.");
  window.setTimeout(() => (said.textContent = "Copy link"), 2000);
});

window.addEventListener("popstate", async () => {
  const there = read(location.search);
  await load(there.run, there.step).catch(refuse);
  if (run) form.fill(run.setup.spec);
  player.go(there.step);
});

onColours(() => {
  colours = palette();
  for (const part of [boundary, network, chart]) part.palette = colours;
  pins.colours = colours.runs;
  pins.show();
  chart.build();
  repaint();
});

window.addEventListener("pagehide", () => {
  keepDraft(); // another page may have taken its place
  if (run) leave(player.at);
});

// --- start ------------------------------------------------------------------------------------

watch(showTrouble, () => offerReload(() => address.write()));

async function begin() {
  pins.colours = colours.runs;
  chart.isLog = start.isLog;
  rightRate = start.right;
  at("log-scale").setAttribute("aria-pressed", String(start.isLog));
  if (start.speed && [...speed.options].some(({ value }) => value === start.speed)) speed.value = start.speed;
  const setup = data("setup");
  showPlaying(false);
  if (setup) {
    const answer = data("state");
    const first = new Run(setup, setup.edits ?? []);
    const log = answer && logOf(answer);
    if (log) first.losses.add(log);
    await show(first, start.step, answer && snapshotOf(answer));
    const step = left();
    if (step !== null && step !== player.at) player.go(step);
  }
  const draft = drafts.returning();
  if (draft) {
    isTouched = true;
    form.restore(draft.typed, draft.isOpen);
  } else if (!location.search) drafts.offer(link(), form.typed());
  document.documentElement.dataset.ready = "true";
  for (const query of start.pins) await pins.add(query).catch(refuse);
  if (setup) compareMistake();
}

begin();

export { player };
