/**
 * The place of the reader in the text. Scrolling stays the browser's own: the step that crosses a line in the text's room
 * is the one that is read.
 */

/** @typedef {import("./steps.js").Step} Step */

const LINE = 0.34; // of the text's room, from its top: where the eye rests
const AFTER = 700; // milliseconds after which a scroll asked for is over, where the browser does not say so
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class Reading {
  /** @param {Step[]} steps @param {(step: Step) => void} onStep called for the one that crosses the line */
  constructor(steps, onStep) {
    this.steps = steps;
    this.onStep = onStep;
    /** @type {IntersectionObserver | null} */ this.observer = null;
    /** Whether the page scrolls to a step that was asked for, past others. */ this.isGoing = false;
    /** @type {number | undefined} */ this.timer = undefined;
    document.addEventListener("scrollend", () => this.#stop());
    for (const name of ["wheel", "touchmove", "keydown"]) window.addEventListener(name, () => this.#stop(), { passive: true });
    new ResizeObserver(() => this.#observe()).observe(document.documentElement);
    window.addEventListener("resize", () => this.#observe());
  }

  /** Top and bottom of the text's room in the window: below the picture where that is above the text. */
  get #room() {
    const picture = document.getElementById("live")?.getBoundingClientRect();
    const bar = document.getElementById("lesson-player")?.getBoundingClientRect();
    const isAbove = picture !== undefined && picture.width > innerWidth * 0.8 && picture.height > 0;
    return { top: isAbove ? Math.max(picture.bottom, 0) : 52, bottom: bar?.height ? bar.top : innerHeight };
  }

  /** The line, in pixels from the top of the window. */
  get line() {
    const { top, bottom } = this.#room;
    return Math.round(top + (bottom - top) * LINE);
  }

  #observe() {
    const { line } = this;
    const margin = `${-line}px 0px ${line + 1 - innerHeight}px 0px`;
    if (this.observer?.rootMargin === margin) return;
    this.observer?.disconnect();
    this.observer = new IntersectionObserver(() => this.#cross(), { rootMargin: margin });
    for (const { element } of this.steps) this.observer.observe(element);
  }

  /** A step has come to the line, or left it; below the last one that is the last one. */
  #cross() {
    if (this.isGoing) return;
    const { line } = this;
    const step = this.steps.findLast(({ element }) => element.offsetHeight > 0 && element.getBoundingClientRect().top <= line);
    if (step && (scrollY > 0 || step === this.steps[0])) this.onStep(step);
  }

  /** Scroll to a step: as far as its text is in sight from the line on. @param {Step} step @param {boolean} [isAtOnce] */
  go({ element, number }, isAtOnce = false) {
    const { top, bottom } = this.#room;
    const { top: at, height } = element.getBoundingClientRect();
    const fits = Math.max(bottom - top - height - 24, 12);
    const to = number === 1 ? 0 : at + scrollY - top - Math.min((this.line - top) * 0.7, fits);
    if (Math.abs(to - scrollY) < 2) return;
    this.isGoing = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#stop(), AFTER);
    scrollTo({ top: to, behavior: isAtOnce || CALM.matches ? "instant" : "smooth" });
  }

  #stop() {
    clearTimeout(this.timer);
    this.isGoing = false;
  }
}
