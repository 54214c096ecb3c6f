/** What was typed here, and what was made of it: kept as it changes, and found again. */
import { Drafts } from "../common/drafts.js";
import { link, query, read } from "./address.js";

/** @typedef {import("./address.js").Goal} Goal */

export class Draft {
  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./stage.js").Stage} stage
   * @param {import("./state.js").PageState} state
   */
  constructor(editor, stage, state) {
    this.drafts = new Drafts("explore", (search) => read(search).program ?? "");
    this.editor = editor;
    this.stage = stage;
    this.state = state;
    this.isTouched = false; // by the visitor, and not only looked at
    this.isBehind = false; // the picture that was asked for stays behind a text that is newer, or wrong
    window.addEventListener("pagehide", () => this.keep()); // another page may have taken its place
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

  /** What this tab held when it showed the same last; where there is nothing, earlier drafts are offered.
   * @param {(text: string) => void} onText the text that was typed then, if it is another
   * @param {(goal: Goal) => void} onGoal what is to be shown, if it is something else */
  restore(onText, onGoal) {
    const draft = this.drafts.returning();
    if (!draft) {
      if (!location.search) this.drafts.offer(this.state.link, String(query(this.state.shown)));
      return;
    }
    this.touch();
    const [typed, drawn] = [read(`?${draft.typed}`), read(new URL(draft.link, location.href).search)];
    const { program } = typed;
    if (program === null) return;
    const { trace } = this.stage;
    const isOther = this.editor.text !== program;
    this.isBehind = !trace && drawn.program !== null && drawn.program !== program;
    const isMoved = trace && !sameNumbers(typed.leaves, this.state.shown.leaves);
    if (isOther) onText(program);
    if (isOther || isMoved || this.isBehind) onGoal(this.isBehind ? drawn : typed);
  }

  /** Whether the picture that has come is one that stays behind the text, which is then the next to be asked for. */
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
