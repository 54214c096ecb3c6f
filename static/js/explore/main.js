/**
 * The Explore page: wires the program, the leaves, the picture and the player together.
 *
 * A program goes to `POST /graph`, which answers with picture and trace; a dragged leaf goes to
 * `POST /numbers`, which answers with the trace alone. htmx carries both. A step asks nobody.
 */
import { query, read } from "./address.js";
import { Drafts, LONGEST } from "../common/drafts.js";
import { Editor } from "./editor.js";
import { explain, templates } from "./explain.js";
import { Leaves } from "./leaves.js";
import { Link } from "../common/address-bar.js";
import { giveRoom } from "./message-room.js";
import { Minimap } from "./minimap.js";
import { Picture } from "./picture.js";
import { Player } from "./player.js";
import { VERSION, offerReload } from "../common/renewed.js";
import { Tooltip } from "./tooltip.js";
import { Trace } from "./trace.js";
import { READABLE, Viewport } from "./viewport.js";

/** @typedef {import("./address.js").State} State */

/** @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));

const bench = at("main");
const form = /** @type {HTMLFormElement} */ (at("program-form"));
const scrubber = /** @type {HTMLInputElement} */ (at("scrubber"));
const grouped = /** @type {HTMLInputElement} */ (document.querySelector("input[name=grouped]"));
const openGroups = /** @type {HTMLInputElement} */ (form.elements.namedItem("open"));
const NUDGE = 0.01;
const CALM = 800; // milliseconds without typing after which half a line may be called wrong
const COMFORTABLE = 0.85; // the scale at which a picture that does not fit is first seen
const WAITS = [1000, 8000]; // milliseconds before a server that is away is asked again: at first, at most
const PASSING = new Set([429, 502, 503, 504]); // statuses that are others a moment later

const editor = new Editor(at("editor"), (size) => say(`What you pasted has ${size.toLocaleString("en")} bytes; at most ${editor.most.toLocaleString("en")} are read. Your text is as it was.`));
const player = new Player(showFrame, showPlaying);
const minimap = new Minimap(at("minimap"));
const tooltip = new Tooltip(at("tooltip"));
const leaves = new Leaves(() => address.note(), (key) => {
  touched = key;
});
const drafts = new Drafts("explore", (search) => read(search).program ?? "");
const address = new Link(link, () => {
  showLinks();
  keepDraft();
});

/** @type {Trace | null} */ let trace = null;
/** @type {Picture | null} */ let picture = null;
/** @type {Viewport | null} */ let viewport = null;
/** @type {import("./explain.js").Templates} */ let explanations = new Map();
/** @type {string | null} the text that the server refused */ let refused = null;
let refusalIsDue = true; // at once: nobody is in the middle of a line
let refusalWaits = false;
let refusing = 0;
let typedAt = -Infinity;
/** @type {string | null} */ let chosen = null;
/** @type {string | null} the leaf that the sentence below the check speaks of */ let touched = null;
/** @type {ReturnType<typeof read> | null} where the back button leads */ let destination = null;
/** @type {object | null} the newest request that goes there */ let journey = null;
let isTouched = false; // by the visitor, and not only looked at
let isBehind = false; // the picture that is asked for stays behind a text that is newer, or wrong
let retrying = 0;
let wait = WAITS[0];
/** @type {string | null} what has the focus once a group is open or closed */ let focusNext = null;
let transcriptIsOld = false;
let transcriptTimer = 0;
let transcriptIsOpen = false;
/** @type {Element | null} */ let currentLine = null;
let announcing = 0;
let measuring = 0;
let tallest = 0; // explanation of this program so far, in pixels

// --- state and requests ----------------------------------------------------------------------

/** What the page shows, in the words of the address. @returns {State} */
function state() {
  return {
    program: trace?.program ?? editor.text,
    leaves: leaves.changed,
    frame: trace && player.at < trace.last ? player.at : null,
    ...view(),
  };
}

function view() {
  const direction = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=direction]:checked"));
  return {
    direction: direction?.value === "TB" ? "TB" : "LR",
    grouped: grouped.checked,
    open: openGroups.disabled ? null : openGroups.value,
  };
}

