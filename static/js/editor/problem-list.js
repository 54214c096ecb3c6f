/** The list of errors, mistakes and notes, which comes with its first use. */
import { EditorView } from "./codemirror.js";

/** @typedef {import("./diagnostics.js").Diagnostic} Diagnostic */
/** @typedef {{all: (state: any) => Diagnostic[], field: any, close: any, signs: Record<string, string>, names: Record<string, string>}} Listed
 *   all: the diagnostics of a state, held in its field; close: the effect that closes the list */

/** A list box: the arrow keys choose, Enter goes there, Escape closes it. @param {any} view @param {Listed} listed */
export function listPanel(view, { all, field, close, signs, names }) {
  const list = document.createElement("ul");
  Object.assign(list, { className: "problems", tabIndex: 0 });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Errors, mistakes and notes");
  let chosen = 0;
  const fill = () => {
    list.replaceChildren(...all(view.state).map((one, at) => item(view.state.doc, one, at, signs, names)));
    choose(Math.min(chosen, list.children.length - 1));
  };
  const choose = (/** @type {number} */ at) => {
    chosen = Math.max(at, 0);
    [...list.children].forEach((each, place) => each.setAttribute("aria-selected", String(place === chosen)));
    if (list.children.length) list.setAttribute("aria-activedescendant", list.children[chosen].id);
    list.children[chosen]?.scrollIntoView?.({ block: "nearest" });
    const one = all(view.state)[chosen];
    if (one) view.dispatch({ effects: EditorView.scrollIntoView(one.from, { y: "center" }) });
  };
  const leave = (/** @type {boolean} */ goes) => {
    const one = all(view.state)[chosen];
    view.dispatch({ effects: close, ...(goes && one ? { selection: { anchor: one.from }, scrollIntoView: true } : {}) });
    view.focus();
  };
  const keys = /** @type {Record<string, () => void>} */ ({
    ArrowDown: () => choose(Math.min(chosen + 1, list.children.length - 1)), ArrowUp: () => choose(chosen - 1),
    Home: () => choose(0), End: () => choose(list.children.length - 1), Enter: () => leave(true), Escape: () => leave(false),
  });
  list.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  list.addEventListener("click", (event) => {
    const at = [...list.children].findIndex((each) => each.contains(/** @type {Node} */ (event.target)));
    if (at < 0) return;
    chosen = at;
    leave(true);
  });
  queueMicrotask(fill);
  return {
    dom: list,
    top: true,
    update: (/** @type {any} */ { startState, state }) => startState.field(field) !== state.field(field) && queueMicrotask(fill),
  };
}

/** @param {any} doc @param {Diagnostic} one @param {number} at @param {Record<string, string>} signs
 * @param {Record<string, string>} names */
function item(doc, { from, severity, message }, at, signs, names) {
  const row = document.createElement("li");
  const line = doc.lineAt(from);
  Object.assign(row, { className: severity, id: `listed-${at}` });
  row.setAttribute("role", "option");
  const sign = Object.assign(document.createElement("b"), { textContent: signs[severity] });
  sign.setAttribute("aria-label", names[severity]);
  row.append(sign, Object.assign(document.createElement("span"), { className: "place", textContent: `line ${line.number}` }), message);
  return row;
}
