/**
 * The Explore page: creates its parts and connects them.
 *
 *   editor → requests → stage → player → the views of a frame: picture, explanation, timeline, transcript
 *
 * Programs and leaf changes are sent to the server; stepping through frames is local. Parts report by callbacks.
 */
import { addressQuery, link, listenToBackButton, read } from "./address.js";
import { announce, at, isNarrow } from "../common/elements.js";
import { listenToEscape, listenToKeys } from "../common/keyboard.js";
import { copyOnClick, Link } from "../common/link.js";
import { PagePort } from "../common/page-port.js";
import { Draft } from "./draft.js";
import { Editor } from "./editor.js";
import { listenToExamples } from "./examples.js";
import { Explanation } from "./explanation.js";
import { Files } from "./files.js";
import { afterFirstPicture } from "./first-picture.js";
import { Leaves, Sentence } from "./leaves.js";
import { LineTrace } from "./line-trace.js";
import { Minimap } from "./minimap.js";
import { whenPacked } from "./packed-text.js";
import { Tooltip } from "./picture.js";
import { offerKeptCode } from "./keep-code.js";
import { Problem } from "./problem.js";
import { Refusal } from "./refusal.js";
import { Requests } from "./requests.js";
import { Result } from "./result.js";
import { Scenes } from "./scenes.js";
import { Stage } from "./stage.js";
import { PageState } from "./state.js";
import { Player, Timeline } from "./timeline.js";
import { Tools } from "./tools.js";
import { Transcript } from "./transcript.js";
import { Verdict } from "./verdict.js";
import { ViewControls } from "./view-controls.js";
const port = new PagePort({
  turn: () => turn(),
  step: (way) => player.move(way === "back" ? -1 : 1),
  light: (id) => tools.pointing.light(id),
  fit: (least) => stage.fit(least),
  seek: (line) => editor.seek(line),
});
// --- the parts ---------------------------------------------------------------------------------
const form = /** @type {HTMLFormElement} */ (at("program-form"));
const editor = new Editor(at("editor"), { onLeftOut: (size) => refusal.leaveOut(size), onRun: () => requests.send(), onLine: (line, by) => lines.go(line, by) });
const problem = new Problem(/** @type {HTMLElement} */ (document.querySelector(".desk")), at("problem"));
const refusal = new Refusal(editor, problem, () => {
  stage.setStale(true);
  verdict.refuse(problem.report);
  address.write();
});
const view = new ViewControls(form, () => {
  stage.forgetView();
  requests.send();
});
const stage = new Stage(new Minimap(/** @type {HTMLCanvasElement} */ (at("minimap"))), new Tooltip(at("tooltip")), {
  onChoose: chooseValue,
  onGroups: (open) => {
    view.openGroups(open);
    requests.redraw();
  },
});
const player = new Player(showFrame, (playing) => timeline.showPlaying(playing));
const timeline = new Timeline(player);
const lines = new LineTrace(editor, player, (words) => announceLatest(words));
const explanation = new Explanation();
const sentence = new Sentence();
const transcript = new Transcript((k) => player.jump(k));
const verdict = new Verdict(editor, (k) => player.jump(k));
const leaves = new Leaves({
  onChange: () => address.note(),
  onTouch: (key) => {
    sentence.touch(key);
    draft.touch();
  },
  onRelease: () => transcript.renew(),
});
const scenes = new Scenes((scene) => requests.go({ ...state.shown, scene, frame: null }));
const tools = new Tools({ stage, player, timeline, editor, leaves, onTurn: () => address.note(), onShape: () => requests.send(), say: (words) => announceLatest(words), query: () => String(addressQuery({ ...state.shown, frame: player.at })), link: () => address.written(), onPoint: (id) => port.tell("point", id) });
const result = new Result({ transcript, leaves, stage, lines, tools, view, player, timeline, explanation, editor, sentence, verdict, problem });
const state = new PageState({ editor, refusal, stage, leaves, player, view, lenses: tools.lenses });
const draft = new Draft(editor, stage, state);
const address = new Link(() => state.link, () => {
  tools.write();
  draft.keep();
});
address.onTurn = (link) => port.tell("turn", link);
whenPacked(() => address.write());
const requests = new Requests(form, state, refusal, problem, address, {
  onPicture: takePicture,
  onDrawing: takeDrawing,
  onNumbers: takeNumbers,
  onTranscript: () => transcript.mark(),
  onFailure: () => stage.setStale(state.isEdited),
});

