/** The point on the plot of an operation: moved by pointer, slider and keys, among places whose numbers the server computed. */
import { at, data, find } from "../common/elements.js";
import { compact, full, inEquation, number, plain } from "../common/numbers.js";
import { PagePort } from "../common/page-port.js";

/** @typedef {{over: string, xs: number[], ys: (number | string)[], slopes: (number | string)[], kinks: number[],
 *   box: [number, number, number, number], range: [number, number, number, number]}} Places */

class Point {
  /** @param {Places} places @param {HTMLInputElement} slider */
  constructor(places, slider) {
    this.places = places;
    this.slider = slider;
    this.example = at("example");
    this.link = find("example-link", "a");
  }

  /** The place under a pointer. @param {PointerEvent} event */
  under(event) {
    const plot = /** @type {SVGSVGElement | null} */ (document.querySelector("svg#plot"));
    const screen = plot?.getScreenCTM();
    if (!screen) return this.slider.valueAsNumber;
    const [left, , across] = this.places.box;
    const share = (new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse()).x - left) / across;
    const last = this.places.xs.length - 1;
    return Math.min(Math.max(Math.round(share * last), 0), last);
  }

  /** @param {number} place */
  move(place) {
    this.slider.value = String(place);
    this.show();
  }

  /** Everything that depends on the place of the slider. */
  show() {
    const place = this.slider.valueAsNumber;
    const x = this.places.xs[place];
    const y = number(this.places.ys[place]);
    const slope = number(this.places.slopes[place]);
    const [xText, yText, slopeText] = [compact(x), inEquation(y), inEquation(slope)];
    at("at-x").textContent = xText;
    at("at-y").textContent = yText;
    at("at-slope").textContent = slopeText;
    at("at-kink").hidden = !this.places.kinks.includes(place);
    this.slider.setAttribute("aria-valuetext", `${this.places.over} = ${xText}, y = ${yText}, slope ${slopeText}`);
    this.#draw(x, y, slope);
    this.#tell(x);
  }

  /** @param {number} x @param {number} y @param {number} slope */
  #draw(x, y, slope) {
    const [left, top, across, down] = this.places.box;
    const [low, high, bottom, above] = this.places.range;
    const px = left + (across * (x - low)) / (high - low);
    const height = (/** @type {number} */ value) => top + down * (1 - (value - bottom) / (above - bottom));
    at("stem").setAttribute("d", `M${px} ${top}v${down}`);
    for (const [id, value] of /** @type {[string, number][]} */ ([["dot", y], ["dot-slope", slope]])) {
      const isInside = value >= bottom && value <= above;
      at(id).setAttribute("visibility", isInside ? "visible" : "hidden");
      at(id).setAttribute("cx", String(px));
      if (isInside) at(id).setAttribute("cy", String(height(value)));
    }
    at("tangent").setAttribute("d", Number.isFinite(y) && Number.isFinite(slope) ? tangent(px, height(y), (-slope * down * (high - low)) / (above - bottom) / across) : "");
  }

  /** The example and the address follow the point. @param {number} x */
  #tell(x) {
    const program = (this.example.dataset.program ?? "").replace("@", full(x));
    this.example.textContent = program;
    this.link.href = `/?${new URLSearchParams({ program })}`;
    const address = new URL(location.href);
    address.searchParams.set("x", plain(x));
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      history.replaceState(history.state, "", address);
      port.tell("turn", address.pathname + address.search);
    }, 200);
  }

  /** @type {number | undefined} */ telling;
}

/** A long line through a point of the picture. @param {number} x @param {number} y @param {number} steepness */
function tangent(x, y, steepness) {
  const across = 1280 / Math.hypot(1, steepness);
  return `M${x - across} ${y - across * steepness}L${x + across} ${y + across * steepness}`;
}

/** Drag anywhere on the plot; the slider then has the focus, for the keys. @param {Point} point @param {HTMLElement} figure */
function follow(point, figure) {
  let isDown = false;
  figure.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    isDown = true;
    figure.setPointerCapture(event.pointerId);
    event.preventDefault();
    point.slider.focus({ preventScroll: true });
    point.move(point.under(event));
  });
  figure.addEventListener("pointermove", (event) => {
    if (isDown) point.move(point.under(event));
  });
  for (const end of ["pointerup", "pointercancel"]) figure.addEventListener(end, () => (isDown = false));
}

const port = new PagePort();
const places = /** @type {Places} */ (data("places"));
const point = new Point(places, find("place", "input"));
point.slider.addEventListener("input", () => point.show());
follow(point, at("figure"));
document.documentElement.dataset.ready = "true";
