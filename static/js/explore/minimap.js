/** The minimap of a picture that is too large to read as a whole; shows and moves the view. */
import { boxOf } from "./picture.js";
import { READABLE } from "./viewport.js";

/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./viewport.js").Viewport} Viewport */

const NARROW = 560; // width in pixels of a canvas of which the map would cover much
const SWIPED = 0.4; // scale that fits a picture which a swipe or two show there
const LINE = 1.5; // width in pixels of the frame around the view

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
    canvas.hidden = !viewport || !picture || viewport.fitScale >= (viewport.size.width < NARROW ? SWIPED : READABLE);
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

/** @param {number} place @param {number} size */
const clamp = (place, size) => Math.min(Math.max(place, 0), size);
