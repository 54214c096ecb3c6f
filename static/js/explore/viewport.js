/** The view of the picture, which keeps its own size and is moved and scaled by a CSS transform. */
import { Gestures } from "./gestures.js";

/** @typedef {import("./picture.js").Box} Box */
/** @typedef {import("./gestures.js").Place} Place */
/** @typedef {{scale: number, x: number, y: number, fitted: boolean, whole: boolean, moved?: boolean}} View
 *   fitted: the whole picture is shown, in a canvas of another size as well; whole: so it was, and only the page has moved it since;
 *   moved: the visitor has moved it */

const LARGEST = 3;
const FIT_LARGEST = 1.3;
const PRESENTED = 0.025; // share of the canvas that is the margin of a presentation above its words
const BESIDE = 4; // pixels of margin of one beside its words
const STEP_UP = 48; // pixels by which its text moves up when the player comes
const ROOMY = 0.8; // share of the fitting scale from which a picture is large enough to keep its scale
const INSIDE = 60; // pixels of the picture that always stay in the canvas
export const READABLE = 0.6; // below this scale the numbers on the cards are too small to read
const MOVED = { fitted: false, whole: false, moved: true }; // of a view that the visitor chose
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
// What leaves the tools their room. Set on `main`, the whole picture would inherit it, and be styled anew with every change.
const ROOM = new CSSStyleSheet();
document.adoptedStyleSheets.push(ROOM);

export class Viewport {
  /**
   * @param {HTMLElement} canvas the window onto the picture
   * @param {SVGSVGElement} svg @param {number} width @param {number} height of the picture
   * @param {(view: View) => void} onView
   * @param {{width: number, height: number, top: number} | null} [size] of the canvas, if it is that of a picture before
   */
  constructor(canvas, svg, width, height, onView, size = null) {
    this.canvas = canvas;
    this.svg = svg;
    this.width = width;
    this.height = height;
    this.onView = onView;
    /** @type {View} */
    this.view = { scale: 1, x: 0, y: 0, fitted: true, whole: true };
    /** The scale that was chosen, to which following returns. */ this.home = 1;
    // Cached: reading it after a change would force a synchronous layout. Above `top` the tools lie over the canvas.
    this.size = size ?? { width: 0, height: 0, top: 0 };
    if (!size) this.measure();
    this.gestures = new Gestures(canvas, {
      extent: () => [[0, 0], [this.size.width, this.size.height]],
      scales: () => [this.#smallest, LARGEST],
      kept: (place) => this.#kept(place),
      onMove: (place) => this.#move(place),
    }, this.view);
    new ResizeObserver(() => {
      if (!this.measure()) return;
      if (this.view.fitted) this.fit();
      else this.#apply();
    }).observe(canvas);
  }

  /** Read the size of the canvas. @returns {boolean} whether it is another one */
  measure() {
    const main = document.querySelector("main");
    const { size: before, canvas } = this;
    const tools = /** @type {HTMLElement | null} */ (main?.querySelector(".tools"));
    const across = tools?.offsetWidth ?? 0;
    const rule = `.caption, .start, .program > summary { --tools: ${across}px; }`;
    if (ROOM.cssRules[0]?.cssText !== rule) ROOM.replaceSync(rule);
    const above = across ? tools?.getBoundingClientRect().bottom ?? 0 : 0;
    this.size = { width: canvas.clientWidth, height: canvas.clientHeight, top: Math.max(0, above - canvas.getBoundingClientRect().top) };
    return this.size.width !== before.width || this.size.height !== before.height || this.size.top !== before.top;
  }

  /** Whether the picture fills the window, without tools. */
  get #isPresented() {
    return document.body.classList.contains("presenting");
  }

