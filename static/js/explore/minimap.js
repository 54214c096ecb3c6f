/** The minimap of a picture too large to read at full view; shows and moves the view. */
import { boxOf } from "./picture.js";
import { READABLE } from "./viewport.js";

/** @typedef {import("./viewport.js").Viewport} Viewport */
/** @typedef {import("./picture.js").Picture} Picture */

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
    this.boxes = [...picture.svg.querySelectorAll(".value, .group")].map((element) => ({
      ...boxOf(element), colour: element.classList.contains("leaf") ? "--leaf" : element.classList.contains("group") ? "--op" : "--mute",
    }));
    this.draw();
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

  /** @param {CanvasRenderingContext2D} context @param {number} scale @param {string} colour */
  #window(context, scale, colour) {
    const viewport = /** @type {Viewport} */ (this.viewport);
    const { scale: zoom, x, y } = viewport.view;
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    const { width, height } = viewport.size;
    context.strokeRect((-x / zoom) * scale, (-y / zoom) * scale, (width / zoom) * scale, (height / zoom) * scale);
  }

  /** @param {PointerEvent} event */
  #go(event) {
    const box = this.canvas.getBoundingClientRect();
    const shrink = box.width / parseFloat(this.canvas.style.width || "1");
    const scale = (this.scale ?? 1) * shrink;
    this.viewport?.centre((event.clientX - box.left) / scale, (event.clientY - box.top) / scale);
  }
}
