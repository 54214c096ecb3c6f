/** The tooltip of a Value: full name, op and numbers at full precision. */
import { listenToEscape } from "../common/keyboard.js";
import { full } from "../common/numbers.js";

/** @typedef {import("./picture.js").Picture} Picture */

const DELAY = 90;

export class Tooltip {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {Picture | null} */ this.picture = null;
    /** @type {string | null} */ this.id = null;
    /** @type {number | undefined} */ this.timer = undefined;
    listenToEscape(() => this.hide());
  }

  /** Attach to the cards of a picture. @param {Picture} picture */
  load(picture) {
    this.hide();
    this.picture = picture;
    const { svg } = picture;
    svg.addEventListener("pointerover", (event) => this.#point(event.target));
    svg.addEventListener("pointerleave", () => this.hide());
    // Not on the svg: Chromium makes an svg that listens to focus a Tab stop.
    const canvas = svg.parentElement ?? svg;
    canvas.addEventListener("focusin", (event) => this.#point(event.target));
    canvas.addEventListener("focusout", () => this.hide());
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const card = target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest(".value")) : null;
    const id = card?.dataset.node ?? null;
    if (id === this.id) return;
    this.hide();
    if (!id || !card) return;
    this.id = id;
    this.picture?.elements(id).forEach((element) => element.classList.add("pointed"));
    this.timer = window.setTimeout(() => this.#show(id, card), DELAY);
  }

  /** @param {string} id @param {SVGGElement} card */
  #show(id, card) {
    this.card = card;
    this.#fill(id);
    this.box.hidden = false;
    const around = card.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.box;
    const left = Math.min(Math.max(around.left + around.width / 2 - offsetWidth / 2, 12), innerWidth - offsetWidth - 12);
    const below = around.bottom + 8;
    const top = below + offsetHeight < innerHeight - 12 ? below : around.top - offsetHeight - 8;
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** The frame or a number has changed. */
  renew() {
    if (this.id && !this.box.hidden) this.#fill(this.id);
  }

  /** @param {string} id */
  #fill(id) {
    const picture = this.picture;
    const node = picture?.trace.byId.get(id);
    if (!picture || !node) return;
    const { trace, at } = picture;
    const { data, grad } = trace.shown(id, at);
    const title = document.createElement("div");
    const name = document.createElement("b");
    name.textContent = trace.name(id);
    title.append(name, node.kind === "value" ? "" : ` ${node.kind}`);
    const list = document.createElement("dl");
    const row = (/** @type {string} */ term, /** @type {string} */ text, look = "") => {
      const dt = document.createElement("dt");
      const dd = document.createElement("dd");
      [dt.textContent, dd.textContent, dd.className] = [term, text, look];
      list.append(dt, dd);
    };
    if (node.op) row("op", `${node.op}  of  ${node.args.map((arg) => trace.name(arg)).join(", ")}`);
    row("data", data === null ? "not yet computed" : full(data), "data");
    if (node.grad !== null) row("grad", grad === null ? "not yet" : full(grad), "grad");
    this.box.replaceChildren(title, list);
  }

  hide() {
    clearTimeout(this.timer);
    if (this.id) this.picture?.elements(this.id).forEach((element) => element.classList.remove("pointed"));
    this.id = null;
    this.box.hidden = true;
  }
}
