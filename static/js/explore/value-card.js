/**
 * The card of the chosen Value, in place of the explanation of a frame. The server writes it; here it is opened and
 * closed, its rows follow the frames, and its paths are lit on the picture.
 */
import { at, write } from "../common/elements.js";
import { named } from "./card-buttons.js";
import { CardLeaf } from "./card-leaf.js";
import { lightPath } from "./lit-path.js";

/** @typedef {import("./trace.js").Trace} Trace */

const PAUSE = 60; // milliseconds of debounce after leaf changes

export class ValueCard {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, editor, onTurn }) {
    this.stage = stage;
    this.player = player;
    this.editor = editor;
    this.onTurn = onTurn;
    this.leaf = new CardLeaf();
    /** @type {string | null} */ this.id = null;
    /** What the Value was called, so that an edit of the program leaves the card at it. */ this.name = "";
    /** Whether the visitor opens the card, which then takes the focus. */ this.isAsked = true;
    this.takesFocus = false;
    /** @type {HTMLElement | null} the path that stays lit */ this.pressed = null;
    /** @type {string | null} the uses of the path that is lit */ this.lit = null;
    /** @type {number | undefined} */ this.timer = undefined;
    document.addEventListener("click", (event) => this.#click(event));
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (event) => this.#point(event.target));
    document.addEventListener("htmx:after:swap", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.ctx.sourceElement === this.#card) this.#arrive();
    });
  }

  /** The id of the Value whose card is open, as in the address. */
  get text() {
    return this.id;
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.id = text;
    this.name = "";
  }

  get #card() {
    return at("value-card");
  }

  /** After a new result: the card stays at its Value, wherever that is now. @param {Trace | null} trace */
  load(trace) {
    const id = trace && this.id && this.#now(trace, this.id);
    this.id = this.lit = null;
    if (!id) {
      this.name = "";
      this.#card.hidden = true;
      return;
    }
    this.isAsked = false;
    this.stage.choose(id);
    this.isAsked = true;
  }

  /** The id of the Value in another trace; null without one of its name. @param {Trace} trace @param {string} id */
  #now(trace, id) {
    if (trace.byId.has(id) && (!this.name || trace.name(id) === this.name)) return id;
    const same = trace.nodes.filter(({ name }) => name === this.name);
    return same.length === 1 ? same[0].id : null;
  }

  /** @param {Trace} trace @param {string | null} id */
  choose(trace, id) {
    if (id === this.id) return;
    if (id === null) this.#close();
    else this.#open(trace, id);
    this.onTurn();
  }

  /** @param {Trace} trace @param {string} id */
  #open(trace, id) {
    this.id = id;
    this.name = trace.name(id);
    this.takesFocus = this.isAsked;
    this.pressed = this.lit = null;
    lightPath(this.stage.picture, id, null);
    if (this.#card.dataset.value === id) this.#arrive();
    else this.#fetch();
  }

  #close() {
    const hadFocus = this.#card.contains(document.activeElement);
    const [element] = this.id ? this.stage.picture?.elements(this.id) ?? [] : [];
    this.id = this.pressed = this.lit = null;
    this.name = "";
    lightPath(this.stage.picture, "", null);
    this.#card.hidden = true;
    this.#card.dataset.value = "";
    if (hadFocus && element) named(element).focus({ preventScroll: true });
  }

  #fetch() {
    const card = this.#card;
    if (card.hasAttribute("data-htmx-powered")) card.dispatchEvent(new Event("renew"));
    else document.addEventListener("htmx:after:process", () => card.dispatchEvent(new Event("renew")), { once: true });
  }

  /** The card's contents are there. */
  #arrive() {
    const title = document.getElementById("value-title");
    const card = this.#card;
    if (!this.id || title?.dataset.value !== this.id) return;
    card.dataset.value = this.id;
    card.hidden = false;
    this.leaf.load(at("card-leaf"));
    if (this.stage.trace) this.show(this.stage.trace, this.player.at);
    if (this.takesFocus) title.focus({ preventScroll: true });
    this.takesFocus = false;
  }

  /** The numbers of the same graph have changed. */
  renew() {
    if (!this.id) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#fetch(), PAUSE);
  }

  /** Mark what happens in frame `k`. @param {Trace} trace @param {number} k */
  show(trace, k) {
    const card = this.#card;
    if (!this.id || card.hidden) return;
    const { frames, slot } = this.player.step;
    const { dataText, gradText } = trace.shown(this.id, k, slot);
    for (const figure of card.querySelectorAll("[data-now]")) {
      write(figure, /** @type {HTMLElement} */ (figure).dataset.now === "data" ? dataText : gradText);
    }
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("tr[data-frame], .term[data-frame], .card-frames [data-frame]"))) {
      const frame = Number(part.dataset.frame);
      part.classList.toggle("later", frame > k);
      part.classList.toggle("now", frames.includes(frame));
      if (frames.includes(frame)) part.setAttribute("aria-current", "step");
      else part.removeAttribute("aria-current");
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.id || !target.closest("#value-card") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = /** @type {HTMLElement | null} */ (target.closest("a, .path"));
    if (!link) return;
    event.preventDefault();
    const { frame, value, line, uses } = link.dataset;
    if (frame !== undefined) this.player.jump(Number(frame));
    else if (value !== undefined) this.stage.choose(value);
    else if (line !== undefined) this.#mark();
    else if (uses !== undefined) this.#press(link);
    else this.stage.choose(null);
  }

  /** Show the line of the program that made the Value. */
  #mark() {
    document.getElementById("program-panel")?.setAttribute("open", "");
    if (this.stage.mark && this.editor.text === this.stage.trace?.program) this.editor.show(this.stage.mark);
    document.getElementById("editor")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {HTMLElement} path */
  #press(path) {
    this.pressed?.setAttribute("aria-pressed", "false");
    this.pressed = this.pressed === path ? null : path;
    this.pressed?.setAttribute("aria-pressed", "true");
    this.#light(this.pressed);
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    if (!this.id) return;
    const path = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".path")) : null;
    this.#light(path ?? (this.pressed?.isConnected ? this.pressed : null));
  }

  /** @param {HTMLElement | null} path */
  #light(path) {
    const uses = path?.dataset.uses ?? null;
    if (uses === this.lit) return;
    this.lit = uses;
    lightPath(this.stage.picture, this.id ?? "", uses);
  }
}
