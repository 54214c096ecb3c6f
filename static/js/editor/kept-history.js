/** The undo history of a tab, kept over a reload together with the text that it belongs to. */
import { EditorState, historyField } from "./codemirror.js";

const KEY = "seegrad.undo.explore";
const MOST = 300_000; // letters of the entry; the storage of a tab has about five million
const FIELDS = { history: historyField };

/** @param {any} state */
export function keep(state) {
  const plain = state.toJSON(FIELDS);
  const { done, undone } = plain.history;
  let text = JSON.stringify(plain);
  while (text.length > MOST && done.length > 1) {
    undone.length = 0;
    done.splice(0, Math.ceil(done.length / 2)); // the oldest
    text = JSON.stringify(plain);
  }
  try {
    if (text.length > MOST) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // Without storage, a reload ends the history.
  }
}

/** A state with the history that was kept; null if there is none for this text.
 * @param {string} text @param {any} extensions @returns {any} */
export function kept(text, extensions) {
  try {
    const plain = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return plain?.doc === text ? EditorState.fromJSON(plain, { extensions }, FIELDS) : null;
  } catch {
    return null;
  }
}
