/** Scripts that sections beside the picture bring along: each is imported when its section is open for the first time. */
import { at } from "../common/elements.js";

/** @typedef {import("./tools.js").Bench} Bench */
/** @typedef {import("./trace.js").Trace} Trace */
/**
 * @typedef {{fill: (root: HTMLElement) => void, clear: () => void, renew?: () => void, show?: (k: number) => void}} Part
 *   fill: the section has (other) contents, or there is another picture; clear: the section was closed; renew: the numbers
 *   have changed, and contents are on their way; show: the frame has changed
 */

export class SectionScripts {
  /** @param {Bench} bench @param {import("./sections.js").Sections} sections */
  constructor(bench, sections) {
    this.bench = bench;
    this.sections = sections;
    /** @type {Map<string, Promise<Part | null>>} by address; null where the server is away */ this.parts = new Map();
    /** @type {Set<Part>} of open sections */ this.open = new Set();
    document.addEventListener("htmx:after:swap", () => this.#fill());
    document.addEventListener("toggle", () => this.#fill(), { capture: true });
    this.#fill();
  }

  /** After a new result or picture. */
  load() {
    this.#fill();
  }

  /** The numbers have changed. */
  renew() {
    for (const part of this.open) part.renew?.();
  }

  /** @param {Trace} _trace @param {number} k */
  show(_trace, k) {
    for (const part of this.open) part.show?.(k);
  }

  #fill() {
    for (const root of /** @type {NodeListOf<HTMLElement>} */ (at("lenses").querySelectorAll("[data-part]"))) {
      const script = root.dataset.part ?? "";
      if (root.closest("details")?.open || this.parts.has(script)) this.#turn(root, script);
    }
  }

  /** @param {HTMLElement} root @param {string} script */
  async #turn(root, script) {
    const wanted = this.parts.get(script) ?? this.#load(script);
    this.parts.set(script, wanted);
    const part = await wanted;
    if (!part) return void this.parts.delete(script);
    if (!root.isConnected) return;
    const isOpen = root.closest("details")?.open ?? false;
    if (isOpen) this.open.add(part);
    else this.open.delete(part);
    if (isOpen) part.fill(root);
    else part.clear();
  }

  /** @param {string} script @returns {Promise<Part | null>} */
  async #load(script) {
    const found = await import(script).catch(() => null);
    return found && new found.Part(this.bench, this.sections);
  }
}
