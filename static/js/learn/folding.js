/** Commit, then see: what follows a question stays folded until it is answered, given up, or asked for a second time. */
import { announce } from "../common/elements.js";
import { kept } from "./progress.js";

/** @typedef {import("./steps.js").Step} Step */

export class Folding {
  /** @param {Step[]} steps @param {string} slug of the lesson @param {Step} current up to which the reader has come by the address */
  constructor(steps, slug, current) {
    this.steps = steps;
    this.isRead = kept().read[slug] ?? false;
    this.open = this.isRead ? steps.length : steps.indexOf(current) + 1; // steps that are not folded at least
    /** @type {Step | null} whose question the reader was asked to answer first */ this.asked = null;
    document.addEventListener("htmx:after:swap", () => this.#show());
    this.note = Object.assign(document.createElement("p"), { className: "fold-note" });
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Show it all the same" });
    button.addEventListener("click", () => this.unfold(this.#first + 1));
    this.note.append("What follows is folded until you have answered the question. ", button);
    this.#show();
  }

  /** How many steps are shown. */
  get #first() {
    const place = this.steps.findIndex(({ element }) => unanswered(element) !== undefined);
    return Math.max(this.open, place < 0 ? this.steps.length : place + 1);
  }

  #show() {
    const first = this.#first;
    for (const [place, { element }] of this.steps.entries()) element.classList.toggle("folded", place >= first);
    if (first >= this.steps.length) this.note.remove();
    else this.steps[first - 1].element.append(this.note);
  }

  /** Show at least so many steps. @param {number} count */
  unfold(count) {
    this.open = Math.max(this.open, count);
    this.#show();
  }

  /** Whether going on from a step waits for an answer: once, then it is the reader's choice. @param {Step} step */
  holds(step) {
    const question = unanswered(step.element);
    const after = this.steps[this.steps.indexOf(step) + 1];
    const isOpen = after ? !after.element.classList.contains("folded") : this.isRead;
    if (!question || isOpen || this.asked === step) return false;
    this.asked = step;
    question.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (question.querySelector("input:not([type=hidden]), textarea"))?.focus({ preventScroll: true });
    announce("Answer first, or go on once more to see it all the same.", "fold");
    return true;
  }
}

/** The first question of a step that is neither answered nor given up. @param {Element} step */
const unanswered = (step) => [...step.querySelectorAll("form.question")].find((form) => !form.querySelector(".reply .right, .reply .shown"));
