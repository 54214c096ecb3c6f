/** Pan and zoom: the picture keeps its own size and is moved by a CSS transform; the minimap shows the view. */
import { boxOf } from "./picture.js";

/** @typedef {import("./picture.js").Box} Box */
/** @typedef {{scale: number, x: number, y: number, fitted: boolean}} View */
/** @typedef {import("./picture.js").Picture} Picture */

const LARGEST = 3;
const FIT_LARGEST = 1.3;
const PRESENTED = 0.05; // share of the canvas that is the margin of a presentation
const STEP_UP = 48; // pixels by which its text moves up when the player comes
export const READABLE = 0.6; // below this scale the numbers on the cards are too small to read
const LINE = 1.5; // width in pixels of the frame in the minimap
const SLOP = 4; // movement in pixels beyond which a press is a drag
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class Viewport {
  /**
   * @param {HTMLElement} canvas the window onto the picture
   * @param {SVGSVGElement} svg @param {number} width @param {number} height of the picture
   * @param {(view: View) => void} onView
   */
  constructor(canvas, svg, width, height, onView) {
    this.canvas = canvas;
    this.svg = svg;
    this.width = width;
    this.height = height;
    this.onView = onView;
    /** @type {View} */
    this.view = { scale: 1, x: 0, y: 0, fitted: true };
    /** The scale that was chosen, to which following returns. */ this.home = 1;
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    this.moved = false;
    // Cached: reading it after a change would force a synchronous layout.
    this.size = { width: 0, height: 0, top: 0 };
    this.measure();
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.#up(/** @type {PointerEvent} */ (event)));
    }
    // A drag that ends on a card must not select it.
    canvas.addEventListener("click", (event) => this.moved && event.stopPropagation(), { capture: true });
    new ResizeObserver(() => {
      this.measure();
      if (this.view.fitted) this.fit();
      else this.#apply();
    }).observe(canvas);
  }

  /** Read the size of the canvas. */
  measure() {
    const main = document.querySelector("main");
    const heights = ["tools", "caption"].map((name) => [name, /** @type {HTMLElement | null} */ (main?.querySelector(`.${name}`))?.offsetHeight ?? 0]);
    for (const [name, height] of heights) main?.style.setProperty(`--${name}`, `${height}px`);
    this.size = { width: this.canvas.clientWidth, height: this.canvas.clientHeight, top: Number(heights[0][1]) };
  }

  /** Whether the picture fills the window, without tools. */
  get #isPresented() {
    return document.body.classList.contains("presenting");
  }

  /** Room for the picture inside the canvas, clear of the tools above and the caption below. */
  get room() {
    const { width, height } = this.size;
    if (this.#isPresented) {
      const [left, top] = [width * PRESENTED, height * PRESENTED];
      return { left, top, width: width - 2 * left, height: height - top - STEP_UP };
    }
    const [side, top, bottom] = height < 300 ? [12, 46, 8] : width < 560 ? [12, Math.max(40, this.size.top) + 16, 28] : [28, Math.max(64, this.size.top + 24), 28];
    return { left: side, top, width: width - 2 * side, height: height - top - bottom };
  }

  /** The scale that fits the whole picture. */
  get fitScale() {
    const { width, height } = this.room;
    return Math.max(0.02, Math.min(width / this.width, height / this.height, this.#isPresented ? LARGEST : FIT_LARGEST));
  }

  fit(smooth = false) {
    const { left, top, width, height } = this.room;
    const scale = this.fitScale;
    this.#set({
      scale, fitted: true,
      x: left + (width - this.width * scale) / 2,
      y: top + (height - this.height * scale) / 2,
    }, smooth);
  }

  /** Adopt the view of the previous picture. @param {View} view */
  restore(view) {
    if (view.fitted) this.fit();
    else this.#set({ ...view });
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] the point that stays, in the canvas */
  zoom(factor, x = this.size.width / 2, y = this.size.height / 2, smooth = true) {
    const { scale } = this.view;
    const smallest = Math.min(this.fitScale * 0.5, 0.3);
    const next = Math.min(Math.max(scale * factor, smallest), LARGEST);
    const ratio = next / scale;
    this.#set({ scale: next, fitted: false, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio }, smooth);
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.#set({ ...this.view, fitted: false, x: this.view.x + dx, y: this.view.y + dy });
  }

  /** Centre a point of the picture, with no more empty space beside it than needed.
   * @param {number} x @param {number} y */
  centre(x, y, smooth = false, scale = this.view.scale) {
    const { left, top, width, height } = this.room;
    this.#set({
      scale, fitted: false,
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

  /** Keep what was clicked under the pointer: `box` of this picture stands for `old` of the one before.
   * @param {View} earlier @param {Box} old @param {Box} box @param {{x: number, y: number} | null} point in the canvas */
  hold(earlier, old, box, point) {
    const { scale } = earlier;
    const at = point ?? { x: earlier.x + (old.x + old.width / 2) * scale, y: earlier.y + (old.y + old.height / 2) * scale };
    const { left, top, width, height } = this.room;
    const across = clamp(((at.x - earlier.x) / scale - old.x) / old.width, 1);
    const down = clamp(((at.y - earlier.y) / scale - old.y) / old.height, 1);
    const x = held(at.x, across, box.width * scale, left, width) - box.x * scale;
    const y = held(at.y, down, box.height * scale, top, height) - box.y * scale;
    this.#set({ scale, fitted: false, x, y });
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
      return this.#set({ scale, fitted: false, x, y }, true, home);
    }
  }

  /** @param {View} view @param {boolean} [smooth] @param {number} [home] the scale that was chosen, if it is another one */
  #set(view, smooth = false, home = view.scale) {
    this.home = home;
    // Part of the picture always stays in the canvas.
    view.x = Math.min(Math.max(view.x, 60 - this.width * view.scale), this.size.width - 60);
    view.y = Math.min(Math.max(view.y, 60 - this.height * view.scale), this.size.height - 60);
    this.view = view;
    this.svg.style.transition = smooth && !CALM.matches ? "transform .28s ease-out" : "none";
    this.#apply();
  }

  #apply() {
    const { scale, x, y } = this.view;
    this.svg.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${scale.toFixed(5)})`;
    this.svg.classList.add("placed");
    this.onView(this.view);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
    const speed = event.ctrlKey ? 0.012 : 0.0016; // pinching a touchpad sends ctrl and wheel events
    this.zoom(Math.exp(-event.deltaY * lines * speed), event.clientX - box.left, event.clientY - box.top, false);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === "mouse" && event.button !== 0 && event.button !== 1) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 1) this.moved = false;
    this.start = { x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.start) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.moved && Math.hypot(now.x - this.start.x, now.y - this.start.y) < SLOP) return;
    if (!this.moved) {
      this.moved = true;
      this.canvas.classList.add("moving");
      for (const id of this.pointers.keys()) this.canvas.setPointerCapture(id);
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (!other) {
      this.pan(now.x - before.x, now.y - before.y);
      return;
    }
    const box = this.canvas.getBoundingClientRect();
    const spread = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoom(spread, (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top, false);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.canvas.classList.remove("moving");
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

/** The minimap of a picture that is too large to read at full view; shows and moves the view. */
export class Minimap {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    /** @type {Viewport | null} */ this.viewport = null;
    /** @type {{x: number, y: number, width: number, height: number, colour: string}[]} */ this.boxes = [];
    this.pending = false;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#go(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && this.#go(event));
    document.documentElement.addEventListener("themechange", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** @param {Picture} picture @param {Viewport} viewport */
  load(picture, viewport) {
    this.viewport = viewport;
    this.picture = picture;
    this.boxes = [...picture.svg.querySelectorAll(".value, .group, .formula")].map((element) => ({
      ...boxOf(element), colour: element.classList.contains("leaf") ? "--leaf" : element.dataset.group ? "--op" : "--mute",
    }));
    this.draw();
  }

  /** Nothing is drawn. */
  clear() {
    this.viewport = null;
    this.canvas.hidden = true;
  }

  /** Redraw, at most once per animation frame. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.#draw();
    });
  }

  #draw() {
    const { viewport, picture, canvas } = this;
    canvas.hidden = !viewport || !picture || viewport.fitScale >= READABLE;
    if (canvas.hidden || !viewport || !picture) return;
    const scale = Math.min(180 / picture.width, 120 / picture.height);
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(40, picture.width * scale), Math.max(30, picture.height * scale)];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    if (!context) return;
    const style = getComputedStyle(canvas);
    const probe = (/** @type {string} */ name) => this.#colour(style, name);
    context.scale(ratio, ratio);
    for (const box of this.boxes) {
      context.fillStyle = probe(box.colour);
      context.globalAlpha = 0.55;
      context.fillRect(box.x * scale, box.y * scale, Math.max(1.2, box.width * scale), Math.max(1.2, box.height * scale));
    }
    this.#active(context, scale, probe);
    this.#window(context, scale, probe("--data"));
    this.scale = scale;
  }

  /** @param {CSSStyleDeclaration} style @param {string} name */
  #colour(style, name) {
    const [light, dark] = style.getPropertyValue(name).replace(/^\s*light-dark\(|\)\s*$/g, "").split(/,(?![^(]*\))/);
    return (this.#isDark() ? dark ?? light : light).trim();
  }

  #isDark() {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} scale @param {(name: string) => string} colour */
  #active(context, scale, colour) {
    const picture = this.picture;
    const box = picture?.activeBox();
    if (!picture || !box) return;
    context.globalAlpha = 1;
    context.fillStyle = colour(picture.trace.frames[picture.at].pass === "forward" ? "--data" : "--grad");
    const size = 5;
    context.fillRect((box.x + box.width / 2) * scale - size / 2, (box.y + box.height / 2) * scale - size / 2, size, size);
  }

  /** Frame the visible part of the picture. @param {CanvasRenderingContext2D} context @param {number} scale @param {string} colour */
  #window(context, scale, colour) {
    const { view: { scale: zoom, x, y }, size, width, height } = /** @type {Viewport} */ (this.viewport);
    const [left, right] = [-x, size.width - x].map((side) => clamp(side / zoom, width) * scale);
    const [top, bottom] = [-y, size.height - y].map((side) => clamp(side / zoom, height) * scale);
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = LINE;
    context.strokeRect(left + LINE / 2, top + LINE / 2, right - left - LINE, bottom - top - LINE);
  }

  /** @param {PointerEvent} event */
  #go(event) {
    const box = this.canvas.getBoundingClientRect();
    const shrink = box.width / parseFloat(this.canvas.style.width || "1");
    const scale = (this.scale ?? 1) * shrink;
    this.viewport?.centre((event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
  }
}