/** What to ask the server for. @param {boolean} drawn only the program that is drawn @returns {State} */
function wanted(drawn) {
  if (destination) {
    const { program, ...rest } = destination;
    return { ...rest, program: program ?? editor.text };
  }
  // A program known to be wrong is not asked for again: the picture on show still obeys.
  return drawn || editor.text === refused ? state() : typed();
}

/** What the page would show of the text as it is typed. @returns {State} */
function typed() {
  const now = state();
  if (editor.text === now.program) return now;
  const lines = new Set(editor.text.split("\n"));
  const kept = [...leaves.changed].filter(([key]) => {
    const node = trace?.nodes.find((other) => other.key === key);
    return node?.span && lines.has(trace?.lines[node.span[0] - 1] ?? "");
  });
  return { ...now, program: editor.text, leaves: new Map(kept) };
}

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const asked = wanted(ctx.sourceElement !== form);
  if (ctx.sourceElement === form && asked.program === editor.text && editor.excess) {
    event.preventDefault();
    refuseLong();
    return;
  }
  ctx.gradlens = { asked, returning: destination !== null && address.held };
  ctx.request.body = new FormData();
  for (const [key, value] of query(asked)) ctx.request.body.append(key, value);
  if (destination) journey = ctx.gradlens;
  destination = null;
});

document.addEventListener("htmx:finally:request", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  if (journey !== null && ctx.gradlens === journey) address.held = false;
});

document.addEventListener("htmx:after:swap", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  if (!ctx.gradlens) return;
  const version = ctx.response?.headers.get("gradlens-version");
  if (VERSION && version && version !== VERSION) offerReload(() => address.write());
  if (ctx.sourceElement.id === "leaves") renewNumbers();
  else if (ctx.sourceElement.id === "transcript-list") markTranscript();
  else if (ctx.response?.status === 422) refuse(ctx.gradlens.asked.program);
  else if (ctx.response?.status < 400) accept(ctx.gradlens);
});

document.addEventListener("htmx:response:error", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const { status, headers } = ctx.response;
  if (status === 422) return;
  if (PASSING.has(status)) return retry("The server is busy. Your text is kept. Trying again…", 1000 * Number(headers.get("retry-after")));
  if (status === 413) return say("This is more than the server takes at once. Shorten it, or write a loop instead of repeated lines.");
  fail(`The server answered with an error (${status}). Your text is kept.`);
});

document.addEventListener("htmx:error", () => retry("The server cannot be reached. Your text is kept. Trying again…"));
window.addEventListener("online", () => retrying && again());

/** Ask again by itself, the later the longer it is away, and not all pages at once.
 * @param {string} text @param {number} [asked] milliseconds that the server asks for */
function retry(text, asked = 0) {
  fail(text);
  retrying = window.setTimeout(again, Math.max(wait, asked || 0) * (0.75 + Math.random() / 2));
  wait = Math.min(2 * wait, WAITS[1]);
}

/** Ask for all of it again; a refused text too, for the sake of its report. */
function again() {
  clearTimeout(retrying);
  refused = null;
  run();
}

/** The server has answered. */
function recover() {
  clearTimeout(retrying);
  retrying = 0;
  wait = WAITS[0];
}

/** @param {string} text */
function fail(text) {
  clearTimeout(retrying);
  retrying = 0;
  dropRefusal();
  setStale(editor.text !== settledText());
  if (document.querySelector("#problem .failure")?.firstChild?.nodeValue === text) return;
  const box = say(text);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "again";
  button.textContent = "Try again";
  button.addEventListener("click", again);
  box.append(" ", button);
}

/** Below the text, why it is not drawn. @param {string} text */
function say(text) {
  const box = Object.assign(document.createElement("div"), { className: "failure", textContent: text });
  at("problem").replaceChildren(box);
  return box;
}

/** What the server would not read is not sent. */
function refuseLong() {
  recover();
  dropRefusal();
  refused = editor.text;
  destination = null;
  address.held = false;
  editor.area.setAttribute("aria-invalid", "true");
  const most = editor.most.toLocaleString("en");
  say(`The program has ${(editor.most + editor.excess).toLocaleString("en")} bytes; at most ${most} are read. Shorten it, or write a loop instead of repeated lines.`);
  setStale(true);
  address.write();
}

/** Send the program now, typed or not. */
function run() {
  hurryRefusal();
  form.dispatchEvent(new Event("run"));
}

