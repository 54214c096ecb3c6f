/** The state of the page in its address: parsing and serialisation. */

/**
 * @typedef {{program: string, leaves: Map<string, string>, frame: number | null,
 *   direction: string, grouped: boolean, open: string | null}} State  frame null: the last one
 */

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

/** @typedef {Omit<State, "program"> & {program: string | null}} Goal  program null: the server's choice */

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
