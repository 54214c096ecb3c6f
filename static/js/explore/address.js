/** The address of the page: its state as a query, the links that carry it, and the back button. */
import { packed, unpack } from "./packed-text.js";

/**
 * @typedef {{program: string, leaves: Map<string, string>, scene: number | null, frame: number | null,
 *   direction: string | null, grouped: boolean | null, open: string | null, lenses: Map<string, string>}} State  scene, frame null: the
 *   last one; direction, grouped null: the server's choice; lenses: the texts of parameters in LENSES
 */
/** @typedef {Omit<State, "program"> & {program: string | null}} Goal  program null: the server's choice */

const OWN = new Set(["program", "packed", "scene", "frame", "direction", "grouped", "open"]);

/** The ways to look at the graph that an address names, as in `app/program_address.py`; a number is a leaf's. */
export const LENSES = ["tab", "lens", "mistake", "expand", "check", "nudge", "tangent", "keep", "second", "descend", "value", "by", "stops", "edges", "present", "run", "frames"];

/** Whether `at` may be a leaf of a program, so that its frame is named by `frame`, counted from 0, and not by `at`, counted
 * from 1 as on the page. The same as in `app/program_address.py`. @param {string} program */
const namesLeaf = (program) => /\bat\b/.test(program);

/** Letters of an encoded program up to which it is written as it is. */
const PLAIN = 6000;

/** The parameters of a form, with the program as it is. @param {State} state @returns {URLSearchParams} */
export const query = (state) => completed(new URLSearchParams({ program: state.program }), state);

/** The parameters of an address, with a long program packed, once it is. @param {State} state @returns {URLSearchParams} */
export function addressQuery(state) {
  const plain = new URLSearchParams({ program: state.program });
  const length = String(plain).length - "program=".length;
  if (length <= PLAIN) return completed(plain, state);
  const short = packed(state.program);
  return completed(short !== null && short.length < length ? new URLSearchParams({ packed: short }) : plain, state);
}

/** @param {URLSearchParams} params @param {State} state */
function completed(params, state) {
  for (const [key, value] of state.leaves) params.set(key, value);
  if (state.scene !== null) params.set("scene", String(state.scene));
  if (state.frame !== null && namesLeaf(state.program)) params.set("frame", String(state.frame));
  else if (state.frame !== null) params.set("at", String(state.frame + 1));
  if (state.direction !== null) params.set("direction", state.direction);
  if (state.grouped !== null) params.set("grouped", state.grouped ? "1" : "0");
  if (state.open !== null) params.set("open", state.open);
  for (const name of LENSES) if (state.lenses.get(name)) params.set(name, state.lenses.get(name) ?? "");
  return params;
}

/** The page's own address. @param {State} state */
export const link = (state) => `/?${addressQuery(state)}`;

/** The program that an address names, plain or packed: the same for all its frames and views. @param {string} search */
export function place(search) {
  const params = new URLSearchParams(search);
  return params.get("program") ?? params.get("packed") ?? "";
}

/** Parse an address; program is null if it leaves the choice to the server.
 * @param {string} search @returns {Promise<Goal>} */
export async function read(search) {
  const params = new URLSearchParams(search);
  const whole = (/** @type {string} */ name) => {
    const found = Number.parseInt(params.get(name) ?? "", 10);
    return Number.isNaN(found) ? null : found;
  };
  const short = params.has("program") ? null : params.get("packed");
  const isLens = (/** @type {string} */ key, /** @type {string} */ text) => LENSES.includes(key) && Number.isNaN(Number(text));
  const program = short === null ? params.get("program") : await unpack(short);
  const isFrame = (/** @type {string} */ key) => key === "at" && !namesLeaf(program ?? "");
  const from = isFrame("at") ? whole("at") : null;
  const isLeaf = (/** @type {string} */ key) => !isFrame(key) && !OWN.has(key) || (key === "packed" && short === null);
  return {
    program,
    leaves: new Map([...params].filter(([key, text]) => isLeaf(key) && !isLens(key, text))),
    lenses: new Map([...params].filter(([key, text]) => isLens(key, text))),
    scene: whole("scene"),
    frame: from === null ? whole("frame") : Math.max(from - 1, 0),
    direction: ["LR", "TB"].find((name) => name === params.get("direction")) ?? null,
    grouped: { 0: false, 1: true }[params.get("grouped") ?? ""] ?? null,
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

/** Listen to the back and forward buttons of the browser, and return what turns the page to its address. The address is held
 * while it is read. @param {import("./state.js").PageState} state @param {import("../common/link.js").Link} address
 * @param {(k: number | null) => void} onFrame called for another frame of the same program; null: the last
 * @param {(there: State) => void} onState called for any other change */
export function listenToBackButton(state, address, onFrame, onState) {
  const first = state.shown.program; // for an address without a program
  const turn = async () => {
    const { search } = location;
    address.hold();
    const goal = await read(search);
    if (search !== location.search) return; // it has turned again
    const frame = goal.program === null ? goal.frame ?? 0 : goal.frame;
    const there = { ...goal, frame, program: goal.program ?? first };
    if (!state.isShown(there)) return onState(there);
    address.held = false;
    onFrame(frame);
  };
  window.addEventListener("popstate", turn);
  return turn;
}