/** htmx takes up the page a moment after this module has run. @param {() => void} task */
function onceWired(task) {
  if (form.hasAttribute("data-htmx-powered")) task();
  else document.addEventListener("htmx:after:process", task, { once: true });
}

/** A new picture has come. @param {{asked: State, returning: boolean}} answer */
function accept(answer) {
  const before = trace?.program;
  const left = `/?${query(state())}`;
  recover();
  load();
  const isCurrent = editor.text === answer.asked.program;
  if (isCurrent) {
    refused = null;
    dropRefusal();
    at("problem").replaceChildren();
  }
  setStale(!isCurrent && editor.text === refused && !refusalWaits);
  if (answer.returning) address.onWrite();
  else if (before !== undefined && before !== trace?.program) address.push(left);
  else address.write();
  restoreFocus();
  if (isBehind) finishBehind();
}

/** The picture behind is there; now for the text in front of it. */
function finishBehind() {
  isBehind = false;
  if (editor.text !== refused) run();
}

/** The program is wrong: say so, but not in the middle of a line. @param {string} program */
function refuse(program) {
  if (retrying) at("leaves").dispatchEvent(new Event("renew")); // a leaf may have been dragged meanwhile
  recover();
  if (editor.text !== program) return; // an answer to an older text
  refused = program;
  refusalWaits = true;
  clearTimeout(refusing);
  if (refusalIsDue) showRefusal();
  else refusing = window.setTimeout(showRefusal, Math.max(0, typedAt + CALM - performance.now()));
}

/** Say where, and keep the picture of the last right program. */
function showRefusal() {
  dropRefusal();
  const report = /** @type {HTMLElement | null} */ (document.querySelector("#refusal .report"));
  if (report) {
    at("problem").replaceChildren(report);
    editor.refuse(spanOf(report), refusalIsDue);
  }
  setStale(true);
  address.write();
}

function dropRefusal() {
  clearTimeout(refusing);
  refusalWaits = false;
}

/** The typing has come to an end: what is wrong may be said, now or as soon as it is known. */
function hurryRefusal() {
  refusalIsDue = true;
  if (refusalWaits) showRefusal();
}

/** @param {HTMLElement} report @returns {import("./trace.js").Span} */
function spanOf(report) {
  const { line, column, endLine, endColumn } = report.dataset;
  return [Number(line), Number(column), Number(endLine ?? line), Number(endColumn ?? Number(column) + 1)];
}

/** @param {boolean} stale */
function setStale(stale) {
  bench.toggleAttribute("data-stale", stale && trace !== null);
  at("stale-mark").hidden = !(stale && trace !== null);
}

/** The text that the page came with, or that is drawn. */
function settledText() {
  return trace?.program ?? editor.area.defaultValue;
}

/** The address of what is shown; of the text that was refused, if there is room for it.
 * The back button then leads past it, to the last right program. */
function link() {
  const drawn = `/?${query(state())}`;
  if (!trace || refusalWaits || editor.text !== refused) return drawn;
  const wrong = `/?${query({ ...state(), program: refused, leaves: new Map(), frame: null })}`;
  return wrong.length > LONGEST ? drawn : wrong;
}

/** What was typed, and what was made of it, is kept. */
function keepDraft() {
  if (!isTouched) return;
  const words = editor.text.trim().split("\n").pop() || "nothing";
  drafts.keep(`/?${query(state())}`, String(query(typed())), editor.text !== trace?.program, words);
}

/** @param {Map<string, string>} some @param {Map<string, string>} others */
function sameNumbers(some, others) {
  return some.size === others.size && [...some].every(([key, text]) => Number(text) === Number(others.get(key)));
}

/** What this tab held when it showed the same last. */
function restoreDraft() {
  const draft = drafts.returning();
  if (!draft) return location.search ? undefined : drafts.offer(link(), String(query(state())));
  isTouched = true;
  const [text, drawn] = [read(`?${draft.typed}`), read(new URL(draft.link, location.href).search)];
  if (text.program === null) return;
  isBehind = !trace && drawn.program !== null && drawn.program !== text.program;
  const isMoved = trace && !sameNumbers(text.leaves, leaves.changed);
  if (editor.text === text.program && !isMoved && !isBehind) return;
  if (editor.text !== text.program) {
    refused = null;
    at("problem").replaceChildren();
    editor.text = text.program;
  }
  destination = isBehind ? drawn : text;
  onceWired(run);
}