/** Announce to screen readers; debounced: only the last of several quick messages. @param {string} text */
const announceLatest = (text) => announce(text, "explore");

// --- responses of the server --------------------------------------------------------------------

/** @param {import("./requests.js").Order} order */
function takePicture({ requested, isReturn, from }) {
  const before = stage.trace?.program;
  const left = link(state.shown);
  result.load(false, from !== null && (from !== player.at || player.playing));
  if (editor.text === requested.program) refusal.settle();
  stage.setStale(refusal.isShown);
  if (isReturn) address.onWrite();
  else if (before !== undefined && before !== stage.trace?.program) address.push(left);
  else address.write();
  for (const part of [stage, scenes]) part.restoreFocus();
  if (draft.arrive() && !refusal.isCurrent) requests.send();
  port.tell("picture", null);
}

/** @param {string} program that was drawn; another one may have arrived meanwhile */
function takeDrawing(program) {
  if (program !== stage.trace?.program || !document.getElementById("picture")) return requests.send();
  result.redraw();
  address.write();
  stage.restoreFocus();
}

function takeNumbers() {
  if (!result.renew()) leaves.whenIdle(() => requests.send());
}

// --- frames and Values ---------------------------------------------------------------------------

/** @param {number} k */
function showFrame(k) {
  const { trace } = stage;
  if (stage.arrays.isShown) result.showArrays();
  if (!trace) return;
  const [step, place] = [player.step, trace.place(player.step)];
  stage.show(step);
  explanation.show(trace, step, place);
  timeline.show(trace, step, place);
  lines.show();
  tools.show(trace, k);
  sentence.show(trace, step);
  transcript.mark(k);
  markSource();
  announceLatest(`${place}, ${trace.frames[k].pass}. ${(trace.isWhole(step) && transcript.words(k)) || explanation.words}`);
  address.note();
}

/** @param {string | null} id */
function chooseValue(id) {
  if (!editor.error) requestAnimationFrame(markSource); // the editor forces a layout, and the card is requested before it
  if (!stage.trace) return;
  sentence.choose(stage.trace, id);
  tools.choose(stage.trace, id);
}

/** Mark the source of the selected or the active Value, unless the text has changed since. */
function markSource() {
  if (editor.text === stage.trace?.program) editor.show(stage.mark);
}
// --- user actions ---------------------------------------------------------------------------------
editor.area.addEventListener("input", () => {
  draft.touch();
  draft.keep();
  lines.renew();
  if (editor.text === stage.trace?.program) stage.setStale(false);
  markSource();
});

listenToExamples();
offerKeptCode(editor, announceLatest);
new Files(editor, (message) => problem.showText(message), announceLatest);
copyOnClick(at("copy-link"), () => address.written(), announceLatest);
listenToKeys({ ...timeline.keys, ...stage.keys }, timeline.scrubber);
listenToEscape((target) => {
  if (!editor.leave(target)) return stage.choose(null);
  at("player").focus({ preventScroll: true });
});
const turn = listenToBackButton(state, address, (k) => player.jump(k ?? player.last), (there) => {
  editor.text = there.program;
  view.take(there);
  tools.lenses.take(there.lenses);
  requests.go(there);
});

// --- start ---------------------------------------------------------------------------------------
const goal = await read(location.search);
view.begin(goal);
if (goal.lenses.size) tools.lenses.take(goal.lenses);
if (isNarrow() && !problem.report) at("program-panel").removeAttribute("open");
matchMedia("(max-width: 900px), (max-height: 480px)").addEventListener("change", ({ matches }) => at("program-panel").toggleAttribute("open", !matches || editor.hasFocus || document.documentElement.classList.contains("docked")));
result.load(goal.frame !== null);
timeline.showPlaying(false);
refusal.begin();
const isRequested = await draft.restore((text) => refusal.replace(text), (there) => requests.go(there));
if (!isRequested && goal.direction === null) requests.redrawIfCramped();
document.documentElement.dataset.ready = "true";
afterFirstPicture(isRequested, () => editor.load(goal.scene !== null || goal.frame !== null));
