/** A page that steps through one trace: picture, explanation and player. It keeps nothing in the browser. */
import { Explanation } from "./explanation.js";
import { Fitting } from "./fitting.js";
import { Picture } from "./picture.js";
import { Player, Timeline } from "./timeline.js";
import { Trace } from "./trace.js";
import { announce, at } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";

export class FilmPage {
  /** @param {(step: import("./grains.js").Step) => void} [onShow] what else follows a step */
  constructor(onShow = () => {}) {
    this.onShow = onShow;
    this.canvas = at("canvas");
    this.svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.getElementById("picture")));
    this.trace = new Trace(at("trace").textContent ?? "");
    this.trace.take(JSON.parse(at("picture-steps").textContent ?? ""));
    this.picture = new Picture(this.svg, this.trace);
    /** @type {Fitting | null} of a picture in a frame of fixed size */ this.fitting = null;
    this.explanation = new Explanation();
    this.player = new Player((k) => this.#show(k), (playing) => this.timeline.showPlaying(playing));
    this.timeline = new Timeline(this.player);
  }

  /** Start at the frame that is drawn. */
  start() {
    const { player, svg, timeline, trace } = this;
    const { keys, scrubber } = timeline;
    this.explanation.load();
    listenToKeys({ ...keys, PageUp: keys.ArrowLeft, PageDown: keys.ArrowRight }, scrubber);
    timeline.load(trace);
    player.load(trace.steps, Number(svg.dataset.frame), svg.dataset.slot === undefined ? null : Number(svg.dataset.slot));
    timeline.showPlaying(false);
  }

  /** Keep the picture as large as there is room for, from the frame that is shown on. */
  fit() {
    const fitting = new Fitting(this.canvas, this.svg, this.picture);
    this.fitting = fitting;
    fitting.fit();
    new ResizeObserver(() => fitting.fit()).observe(this.canvas);
  }

  /** @param {number} k */
  #show(k) {
    const { trace, explanation, player: { step } } = this;
    const place = trace.place(step);
    this.picture.show(step);
    this.onShow(step);
    explanation.show(trace, step, place);
    this.timeline.show(trace, step, place);
    this.fitting?.follow();
    announce(`${place}, ${trace.frames[k].pass}. ${explanation.words}`, "film");
  }
}