// --- the result ------------------------------------------------------------------------------

/** Take up what the server sent: at the start and after every swap. */
function load() {
  tallest = 0;
  const svg = /** @type {SVGSVGElement | null} */ (document.querySelector("#canvas > svg"));
  const source = document.getElementById("trace");
  choose(null);
  leaves.load();
  at("player").inert = !svg;
  if (!svg || !source) {
    trace = null;
    picture = null;
    at("grouped").hidden = true;
    return;
  }
  trace = new Trace(source.textContent ?? "");
  transcriptIsOld = false;
  at("transcript").toggleAttribute("open", transcriptIsOpen); // without scripts it is open
  const earlier = viewport;
  currentLine = document.querySelector("#transcript-list [aria-current]");
  explanations = templates(at("result"));
  picture = new Picture(svg, trace);
  tooltip.load(picture);
  viewport = new Viewport(at("canvas"), svg, picture.width, picture.height, () => minimap.draw());
  listenToPicture(svg);
  const gist = document.querySelector(".gist");
  if (gist) gist.textContent = trace.program.trim().split("\n").pop() ?? "";
  at("grouped").hidden = trace.groups.length === 0 && !grouped.checked;
  measureTimeline();
  player.load(trace.last, Number(svg.dataset.frame ?? trace.last));
  place(viewport, earlier);
  minimap.load(picture, viewport);
  speak(trace);
}

/** Where a new picture is looked at from. @param {Viewport} now @param {Viewport | null} earlier */
function place(now, earlier) {
  const box = picture?.activeBox();
  if (earlier && !earlier.view.fitted) now.restore(earlier.view);
  else if (now.fitScale >= READABLE || !box) now.fit();
  else now.centre(box.x + box.width / 2, box.y + box.height / 2, false, COMFORTABLE);
  if (box && !now.view.fitted && isFollowing()) now.reveal(box, picture?.coreBox());
}

/** The same program with other numbers. */
function renewNumbers() {
  const next = new Trace(at("trace").textContent ?? "");
  if (!trace || !picture || !trace.sameShape(next)) return;
  trace = next;
  picture.renew(next);
  tooltip.renew();
  explain(at("explanation"), explanations, next, player.at);
  speak(next);
  transcriptIsOld = true;
  clearTimeout(transcriptTimer);
  transcriptTimer = window.setTimeout(renewTranscript, 250);
}

// --- a frame ---------------------------------------------------------------------------------

/** @param {number} k */
function showFrame(k) {
  if (!trace || !picture) return;
  picture.show(k);
  explain(at("explanation"), explanations, trace, k);
  keepRoom();
  const { pass } = trace.frames[k];
  const words = `frame ${k + 1} of ${trace.frames.length}`;
  at("frame-title").textContent = `F${words.slice(1)}`;
  at("where").textContent = words;
  at("pass").textContent = pass;
  at("pass").className = `pass ${pass}`;
  showTimeline(k, pass);
  markSource();
  markTranscript();
  tooltip.renew();
  minimap.draw();
  if (isFollowing()) {
    const box = picture.activeBox();
    if (box && viewport && !viewport.view.fitted) viewport.reveal(box, picture.coreBox());
  }
  announce(`${words}, ${pass}. ${spokenFrame(k)}`);
  address.note();
}

/** What stands below the explanation does not move up and down from frame to frame. */
function keepRoom() {
  cancelAnimationFrame(measuring);
  measuring = requestAnimationFrame(() => {
    const room = document.getElementById("explanation-room");
    if (!room) return;
    tallest = Math.max(tallest, at("explanation").offsetHeight);
    room.style.minHeight = `${tallest}px`;
  });
}

/** @param {number} k */
function spokenFrame(k) {
  if (transcriptIsOld || document.querySelector("#transcript-list .left-out")) return at("explanation").textContent?.replace(/\s+/g, " ").trim() ?? "";
  return at("transcript-list").children[k]?.textContent?.trim() ?? "";
}

/** Politely, and not for every frame of a quick run. @param {string} text */
function announce(text) {
  clearTimeout(announcing);
  announcing = window.setTimeout(() => (at("announcer").textContent = text), 400);
}

function measureTimeline() {
  if (!trace) return;
  scrubber.max = String(trace.last);
  const split = trace.last ? ((trace.firstBackward - 0.5) / trace.last) * 100 : 100;
  at("timeline").style.setProperty("--split", `${split}%`);
}

