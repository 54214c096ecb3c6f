/** What a page shows otherwise than the lesson does, in words. */
import { read } from "../explore/address.js";

/** @typedef {(string | {number: string} | {name: string})[]} Words  texts, numbers and names in order */
/** @typedef {{leaves: Map<string, {label: string, initial: string}>, lastFrame: number}} Picture */

const EXPLORE = "/explore";
const MOST = 2; // leaves that are named
/** @type {Record<string, string>} what each parameter of Explore's address is about */
const ABOUT = {
  value: "another card is open", lens: "other sections are open", mistake: "other mistakes are made",
  expand: "other operations are opened", by: "the steps are other ones", edges: "the edges show something else",
  open: "other boxes are open", grouped: "the boxes are other ones", scene: "another graph is drawn",
};

/** The sentences on what differs; [] if nothing does. A packed program is unpacked first.
 * @param {string} lesson the address that the lesson asks for @param {string} here the address that the page shows
 * @param {Picture} picture that is shown @param {boolean} [isExact] whether both addresses were written by the page
 * @returns {Promise<Words[]>} */
export async function differences(lesson, here, picture, isExact = true) {
  const [path, there] = lesson.split("?");
  const [herePath, query = ""] = here.split("?");
  if (path.replace(EXPLORE, "/") !== herePath.replace(EXPLORE, "/")) return [["Here another page is open."]];
  if (path === "/train") return ofRuns(there ?? "", query, isExact);
  if (path === "/" || path === EXPLORE) return ofGraphs(there ?? "", query, picture);
  return lesson === here ? [] : [["Here the page shows something else."]];
}

/** @param {string} lesson @param {string} here queries @param {Picture} picture @returns {Promise<Words[]>} */
async function ofGraphs(lesson, here, { leaves, lastFrame }) {
  const [there, shown] = await Promise.all([`?${lesson}`, `?${here}`].map(read));
  if (there.program !== null && plain(there.program) !== plain(shown.program ?? "")) return [["Here the program is another one."]];
  /** @type {Words[]} */ const found = [];
  const keys = [...new Set([...there.leaves.keys(), ...shown.leaves.keys()])];
  const number = (/** @type {Map<string, string>} */ texts, /** @type {string} */ key) => texts.get(key) ?? leaves.get(key)?.initial ?? "";
  const moved = keys.filter((key) => Number(number(there.leaves, key)) !== Number(number(shown.leaves, key)));
  if (moved.length > MOST) found.push([`Here ${moved.length} leaves have other numbers.`]);
  else if (moved.length) found.push(ofLeaves(moved.map((key) => ({ name: leaves.get(key)?.label ?? key, here: number(shown.leaves, key), there: number(there.leaves, key) }))));
  const frames = [shown.frame ?? lastFrame, there.frame ?? lastFrame];
  if (frames[0] !== frames[1]) found.push(["Here it is frame ", { number: String(frames[0] + 1) }, "; in the lesson it is ", { number: String(frames[1] + 1) }, "."]);
  const texts = { ...Object.fromEntries(there.lenses), open: there.open, grouped: there.grouped, scene: there.scene };
  const other = { ...Object.fromEntries(shown.lenses), open: shown.open, grouped: shown.grouped, scene: shown.scene };
  for (const [name, words] of Object.entries(ABOUT)) {
    const [a, b] = [/** @type {any} */ (texts)[name] ?? null, /** @type {any} */ (other)[name] ?? null];
    const isDefault = a === null && name === "scene";
    if (a !== b && !isDefault) found.push([`Here ${words}.`]);
  }
  return found;
}

/** @param {{name: string, here: string, there: string}[]} moved @returns {Words} */
function ofLeaves(moved) {
  const [one, two] = moved;
  if (!two) return ["Here ", { name: one.name }, " is ", { number: brief(one.here) }, "; in the lesson it is ", { number: brief(one.there) }, "."];
  return ["Here ", { name: one.name }, " is ", { number: brief(one.here) }, " and ", { name: two.name }, " is ", { number: brief(two.here) }, "; in the lesson they are ", { number: brief(one.there) }, " and ", { number: brief(two.there) }, "."];
}

/** @param {string} lesson @param {string} here queries @param {boolean} isExact @returns {Words[]} */
function ofRuns(lesson, here, isExact) {
  const [there, shown] = [new URLSearchParams(lesson), new URLSearchParams(here)];
  /** @type {Words[]} */ const found = [];
  const names = [...new Set(isExact ? [...there.keys(), ...shown.keys()] : there.keys())].filter((name) => name !== "step");
  const changed = names.filter((name) => there.getAll(name).join() !== shown.getAll(name).join());
  const known = changed.filter((name) => shown.has(name) && there.has(name));
  if (changed.length === 1 && known.length) found.push(["Here the ", name(known[0]), " is ", { number: shown.get(known[0]) ?? "" }, "; in the lesson it is ", { number: there.get(known[0]) ?? "" }, "."]);
  else if (changed.length) found.push(["Here the settings are other ones."]);
  const steps = [shown, there].map((params) => params.get("step") ?? "0");
  if (steps[0] !== steps[1]) found.push(["Here it is step ", { number: steps[0] }, "; in the lesson it is ", { number: steps[1] }, "."]);
  return found;
}

/** @param {string} parameter */
const name = (parameter) => parameter.replaceAll("_", " ");

/** @param {string} program */
const plain = (program) => program.replaceAll("\r", "").trimEnd();

/** A number without digits that say nothing. @param {string} text */
const brief = (text) => (text === "" || !Number.isFinite(Number(text)) ? text : String(Number(Number(text).toPrecision(6))).replace("-", "−"));
