/** The tools that look at the drawn graph: each part hears of new results, new numbers and frames. */
import { Closer } from "./closer.js";
import { EdgesSwitch } from "./edges-switch.js";
import { Expansions } from "./expansions.js";
import { ExportMenu } from "./export-menu.js";
import { FindValue } from "./find-value.js";
import { GrainSwitch } from "./grain-switch.js";
import { Lenses } from "./lenses.js";
import { Mistakes } from "./mistakes.js";
import { Pointing } from "./pointing.js";
import { Present } from "./present.js";
import { Sections } from "./sections.js";
import { Share } from "./share.js";
import { Stops } from "./stops.js";
import { Unrolled } from "./unrolled.js";
import { ValueCard } from "./value-card.js";
import { WayBack } from "./way-back.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{load?: (trace: Trace | null) => void, renew?: (trace: Trace) => void, choose?: (trace: Trace, id: string | null) => void, show?: (trace: Trace, k: number) => void}} Tool */
/** @typedef {{
 *   stage: import("./stage.js").Stage, player: import("./timeline.js").Player, timeline: import("./timeline.js").Timeline, editor: import("./editor.js").Editor,
 *   leaves: import("./leaves.js").Leaves, onTurn: () => void, onShape: () => void, say: (words: string) => void,
 *   query: () => string, link: () => string, onPoint: (id: string | null) => void,
 * }} Bench  the page's parts; onTurn: the address has changed, onShape: the server is to draw another picture; query: of
 *   the page at its frame, link: its whole address, written at once; onPoint: the reader points at a Value */

const PANEL = ".panel";
const CELL = /^a\d+\.|[[\]]/; // of an array, by its place or as the program writes it

/** What is chosen: a cell of an array, or a Value. @param {import("./arrays.js").Arrays} arrays @param {ValueCard} card */
const chosen = (arrays, card) => ({
  get text() {
    return arrays.cell ?? card.text;
  },
  /** @param {string | null} text */
  take(text) {
    arrays.cell = text && CELL.test(text) ? text : null;
    card.take(arrays.cell ? null : text);
  },
});

export class Tools {
  /** @param {Bench} page */
  constructor(page) {
    const bench = { ...page, onShape: () => this.#reshape(page.onShape) };
    /** How far the panel was scrolled when a tool asked for another picture. @type {number | null} */ this.scrolled = null;
    /** Whether the scripts of sections are loaded, or on their way. */ this.hasScripts = false;
    bench.stage.arrays.onTurn = bench.onTurn;
    const sections = new Sections(bench.onTurn);
    const mistakes = new Mistakes(bench);
    const expansions = new Expansions(bench);
    const unrolled = new Unrolled(bench);
    const edges = new EdgesSwitch(bench.stage, bench.onShape);
    const card = new ValueCard(bench);
    const present = new Present(bench);
    this.pointing = new Pointing(bench);
    this.menus = [new ExportMenu(bench.query), new Share(bench)];
    const [by, stops] = [new GrainSwitch(bench), new Stops(bench)];
    this.lenses = new Lenses({ tab: unrolled, lens: sections, ...sections.looks, mistake: mistakes, expand: expansions, edges, value: chosen(bench.stage.arrays, card), by, stops, present, run: new WayBack() });
    /** @type {Tool[]} */ this.parts = [unrolled, this.pointing, sections, mistakes, expansions, edges, card, stops, present, new FindValue(bench), new Closer()];
    this.bringScripts = () => this.#bring(bench, sections);
    document.addEventListener("htmx:after:swap", this.bringScripts);
  }

  /** After a new result. @param {Trace | null} trace */
  load(trace) {
    for (const part of this.parts) part.load?.(trace);
    this.bringScripts();
    const panel = document.querySelector(PANEL);
    if (panel && this.scrolled !== null) panel.scrollTop = this.scrolled;
    this.scrolled = null;
  }

  /** Load what sections with a script of their own need, once the first of them is open. @param {Bench} bench @param {Sections} sections */
  async #bring(bench, sections) {
    if (this.hasScripts || !document.querySelector("#lenses [open] [data-part]")) return;
    this.hasScripts = true;
    const found = await import("./section-scripts.js").catch(() => null);
    this.hasScripts = found !== null; // the server may be away
    if (found) this.parts.push(new found.SectionScripts(bench, sections));
  }

  /** The panel stays where the visitor works in it. @param {() => void} ask */
  #reshape(ask) {
    this.scrolled = document.querySelector(PANEL)?.scrollTop ?? null;
    ask();
  }

  /** After new numbers of the same graph. @param {Trace} trace */
  renew(trace) {
    for (const part of this.parts) part.renew?.(trace);
  }

  /** The address has changed: links to other forms of the page follow it. */
  write() {
    for (const menu of this.menus) menu.write();
  }

  /** A Value was chosen, or none. @param {Trace} trace @param {string | null} id */
  choose(trace, id) {
    for (const part of this.parts) part.choose?.(trace, id);
  }

  /** @param {Trace} trace @param {number} k */
  show(trace, k) {
    for (const part of this.parts) part.show?.(trace, k);
  }
}