/** @param {number} k @param {string} pass */
function showTimeline(k, pass) {
  if (!trace) return;
  const timeline = at("timeline");
  scrubber.value = String(k);
  scrubber.setAttribute("aria-valuetext", `frame ${k + 1} of ${trace.frames.length}, ${pass}`);
  timeline.classList.toggle("backward", pass === "backward");
  const first = trace.firstBackward;
  const part = (/** @type {number} */ done, /** @type {number} */ all) => `${Math.min(Math.max(done / Math.max(all, 0.5), 0), 1) * 100}%`;
  timeline.style.setProperty("--done-data", part(k, first - 0.5));
  timeline.style.setProperty("--done-grad", part(k - first + 0.5, trace.last - first + 0.5));
  for (const [id, end] of /** @type {const} */ ([["first", 0], ["back", 0], ["forward", trace.last], ["last", trace.last]])) {
    at(id).setAttribute("aria-disabled", String(k === end));
  }
}

/** @param {boolean} playing */
function showPlaying(playing) {
  const button = at("play");
  button.classList.toggle("playing", playing);
  const word = button.querySelector("[data-word]");
  if (word) word.textContent = playing ? "Pause" : "Play";
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
}

/** Mark in the program what made the chosen Value, or else the active one. */
function markSource() {
  if (!trace || editor.text !== trace.program) return;
  const frame = trace.frames[player.at];
  const node = trace.byId.get(chosen ?? (frame.given ? "" : frame.node));
  editor.show(node?.span ? { span: node.span, look: chosen ? "chosen" : frame.pass } : null);
}

function markTranscript() {
  currentLine?.removeAttribute("aria-current");
  const line = at("transcript-list").children[player.at]?.firstElementChild ?? null;
  currentLine = line;
  line?.setAttribute("aria-current", "step");
  const details = /** @type {HTMLDetailsElement} */ (at("transcript"));
  if (details.open && !matchMedia("(max-width: 900px)").matches) line?.scrollIntoView({ block: "nearest" });
}

/** A step that is small beside `x`. @param {number} x */
function nudge(x) {
  const size = Math.abs(x);
  return size === 0 || size >= 1 ? NUDGE : Number((size * NUDGE).toPrecision(1));
}

/** Whether the nudge check, where there is one, agrees without reserve. @param {string | null} key */
function isSmooth(key) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#check tr[data-key]")]);
  const verdict = rows.find((row) => row.dataset.key === key)?.querySelector(".verdict");
  return !verdict || verdict.getAttribute("title") === "agrees";
}

/** "If a grows by 0.01, L grows by about 0.06." @param {Trace} now */
function speak(now) {
  const line = document.getElementById("sentence");
  const node = now.nodes.find((other) => other.key !== null && other.key === touched) ??
    now.nodes.find((other) => other.key !== null && other.grad !== null);
  if (!line) return;
  line.replaceChildren();
  if (!node || node.grad === null || !isSmooth(node.key)) return;
  const step = nudge(node.data);
  const change = node.grad * step;
  if (!Number.isFinite(change) || !Number.isFinite(now.byId.get(now.output)?.data ?? NaN)) return;
  const strong = (/** @type {string} */ text) => Object.assign(document.createElement("b"), { textContent: text });
  const amount = String(Number(Math.abs(change).toPrecision(3)));
  const [name, output] = [strong(node.label || node.key || ""), strong(now.name(now.output))];
  if (change === 0) line.replaceChildren("If ", name, ` grows by ${step}, `, output, " does not change to first order.");
  else line.replaceChildren("If ", name, ` grows by ${step}, `, output, ` ${change < 0 ? "falls" : "grows"} by about ${amount}.`);
}

// --- the picture under the pointer ------------------------------------------------------------

function isFollowing() {
  return at("follow").getAttribute("aria-pressed") === "true";
}

/** @param {SVGSVGElement} svg */
function listenToPicture(svg) {
  svg.parentElement?.addEventListener("click", (event) => pick(/** @type {Element} */ (event.target)));
  svg.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pick(/** @type {Element} */ (event.target));
  });
}

