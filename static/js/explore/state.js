/** The state of the page: of the picture shown, and of the text as typed. */
import { link, query } from "./address.js";
import { sceneOf } from "./scenes.js";
import { LONGEST } from "../common/drafts.js";

/** @typedef {import("./address.js").State} State */
/** @typedef {import("./address.js").Goal} Goal */
/** @typedef {{
 *   editor: import("./editor.js").Editor, refusal: import("./refusal.js").Refusal, stage: import("./stage.js").Stage,
 *   leaves: import("./leaves.js").Leaves, player: import("./timeline.js").Player, view: import("./view-controls.js").ViewControls,
 *   lenses: import("./lenses.js").Lenses,
 * }} Parts */

export class PageState {
  /** @param {Parts} parts that hold the state */
  constructor(parts) {
    this.parts = parts;
  }

  /** @returns {State} */
  get shown() {
    const { editor, stage, leaves, player, view, lenses } = this.parts;
    return {
      program: stage.trace?.program ?? editor.text,
      leaves: leaves.changed,
      scene: stage.trace ? stage.trace.scene : sceneOf(document),
      frame: (stage.trace || stage.arrays.isShown) && player.at < player.last ? player.at : null,
      lenses: lenses.state,
      ...view.state,
    };
  }

  /** Like `shown`, for the text as typed: a leaf keeps its value while its line exists, and a scene its choice. @returns {State} */
  get typed() {
    const { editor, stage, leaves } = this.parts;
    const now = this.shown;
    if (editor.text === now.program) return now;
    const lines = new Set(editor.text.split("\n"));
    const scene = stage.trace?.scenes.find(({ id }) => id === now.scene);
    const isThere = scene && lines.has(stage.trace?.lines[scene.span[0] - 1] ?? "");
    const kept = [...leaves.changed].filter(([key]) => {
      const node = stage.trace?.nodes.find((other) => other.key === key);
      return node?.span && lines.has(stage.trace?.lines[node.span[0] - 1] ?? "");
    });
    return { ...now, program: editor.text, leaves: new Map(kept), scene: isThere ? now.scene : null };
  }

  /** The state to request. For a program known to be invalid, that of the picture shown.
   * @param {boolean} isTyped the program as typed, and not the one that is drawn @returns {State} */
  wanted(isTyped) {
    return isTyped && !this.parts.refusal.isCurrent ? this.typed : this.shown;
  }

  /** The state of an address; without a program, with the text as typed. @param {Goal} goal @returns {State} */
  of(goal) {
    return { ...goal, program: goal.program ?? this.parts.editor.text };
  }

  /** Whether the page shows this state except for the frame, and the text is unchanged. @param {State} state */
  isShown(state) {
    const now = this.shown;
    return String(query({ ...state, frame: null })) === String(query({ ...now, frame: null })) && this.parts.editor.text === now.program;
  }

  /** Whether a program is the one in the editor and exceeds the server's limit. @param {string} program */
  isTooLong(program) {
    const { editor } = this.parts;
    return program === editor.text && editor.excess > 0;
  }

  /** Whether the text differs from the one drawn or, without a picture, loaded with the page. */
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
    const wrong = link({ ...this.shown, program: refusal.text, leaves: new Map(), scene: null, frame: null });
    return wrong.length > LONGEST ? drawn : wrong;
  }
}
