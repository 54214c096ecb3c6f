/** The picture in a frame of fixed size: as large as there is room for, else scrolled along with the frame that is shown. */

/** @typedef {import("./picture.js").Picture} Picture */

const READABLE = 0.5; // scale below which the picture is scrolled rather than made smaller
const SCROLLED = 0.8; // scale of a picture that is scrolled
const MARGIN = 24; // pixels around the picture

export class Fitting {
  /** @param {HTMLElement} canvas @param {SVGSVGElement} svg @param {Picture} picture */
  constructor(canvas, svg, picture) {
    this.canvas = canvas;
    this.svg = svg;
    this.picture = picture;
  }

  /** Draw the picture as large as there is room for, or at a scale that can be read, to be scrolled. */
  fit() {
    const { canvas, svg, picture } = this;
    const { clientWidth, clientHeight } = canvas;
    const fitting = Math.min((clientWidth - MARGIN) / picture.width, (clientHeight - MARGIN) / picture.height, 2);
    const scale = fitting < READABLE ? SCROLLED : fitting;
    svg.style.width = `${picture.width * scale}px`;
    svg.style.height = `${picture.height * scale}px`;
    canvas.classList.toggle("scrolled", fitting < READABLE);
    this.follow();
  }

  /** Whether a part of the picture is shown, and moved about. */
  get isCut() {
    return this.canvas.classList.contains("scrolled");
  }

  /** Keep the active Value in view where the picture is scrolled; the page around the frame never moves. */
  follow() {
    const { canvas, svg, picture } = this;
    const box = picture.activeBox();
    if (!box || !this.isCut) return;
    const scale = svg.clientWidth / picture.width;
    const top = svg.getBoundingClientRect().top - canvas.getBoundingClientRect().top + canvas.scrollTop;
    const left = svg.getBoundingClientRect().left - canvas.getBoundingClientRect().left + canvas.scrollLeft;
    canvas.scrollTo({
      left: left + (box.x + box.width / 2) * scale - canvas.clientWidth / 2,
      top: top + (box.y + box.height / 2) * scale - canvas.clientHeight / 2,
    });
  }
}