/** @param {Element} target */
function pick(target) {
  const part = /** @type {SVGGElement | null} */ (target.closest(".close, .group, .value, .op"));
  if (!part) return choose(null);
  if (part.dataset.close) return toggleGroup(part.dataset.close, false);
  if (part.dataset.group) return toggleGroup(part.dataset.group, true);
  const id = part.dataset.node ?? part.dataset.of ?? null;
  choose(id === chosen ? null : id);
}

/** @param {string | null} id */
function choose(id) {
  if (id === null && chosen === null) return;
  chosen = id;
  picture?.choose(id);
  if (!editor.error) markSource();
  const key = trace?.byId.get(id ?? "")?.key;
  if (key && trace) {
    touched = key;
    speak(trace);
  }
}

/** @param {string} group @param {boolean} open */
function toggleGroup(group, open) {
  const now = new Set([...document.querySelectorAll("#picture .cluster")].map((element) => /** @type {SVGGElement} */ (element).dataset.group ?? ""));
  if (open) now.add(group);
  else now.delete(group);
  openGroups.disabled = false;
  openGroups.value = [...now].join(",");
  focusNext = group;
  run();
}

function restoreFocus() {
  if (!focusNext) return;
  const name = CSS.escape(focusNext);
  const part = /** @type {SVGGElement | null} */ (document.querySelector(`#picture [data-close="${name}"], #picture .group[data-group="${name}"]`));
  part?.focus({ preventScroll: true });
  focusNext = null;
}

// --- controls ---------------------------------------------------------------------------------

const moves = { first: () => player.step(-Infinity), back: () => player.step(-1), play: () => player.toggle(), forward: () => player.step(1), last: () => player.step(Infinity) };
for (const [id, move] of Object.entries(moves)) at(id).addEventListener("click", move);
scrubber.addEventListener("input", () => {
  player.pause();
  player.go(Number(scrubber.value));
});
at("speed").addEventListener("change", (event) => player.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value)));
at("zoom-in").addEventListener("click", () => viewport?.zoom(1.25));
at("zoom-out").addEventListener("click", () => viewport?.zoom(0.8));
at("fit").addEventListener("click", () => viewport?.fit(true));
at("follow").addEventListener("click", () => {
  at("follow").setAttribute("aria-pressed", String(!isFollowing()));
  const box = picture?.activeBox();
  if (isFollowing() && box) viewport?.reveal(box, picture?.coreBox());
});
document.querySelector(".tools")?.addEventListener("change", () => {
  if (viewport) viewport.view.fitted = true; // another shape: look at it afresh
  openGroups.disabled = true;
  run();
});
document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const line = /** @type {HTMLButtonElement | null} */ (target.closest("#transcript-list button"));
  if (line) {
    event.preventDefault();
    player.pause();
    player.go([...at("transcript-list").children].indexOf(/** @type {Element} */ (line.parentElement)));
  }
  const more = document.querySelector(".more[open]");
  if (more && !more.contains(target)) more.removeAttribute("open");
});

/** The list of examples hangs from its chip and is as tall as the window allows. */
function placeMore() {
  const list = /** @type {HTMLElement | null} */ (document.querySelector(".more[open] ul"));
  const chip = list?.parentElement?.firstElementChild?.getBoundingClientRect();
  if (!list || !chip) return;
  list.style.maxHeight = `${window.innerHeight - 16}px`;
  const { offsetWidth: width, offsetHeight: height } = list;
  const [isBelow, isAbove] = [chip.bottom + 14 + height <= window.innerHeight, chip.top >= height + 14];
  const left = isBelow || isAbove ? chip.left : chip.right + 6;
  const top = isBelow ? chip.bottom + 6 : isAbove ? chip.top - 6 - height : (window.innerHeight - height) / 2;
  list.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  list.style.top = `${top}px`;
}
for (const name of ["resize", "scroll"]) window.addEventListener(name, placeMore, { capture: true, passive: true });
document.addEventListener("toggle", (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (details.matches(".more")) placeMore();
  if (details.id !== "transcript" || !details.isConnected) return;
  transcriptIsOpen = details.open;
  renewTranscript();
  markTranscript();
}, { capture: true });
document.addEventListener("change", (event) => {
  if (/** @type {Element} */ (event.target).closest("#leaves")) renewTranscript();
});
document.addEventListener("input", (event) => {
  if (/** @type {Element} */ (event.target).closest("#leaves")) isTouched = true;
});
window.addEventListener("pagehide", keepDraft); // another page may have taken its place

