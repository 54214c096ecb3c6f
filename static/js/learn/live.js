/** The live picture beside the text: one docked page of each kind, of which one is shown. */
import { differences } from "./differences.js";
import { DockedPage } from "./docked-page.js";
import { read } from "../explore/address.js";

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {import("./differences.js").Words} Words */
/** @typedef {{onDeparture: (words: Words[]) => void, onKey: (event: KeyboardEvent) => void, onPoint: (id: string | null) => void,
 *   onForward: () => boolean, onMade: (address: string) => void}} Listeners
 *   onDeparture: the picture differs from the lesson's in this; [] if it does not; onForward: a step forward is to be held;
 *   onMade: the reader has made the picture of an address */

export class Live {
  /** @param {HTMLElement} box @param {Listeners} listeners */
  constructor(box, listeners) {
    this.box = box;
    this.asked = 0; // comparisons, of which the last counts
    this.listeners = listeners;
    /** @type {Map<string, DockedPage>} */ this.pages = new Map();
    /** @type {DockedPage | null} the one that is shown */ this.page = null;
    /** Whether the picture is the reader's. */ this.isTaken = false;
  }

  /** The state of a step as a still picture, until the live one is there. @param {Step} step */
  placehold({ element }) {
    const picture = element.querySelector("figure.state img");
    if (!picture || this.page?.isReady) return;
    const still = Object.assign(document.createElement("img"), { className: "still", alt: "", src: picture.getAttribute("src") });
    this.box.append(still);
  }

  /** Show the state of a step. @param {Step} step */
  drive(step) {
    if (!this.box.clientWidth) return; // the pictures stand in the text
    const page = this.#pageOf(step.page);
    this.page = page;
    page.drive(step, this.box);
    this.asked += 1;
    for (const other of this.pages.values()) other.frame.classList.toggle("current", other === page);
    this.#depart([]);
    page.mark(new Map());
  }

  /** Show what the reader has made of a step again. @param {string} kind @param {string} address */
  restore(kind, address) {
    if (this.page?.kind === kind) this.page.restore(address);
  }

  /** Load the page of a step ahead, if it is of another kind. @param {Step | undefined} step */
  prepare(step) {
    if (step && this.box.clientWidth && !this.pages.has(step.page)) this.#pageOf(step.page).drive(step, this.box);
  }

  /** Step through the frames of the picture. @param {"back" | "forward"} way */
  step(way) {
    this.page?.step(way);
  }

  /** @param {string | null} id of a Value to light up */
  light(id) {
    this.page?.light(id);
  }

  /** The address that the reader has made of the step's, drawn as suits that page. */
  get address() {
    return (this.page?.address ?? "/").replace(/&direction=(LR|TB)/, "");
  }

  /** @param {string} kind */
  #pageOf(kind) {
    const known = this.pages.get(kind);
    if (known) return known;
    const page = new DockedPage(kind, {
      onReady: () => this.#arrive(page),
      onTurn: () => page === this.page && this.#compare(page),
      onKey: this.listeners.onKey,
      onPoint: this.listeners.onPoint,
      onForward: this.listeners.onForward,
    });
    this.pages.set(kind, page);
    return page;
  }

  /** @param {DockedPage} page */
  #arrive(page) {
    page.frame.classList.add("shown");
    if (page === this.page) this.box.querySelector(".still")?.remove();
  }

  /** @param {DockedPage} page */
  async #compare(page) {
    const asked = ++this.asked;
    if (!page.isTouched) return this.#depart([]);
    const lesson = page.settled ?? page.goal;
    const here = new URL(page.address, location.origin);
    for (const [key, text] of page.dragged) here.searchParams.set(key, text);
    this.listeners.onMade(here.pathname + here.search);
    const words = await differences(lesson, here.pathname + here.search, page, page.settled !== null);
    const marks = page.kind === "explore" ? await moved(lesson, here.search, page) : null;
    if (asked !== this.asked) return;
    if (marks) page.mark(marks);
    this.#depart(words);
  }

  /** @param {Words[]} words */
  #depart(words) {
    const isTaken = words.length > 0;
    if (!isTaken && !this.isTaken) return;
    this.isTaken = isTaken;
    this.listeners.onDeparture(words);
  }
}

/** The numbers of the lesson of the leaves that have another one here.
 * @param {string} lesson @param {string} here @param {DockedPage} page @returns {Promise<Map<string, string>>} */
async function moved(lesson, here, { leaves }) {
  const [there, shown] = (await Promise.all([lesson.slice(lesson.indexOf("?")), here].map(read))).map((goal) => goal.leaves);
  const pairs = [...leaves].map(([key, { initial }]) => /** @type {[string, string, string]} */ ([key, there.get(key) ?? initial, shown.get(key) ?? initial]));
  return new Map(pairs.filter(([, a, b]) => Number(a) !== Number(b)).map(([key, a]) => [key, a]));
}
