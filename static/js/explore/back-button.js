/** The back and forward buttons of the browser. */
import { read } from "./address.js";

/** @typedef {import("./address.js").State} State */

/** @param {import("./state.js").PageState} state
 * @param {(k: number | null) => void} onFrame another frame of what is shown; null: the last
 * @param {(there: State) => void} onState anything else */
export function listenToBackButton(state, onFrame, onState) {
  const first = state.shown.program; // where the address names none
  window.addEventListener("popstate", () => {
    const goal = read(location.search);
    const there = { ...goal, program: goal.program ?? first };
    if (state.isShown(there)) onFrame(goal.frame);
    else onState(there);
  });
}
