/** What the page shows, and would show of the text as it is typed, in the words of the address. */
import { link } from "./address.js";
import { LONGEST } from "../common/drafts.js";

/** @typedef {import("./address.js").State} State */
/** @typedef {import("./address.js").Goal} Goal */
/** @typedef {{
 *   editor: import("./editor.js").Editor, refusal: import("./refusal.js").Refusal, stage: import("./stage.js").Stage,
 *   leaves: import("./leaves.js").Leaves, player: import("./player.js").Player, view: import("./view-controls.js").ViewControls,
 * }} Parts */

export class PageState {
  /** @param {Parts} parts that are asked */
  constructor(parts) {
    this.parts = parts;
  }

  /** @returns {State} */
  get shown() {
    const { editor, stage, leaves, player, view } = this.parts;
    return {
      program: stage.trace?.program ?? editor.text,
      leaves: leaves.changed,
      frame: stage.trace && player.at < stage.trace.last ? player.at : null,
      ...view.state,
    };
  }

  /** As `shown`, of the text as it is typed: a leaf keeps its number while its line stands. @returns {State} */
  get typed() {
    const { editor, stage, leaves } = this.parts;
    const now = this.shown;
    if (editor.text === now.program) return now;
    const lines = new Set(editor.text.split("\n"));
    const kept = [...leaves.changed].filter(([key]) => {
      const node = stage.trace?.nodes.find((other) => other.key === key);
      return node?.span && lines.has(stage.trace?.lines[node.span[0] - 1] ?? "");
    });
    return { ...now, program: editor.text, leaves: new Map(kept) };
  }

  /** What to ask the server for. A program known to be wrong is not asked for again: the picture on show still obeys.
   * @param {boolean} isTyped the program as typed, and not the one that is drawn @returns {State} */
  wanted(isTyped) {
    return isTyped && !this.parts.refusal.isCurrent ? this.typed : this.shown;
  }

  /** What an address says; where it leaves the program open, the text as typed. @param {Goal} goal @returns {State} */
  of(goal) {
    return { ...goal, program: goal.program ?? this.parts.editor.text };
  }

  /** Whether the page shows another frame of this, and nothing else was typed. @param {State} state */
  isShown(state) {
    const now = this.shown;
    return link({ ...state, frame: null }) === link({ ...now, frame: null }) && this.parts.editor.text === now.program;
  }

  /** Whether a program is the one in the editor and longer than the server reads. @param {string} program */
  isTooLong(program) {
    const { editor } = this.parts;
    return program === editor.text && editor.excess > 0;
  }

  /** Whether the text differs from the one that is drawn or, with no picture, that the page came with. */
  get isEdited() {
    const { editor, stage } = this.parts;
    return editor.text !== (stage.trace?.program ?? editor.area.defaultValue);
  }

  /** The address of what is shown; of the text that was refused, if there is room for it.
   * The back button then leads past it, to the last right program. */
  get link() {
    const { refusal, stage } = this.parts;
    const drawn = link(this.shown);
    if (!stage.trace || refusal.text === null || !refusal.isShown) return drawn;
    const wrong = link({ ...this.shown, program: refusal.text, leaves: new Map(), frame: null });
    return wrong.length > LONGEST ? drawn : wrong;
  }
}
