/** The sections beside the picture: fetched when they are opened and when the numbers change, and remembered. */
import { at } from "../common/elements.js";
import { listenToDials } from "./dials.js";

const KEPT = "seegrad.sections";
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = 120; // milliseconds of debounce after leaf changes

/** The text of a section's own parameter: what it looks at. */
export class Look {
  constructor() {
    /** @type {string | null} */ this.text = null;
  }

  /** @param {string | null} text */
  take(text) {
    this.text = text;
  }
}

export class Sections {
  /** @param {() => void} onTurn called when one is opened or closed, or looks at something else */
  constructor(onTurn) {
    this.onTurn = onTurn;
    /** @type {Record<string, Look>} by the name of the section and its parameter */
    this.looks = { check: new Look(), nudge: new Look(), tangent: new Look(), keep: new Look(), second: new Look(), descend: new Look() };
    listenToDials((name, to) => this.#look(name, to));
    document.addEventListener("click", (event) => this.#click(event));
    this.open = new Set(remembered());
    /** @type {number | undefined} */ this.timer = undefined;
    /** The section that waits for its contents since the visitor opened it. @type {string | null} */ this.arriving = null;
    document.addEventListener("htmx:after:swap", (event) => this.#arrive(event));
    document.addEventListener("toggle", (event) => this.#turn(/** @type {HTMLDetailsElement} */ (event.target)), { capture: true });
  }

  /** The names of the open ones, as in the address. */
  get text() {
    return [...this.open].join() || null;
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.open = new Set(text?.split(",") ?? []);
  }

  /** After a new result, in which those that the request named are open and filled. */
  load() {
    for (const section of this.#all) {
      const isOpen = this.open.has(section.dataset.lens ?? "");
      if (isOpen && !section.open) this.#fetch(section);
      section.open = isOpen;
    }
  }

  /** The numbers have changed. */
  renew() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#all.forEach((section) => section.open && this.#fetch(section)), PAUSE);
  }

  /** @param {string} name @param {string} to */
  #look(name, to) {
    this.looks[name]?.take(to);
    this.onTurn();
  }

  /** Look at something else in a section, whose contents follow. @param {string} name @param {string} to @param {Element} part of it */
  turn(name, to, part) {
    this.#look(name, to);
    const section = part.closest("details.lens");
    if (section) this.#fetch(/** @type {HTMLDetailsElement} */ (section));
  }

  /** Open a section and go there. @param {string} name */
  #show(name) {
    const section = this.#all.find((it) => it.dataset.lens === name);
    if (!section) return;
    section.open = true;
    section.scrollIntoView({ block: "nearest", behavior: CALM.matches ? "auto" : "smooth" });
    section.querySelector("summary")?.focus({ preventScroll: true });
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const opens = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("a[data-opens]")) : null;
    if (opens && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.#show(opens.dataset.opens ?? "");
      return;
    }
    const link = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("a[data-look]")) : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.turn(link.dataset.look ?? "", link.dataset.to ?? "", link);
  }

  get #all() {
    return /** @type {HTMLDetailsElement[]} */ ([...at("lenses").querySelectorAll("details.lens")]);
  }

  /** @param {HTMLDetailsElement} section */
  #fetch(section) {
    const body = section.querySelector("[data-section]");
    if (body?.hasAttribute("data-htmx-powered")) body.dispatchEvent(new Event("renew"));
    else document.addEventListener("htmx:after:process", () => body?.dispatchEvent(new Event("renew")), { once: true });
  }

  /** @param {HTMLDetailsElement} section */
  #turn(section) {
    const name = section.dataset?.lens;
    if (!name || !section.isConnected || section.open === this.open.has(name)) return;
    if (section.open) this.open.add(name);
    else this.open.delete(name);
    remember([...this.open]);
    if (section.open) {
      this.#fetch(section);
      this.arriving = name;
    }
    this.onTurn();
  }

  /** The contents of a section that the visitor opened have arrived: as much of it as there is room for is in sight. @param {Event} event */
  #arrive(event) {
    const body = /** @type {HTMLElement} */ (/** @type {CustomEvent} */ (event).detail.ctx.sourceElement);
    if (!this.arriving || body.dataset?.section !== this.arriving) return;
    this.arriving = null;
    body.closest("details")?.scrollIntoView({ block: "nearest", behavior: CALM.matches ? "auto" : "smooth" });
  }
}

/** @returns {string[]} */
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return []; // no storage, or not ours
  }
}

/** @param {string[]} names */
function remember(names) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(names));
  } catch {
    // Without storage, only the address keeps them.
  }
}
