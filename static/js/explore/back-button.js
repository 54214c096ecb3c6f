/** The back and forward buttons of the browser. */
import { read } from "./address.js";

/** @typedef {import("./address.js").State} State */

/** @param {import("./state.js").PageState} state
 * @param {(k: number | null) => void} onFrame called for another frame of the same program; null: the last
 * @param {(there: State) => void} onState called for any other change */
export function listenToBackButton(state, onFrame, onState) {
  const first = state.shown.program; // for an address without a program
  window.addEventListener("popstate", () => {
    const goal = read(location.search);
    const there = { ...goal, program: goal.program ?? first };
    if (state.isShown(there)) onFrame(goal.frame);
    else onState(there);
  });
}