/** The transcript's words are the server's; they are asked for when somebody reads them. */
function renewTranscript() {
  const details = /** @type {HTMLDetailsElement} */ (at("transcript"));
  if (!details.open || !transcriptIsOld) return;
  transcriptIsOld = false;
  at("transcript-list").dispatchEvent(new Event("renew"));
}

editor.area.addEventListener("input", (event) => {
  dropRefusal();
  typedAt = performance.now();
  isTouched = true;
  refusalIsDue = /^insertFrom/.test(/** @type {InputEvent} */ (event).inputType ?? ""); // pasted or dropped
  keepDraft();
  if (trace && editor.text === trace.program) {
    setStale(false);
    markSource();
  }
});
editor.area.addEventListener("blur", hurryRefusal);
editor.area.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});

// --- keys ---------------------------------------------------------------------------------------

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: moves.back, ArrowRight: moves.forward, Home: moves.first, End: moves.last, " ": moves.play,
  "+": () => viewport?.zoom(1.25), "=": () => viewport?.zoom(1.25), "-": () => viewport?.zoom(0.8), 0: () => viewport?.fit(true),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Escape") return escape(target);
  const isField = target.matches("input:not([type=radio], [type=checkbox]), textarea, select") && target !== scrubber;
  const isPressed = event.key === " " && target.closest("button, a, summary, label, input, [role=button]");
  const isRadio = target.matches("input[type=radio]") && event.key.startsWith("Arrow");
  if (isField || isPressed || isRadio || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

/** @param {HTMLElement} target */
function escape(target) {
  tooltip.hide();
  document.querySelector(".more[open]")?.removeAttribute("open");
  if (target.matches("input, textarea, select")) {
    target.blur();
    at("player").focus({ preventScroll: true });
  } else choose(null);
}

// --- links --------------------------------------------------------------------------------------

function showLinks() {
  const now = state();
  const params = query({ ...now, frame: player.at });
  /** @type {HTMLAnchorElement} */ (at("svg-link")).href = `/graph.svg?${params}`;
}

// The address is written a moment after a step; whoever takes the picture in between wants this one.
for (const name of ["pointerdown", "click", "contextmenu", "focus"]) at("svg-link").addEventListener(name, showLinks);

at("copy-link").addEventListener("click", async () => {
  address.write();
  const done = await copy(location.origin + address.link);
  const button = /** @type {HTMLElement} */ (at("copy-link").querySelector("[data-said]"));
  button.textContent = done ? "Copied" : "Copy it from the address bar";
  button.classList.add("said");
  announce(done ? "The link is copied." : "The link could not be copied. It stands in the address bar.");
  window.setTimeout(() => {
    button.textContent = "Copy link";
    button.classList.remove("said");
  }, 2000);
});

/** @param {string} text @returns {Promise<boolean>} */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

window.addEventListener("popstate", () => {
  const goal = read(location.search);
  const now = state();
  const there = { ...goal, program: goal.program ?? firstProgram };
  const isHere = `${query({ ...there, frame: null })}` === `${query({ ...now, frame: null })}` && editor.text === now.program;
  if (isHere) {
    player.pause();
    player.go(goal.frame ?? trace?.last ?? 0);
    return;
  }
  editor.text = there.program;
  grouped.checked = goal.grouped;
  openGroups.disabled = goal.open === null;
  openGroups.value = goal.open ?? "";
  for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=direction]"))) {
    radio.checked = radio.value === goal.direction;
  }
  destination = there;
  address.hold();
  run();
});

// --- start --------------------------------------------------------------------------------------

const start = read(location.search);
grouped.checked = start.grouped; // the server ticks it too when it groups a large graph by itself
openGroups.disabled = start.open === null;
if (matchMedia("(max-width: 900px)").matches && !document.querySelector("#problem .report")) {
  at("program-panel").removeAttribute("open");
}
const firstProgram = editor.text;
giveRoom(/** @type {HTMLElement} */ (document.querySelector(".desk")), at("problem"));
load();
showPlaying(false);
showLinks();
const firstReport = /** @type {HTMLElement | null} */ (document.querySelector("#problem .report"));
if (firstReport) {
  refused = editor.text;
  editor.refuse(spanOf(firstReport), true);
}
restoreDraft();
document.documentElement.dataset.ready = "true";
