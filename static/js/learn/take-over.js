/** The bar over a picture that the reader has taken over: what differs, and the ways on. */

import { announce } from "../common/elements.js";

/** @typedef {import("./differences.js").Words} Words */

const MOST = 2; // sentences
const KEPT = 12_000; // milliseconds for which the reader's own picture is offered
/** @type {Record<string, string>} by the path of the page */
const NAMES = { "/": "Open in Explore", "/explore": "Open in Explore", "/train": "Open in Train" };

export class TakeOver {
  /** @param {HTMLElement} box of the picture @param {{onBack: () => void, address: () => string}} listeners
   *   address: of the page as the reader has left it */
  constructor(box, { onBack, address }) {
    this.address = address;
    /** @type {number | undefined} */ this.timer = undefined;
    this.bar = made("div", "take-over");
    this.bar.hidden = true;
    this.bar.setAttribute("role", "group");
    this.bar.setAttribute("aria-label", "The picture is yours");
    this.words = made("p");
    const said = made("div", "said");
    said.append(made("b", "", "The picture is yours."), this.words);
    this.open = /** @type {HTMLAnchorElement} */ (made("a", "button", "Open in Explore"));
    this.back = made("button", "button primary");
    this.step = made("span");
    this.back.append(this.step, made("kbd", "", "Esc"));
    this.back.setAttribute("type", "button");
    this.back.addEventListener("click", onBack);
    this.kept = made("div", "take-over kept");
    this.kept.hidden = true;
    /** @type {(() => void) | null} */ this.undo = null;
    const undo = made("button", "button", "Bring mine back");
    undo.setAttribute("type", "button");
    undo.addEventListener("click", () => {
      const { undo: act } = this;
      this.offer(null);
      act?.();
    });
    const words = made("div", "said");
    words.append(made("p", "", "The picture shows the lesson’s again."));
    this.kept.append(words, undo);
    for (const name of ["pointerdown", "click", "focus", "contextmenu"]) this.open.addEventListener(name, () => (this.open.href = address()));
    this.bar.append(hand(), said, this.open, this.back);
    box.prepend(this.bar, this.kept);
  }

  /** Offer the way back to the reader's own picture, which the lesson has replaced. @param {(() => void) | null} undo */
  offer(undo) {
    this.undo = undo;
    this.kept.hidden = undo === null;
    clearTimeout(this.timer);
    if (undo) this.timer = window.setTimeout(() => this.offer(null), KEPT);
  }

  /** @param {Words[]} sentences on what differs; [] hides the bar */
  show(sentences) {
    const hadFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = sentences.length === 0;
    if (!this.bar.hidden) this.offer(null);
    if (this.bar.hidden) {
      if (hadFocus) document.getElementById("step-next")?.focus({ preventScroll: true });
      return;
    }
    this.open.href = this.address();
    const { pathname } = new URL(this.address(), location.origin);
    this.open.textContent = NAMES[pathname] ?? "Open the page";
    const words = sentences.slice(0, MOST).flatMap((sentence) => [...sentence.map(written), " "]);
    this.words.replaceChildren(...words, "The next step brings the lesson’s back.");
    announce(`The picture is yours. ${this.words.textContent} Escape brings it back to the lesson.`, "picture");
  }

  /** @param {number} step that the picture goes back to */
  turn(step) {
    this.step.textContent = `Back to step ${step}`;
  }
}

/** @param {Words[number]} word */
function written(word) {
  if (typeof word === "string") return word;
  return "name" in word ? made("code", "", word.name) : made("b", "number", word.number);
}

/** @param {string} tag @param {string} [className] @param {string} [text] */
function made(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = text;
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
const HAND = "M6.2 8V3.2a1 1 0 0 1 2 0V7m0-1.2a1 1 0 0 1 2 0V7.4m0-.8a1 1 0 0 1 2 0v3.6c0 2-1.4 3.6-3.6 3.6-1.7 0-2.7-.8-3.4-2L3.6 9.4c-.5-.9.7-1.8 1.5-1z";

function hand() {
  const [disc, svg, path] = [made("span", "hand"), document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "path")];
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", HAND);
  svg.append(path);
  disc.append(svg);
  return disc;
}