  /** Room for the picture inside the canvas, clear of the tools above and the caption below. */
  get room() {
    const { width, height } = this.size;
    if (this.#isPresented && width < innerWidth) return { left: BESIDE, top: BESIDE, width: width - 2 * BESIDE, height: height - 2 * BESIDE };
    if (this.#isPresented) {
      const [left, top] = [width * PRESENTED, height * PRESENTED];
      return { left, top, width: width - 2 * left, height: height - top - STEP_UP };
    }
    const isSmall = width < 560 || height < 300;
    const [side, above, below] = isSmall ? [-4, 8, 10] : [28, 12, 24]; // a picture has a margin of its own
    const top = this.size.top ? this.size.top + 16 : above; // the head of the picture is air enough
    return { left: side, top, width: width - 2 * side, height: height - top - below };
  }

  /** The scale that fits the whole picture. */
  get fitScale() {
    const { width, height } = this.room;
    return Math.max(0.02, Math.min(width / this.width, height / this.height, this.#isPresented ? LARGEST : FIT_LARGEST));
  }

  /** The smallest scale that the visitor can choose. */
  get #smallest() {
    return Math.min(this.fitScale * 0.5, 0.3);
  }

  fit(smooth = false) {
    this.#offerTools(false);
    const { left, top, width, height } = this.room;
    const scale = this.fitScale;
    const [x, y] = [left + (width - this.width * scale) / 2, top + (height - this.height * scale) / 2];
    this.#set({ scale, x, y, fitted: true, whole: true }, smooth);
  }

  /** Adopt the view of the previous picture. @param {View} view */
  restore(view) {
    if (view.fitted) this.fit();
    else this.#set({ ...view });
  }

  /** Zoom about the middle of the canvas. @param {number} factor */
  zoom(factor) {
    const { scale, x, y } = this.view;
    const { width, height } = this.size;
    const next = Math.min(Math.max(scale * factor, this.#smallest), LARGEST);
    const ratio = next / scale;
    this.#set({ scale: next, ...MOVED, x: width / 2 - (width / 2 - x) * ratio, y: height / 2 - (height / 2 - y) * ratio }, true);
  }

  /** Centre a point of the picture, with no more empty space beside it than needed.
   * @param {number} x @param {number} y @param {boolean} [whole] whether the whole picture is wanted */
  centre(x, y, smooth = false, scale = this.view.scale, whole = false) {
    const { left, top, width, height } = this.room;
    this.#set({
      scale, fitted: false, whole,
      x: along(left, width, this.width * scale, x * scale),
      y: along(top, height, this.height * scale, y * scale),
    }, smooth);
  }

  /** Centre `box` if it is not fully visible. @param {Box} box */
  reveal(box) {
    const { scale, x, y } = this.view;
    const { left, top, width, height } = this.room;
    const isIn = !shift(x + box.x * scale, box.width * scale, left, width) && !shift(y + box.y * scale, box.height * scale, top, height);
    if (!isIn) this.centre(box.x + box.width / 2, box.y + box.height / 2, true);
  }

  /** Keep the clicked part under the pointer: `box` of this picture stands for `old` of the one before. A picture that was
   * fitted is fitted again, about the pointer as far as there is room.
   * @param {View} earlier @param {Box} old @param {Box} box @param {{x: number, y: number} | null} point in the canvas */
  hold(earlier, old, box, point) {
    const at = point ?? { x: earlier.x + (old.x + old.width / 2) * earlier.scale, y: earlier.y + (old.y + old.height / 2) * earlier.scale };
    const { left, top, width, height } = this.room;
    const across = clamp(((at.x - earlier.x) / earlier.scale - old.x) / old.width, 1);
    const down = clamp(((at.y - earlier.y) / earlier.scale - old.y) / old.height, 1);
    const fitted = earlier.whole && this.fitScale >= READABLE;
    const isRoomy = earlier.scale <= this.fitScale && earlier.scale >= this.fitScale * ROOMY;
    const scale = fitted && !isRoomy ? this.fitScale : earlier.scale;
    const place = {
      x: held(at.x, across, box.width * scale, left, width) - box.x * scale,
      y: held(at.y, down, box.height * scale, top, height) - box.y * scale,
    };
    if (fitted) {
      place.x += shift(place.x, this.width * scale, left, width);
      place.y += shift(place.y, this.height * scale, top, height);
    }
    this.#set({ scale, ...place, fitted, whole: earlier.whole, moved: earlier.moved });
  }

  /** Show `box` with as little movement as possible, `core` of it if it is larger than the canvas. The middle of the view
   * moves by at most half of it: rather than farther, the picture gets smaller, until the next frame is near again.
   * @param {Box} box @param {Box | null} [core] */
  follow(box, core = null) {
    const { left, top, width, height } = this.room;
    const { view, home } = this;
    const middle = { x: (this.size.width / 2 - view.x) / view.scale, y: (this.size.height / 2 - view.y) / view.scale };
    for (let scale = Math.max(home, view.scale); ; scale *= 0.85) {
      const least = Math.min(this.fitScale, home);
      scale = Math.max(scale, least);
      const target = core && (box.width * scale > width || box.height * scale > height) ? core : box;
      const [startX, startY] = [this.size.width / 2 - middle.x * scale, this.size.height / 2 - middle.y * scale];
      const x = startX + shift(startX + target.x * scale, target.width * scale, left, width);
      const y = startY + shift(startY + target.y * scale, target.height * scale, top, height);
      const isNear = Math.abs(x - startX) <= width / 2 && Math.abs(y - startY) <= height / 2;
      if (!isNear && scale > least) continue;
      if (x === view.x && y === view.y && scale === view.scale) return;
      return this.#set({ scale, x, y, fitted: false, whole: view.whole, moved: view.moved }, true, home);
    }
  }

  /** The tools that move the picture go while it is shown as a whole, and leave it their room. @param {boolean} isOffered */
  #offerTools(isOffered) {
    const main = document.querySelector("main");
    if (main?.hasAttribute("data-whole") === !isOffered) return;
    main?.toggleAttribute("data-whole", !isOffered);
    this.measure();
  }

  /** @param {View} view @param {boolean} [smooth] @param {number} [home] the scale that was chosen, if it is another one */
  #set(view, smooth = false, home = view.scale) {
    this.#offerTools(!view.fitted);
    this.home = home;
    this.view = { ...view, ...this.#kept(view) };
    this.svg.style.transition = smooth && !CALM.matches ? "transform .28s ease-out" : "none";
    this.gestures.adopt(this.view);
    this.#apply();
  }

  /** The visitor has moved the picture. @param {Place} place */
  #move(place) {
    this.#offerTools(true);
    this.home = place.scale;
    this.view = { ...place, ...MOVED };
    this.svg.style.transition = "none";
    this.#apply();
  }

