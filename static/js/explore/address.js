/** The address of the page: its state as a query, the links that carry it, and the back button. */

/**
 * @typedef {{program: string, leaves: Map<string, string>, frame: number | null,
 *   direction: string, grouped: boolean, open: string | null}} State  frame null: the last one
 */
/** @typedef {Omit<State, "program"> & {program: string | null}} Goal  program null: the server's choice */

const OWN = new Set(["program", "frame", "direction", "grouped", "open"]);

/** @param {State} state @returns {URLSearchParams} */
export function query(state) {
  const params = new URLSearchParams({ program: state.program });
  for (const [key, value] of state.leaves) params.set(key, value);
  if (state.frame !== null) params.set("frame", String(state.frame));
  if (state.direction === "TB") params.set("direction", "TB");
  if (state.grouped) params.set("grouped", "1");
  if (state.open !== null) params.set("open", state.open);
  return params;
}

/** The page's own address. @param {State} state */
export const link = (state) => `/?${query(state)}`;

/** Parse an address; program is null if it leaves the choice to the server.
 * @param {string} search @returns {Goal} */
export function read(search) {
  const params = new URLSearchParams(search);
  const frame = Number.parseInt(params.get("frame") ?? "", 10);
  return {
    program: params.get("program"),
    leaves: new Map([...params].filter(([key]) => !OWN.has(key))),
    frame: Number.isNaN(frame) ? null : frame,
    direction: params.get("direction") === "TB" ? "TB" : "LR",
    grouped: params.get("grouped") === "1",
    open: params.get("open"),
  };
}

/** Keep a link's address up to date, also between a step and the debounced update of the page's address.
 * @param {HTMLElement} anchor @param {() => string} href @returns {() => void} updates it now */
export function keepHref(anchor, href) {
  const write = () => anchor.setAttribute("href", href());
  for (const name of ["pointerdown", "click", "contextmenu", "focus"]) anchor.addEventListener(name, write);
  return write;
}

/** Listen to the back and forward buttons of the browser. @param {import("./state.js").PageState} state
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
