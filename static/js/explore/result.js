/** The parts of the page that show a result: loaded with a new one, a new picture of it, or new numbers. */
import { announce, at } from "../common/elements.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{
 *   transcript: import("./transcript.js").Transcript, leaves: import("./leaves.js").Leaves, stage: import("./stage.js").Stage,
 *   lines: import("./line-trace.js").LineTrace, tools: import("./tools.js").Tools, view: import("./view-controls.js").ViewControls,
 *   player: import("./timeline.js").Player, timeline: import("./timeline.js").Timeline, editor: import("./editor.js").Editor,
 *   explanation: import("./explanation.js").Explanation, sentence: import("./leaves.js").Sentence,
 *   verdict: import("./verdict.js").Verdict, problem: import("./problem.js").Problem,
 * }} Parts */

export class Result {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
  }

  /** Load the result in the document, at the start and after every new one. The stage measures the page and so comes
   * after all changes of the layout. @param {boolean} [isAsked] whether a frame was asked for @param {boolean} [isMoved]
   * whether the visitor has stepped since the result was asked for */
  load(isAsked = false, isMoved = false) {
    const { transcript, leaves, stage, lines, explanation, editor, verdict, problem } = this.parts;
    transcript.load();
    leaves.load();
    const before = stage.trace?.program;
    const trace = stage.load();
    stage.arrays.load(editor.text);
    lines.load(trace);
    if (trace) explanation.load();
    this.#begin(trace, isMoved, before === trace?.program);
    if (!trace) return verdict.refuse(problem.report ?? document.querySelector(".mistakes"));
    editor.sumUp(trace.program);
    verdict.load(trace, isAsked);
  }

  /** Load another picture of the same trace, whose boxes were opened or closed. The frame stays, and with it all that
   * follows frames but is no part of the picture: what touches the page's layout here, delays the picture. */
  redraw() {
    const { tools, view, timeline, player, stage, explanation } = this.parts;
    const trace = stage.redraw();
    tools.load(trace);
    view.offerGroups(trace);
    if (!trace) return;
    player.renew(trace.steps);
    const [step, place] = [player.step, trace.place(player.step)];
    stage.show(step);
    explanation.show(trace, step, place);
    timeline.load(trace);
    timeline.show(trace, step, place);
    tools.show(trace, player.at);
    stage.place();
    const card = at("value-card"); // a closed formula is one step of its paths
    if (!card.hidden) card.dispatchEvent(new Event("renew"));
  }

  /** Load new numbers of the same graph. @returns {boolean} false if they are of another one */
  renew() {
    const { stage, lines, explanation, verdict, sentence, transcript, tools, player } = this.parts;
    const trace = stage.renew();
    if (!trace) return false;
    lines.load(trace);
    explanation.renew(trace, player.step);
    verdict.renew(trace);
    sentence.show(trace);
    transcript.outdate();
    tools.renew(trace);
    return true;
  }

  /** Show the player's frame on the picture of whole arrays, its line in the program, and in the timeline. */
  showArrays() {
    const { timeline, player, editor, stage: { arrays } } = this.parts;
    arrays.show(player.at);
    const place = `frame ${player.at + 1} of ${arrays.states.length}`;
    timeline.show(arrays.film, player.step, place);
    if (editor.text === arrays.program) editor.show(arrays.mark);
    announce(place, "explore");
    arrays.onTurn();
  }

  /** Begin with a picture at the frame that the server drew, or stay where the visitor has stepped to since.
   * @param {Trace | null} trace @param {boolean} isMoved @param {boolean} isSame whether the picture before was of the same program */
  #begin(trace, isMoved, isSame) {
    const { tools, view, timeline, player, stage } = this.parts;
    tools.load(trace);
    view.offerGroups(trace);
    at("player").inert = !trace && !stage.arrays.isShown;
    if (stage.arrays.isShown) {
      timeline.load(stage.arrays.film);
      player.load(stage.arrays.film.steps, isMoved ? player.at : stage.arrays.at);
    }
    if (!trace) return;
    timeline.load(trace);
    const goesOn = isMoved && isSame && player.playing;
    const [frame, slot] = isMoved ? [player.at, player.slot] : [stage.drawnAt, stage.drawnSlot];
    player.load(trace.steps, frame, slot, goesOn);
    stage.place();
  }
}