  /** The nearest place at which a part of the picture stays in the canvas. @param {Place} place @returns {Place} */
  #kept({ scale, x, y }) {
    const { width, height } = this.size;
    return {
      scale,
      x: Math.min(Math.max(x, INSIDE - this.width * scale), width - INSIDE),
      y: Math.min(Math.max(y, INSIDE - this.height * scale), height - INSIDE),
    };
  }

  #apply() {
    const { scale, x, y } = this.view;
    this.svg.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(5)})`;
    this.svg.classList.add("placed");
    this.onView(this.view);
  }
}

/** The offset of a picture of length `size` that centres its point `at` in the viewport.
 * @param {number} start @param {number} room @param {number} size @param {number} at */
function along(start, room, size, at) {
  if (size <= room) return start + (room - size) / 2;
  return Math.min(Math.max(start + room / 2 - at, start + room - size), start);
}

/** How far a part of length `size` at `start` has to move to be in the room; its start counts if it is too long.
 * @param {number} start @param {number} size @param {number} from @param {number} room */
const shift = (start, size, from, room) => start < from || size > room ? from - start : Math.min(0, from + room - start - size);

/** Where a part of length `size` starts, of which the point at `share` is at `point`: in the room, if the point can stay
 * in the part. @param {number} point @param {number} share @param {number} size @param {number} from @param {number} room */
function held(point, share, size, from, room) {
  const start = point - share * size;
  const wanted = size > room ? start : start + shift(start, size, from, room);
  return Math.min(Math.max(wanted, point - size), point);
}

/** @param {number} place @param {number} size */
const clamp = (place, size) => Math.min(Math.max(place, 0), size);
