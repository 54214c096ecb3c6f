/** The draft of the page: program and view, saved as they change and restored. */
import { Drafts } from "../common/drafts.js";
import { link, place, query, read } from "./address.js";

/** @typedef {import("./address.js").Goal} Goal */

export class Draft {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./stage.js").Stage} stage
   * @param {import("./state.js").PageState} state
   */
  constructor(editor, stage, state) {
    this.drafts = new Drafts("explore", place);
    this.editor = editor;
    this.stage = stage;
    this.state = state;
    this.isTouched = false; // whether the visitor changed anything
    this.isBehind = false; // whether the requested picture belongs to an older text than the editor's
    window.addEventListener("pagehide", () => this.keep()); // another tab may have overwritten it
  }

  touch() {
    this.isTouched = true;
  }

  keep() {
    if (!this.isTouched) return;
    const { text } = this.editor;
    const words = text.trim().split("\n").pop() || "nothing";
    this.drafts.keep(link(this.state.shown), String(query(this.state.typed)), text !== this.stage.trace?.program, words);
  }

  /** Restore the draft of this tab, or offer those of earlier visits.
   * @param {(text: string) => void} onText called with its text, if different
   * @param {(goal: Goal) => void} onGoal called with the state to show, if different
   * @returns {Promise<boolean>} whether it was called */
  async restore(onText, onGoal) {
    const draft = this.drafts.returning();
    if (!draft) {
      if (!location.search) this.drafts.offer(this.state.link, String(query(this.state.shown)));
      return false;
    }
    const [typed, drawn] = await Promise.all([`?${draft.typed}`, new URL(draft.link, location.href).search].map(read));
    this.touch(); // not before: a reload meanwhile would keep the text that the draft is to replace
    const { program } = typed;
    if (program === null) return false;
    const { trace } = this.stage;
    const isOther = this.editor.text !== program;
    this.isBehind = !trace && drawn.program !== null && drawn.program !== program;
    const isMoved = trace && !sameNumbers(typed.leaves, this.state.shown.leaves);
    if (isOther) onText(program);
    const isWanted = isOther || Boolean(isMoved) || this.isBehind;
    if (isWanted) onGoal(this.isBehind ? drawn : typed);
    return isWanted;
  }

  /** Whether the picture received is older than the text, which then has to be requested. */
  arrive() {
    const was = this.isBehind;
    this.isBehind = false;
    return was;
  }
}

/** @param {Map<string, string>} some @param {Map<string, string>} others */
function sameNumbers(some, others) {
  return some.size === others.size && [...some].every(([key, text]) => Number(text) === Number(others.get(key)));
}
