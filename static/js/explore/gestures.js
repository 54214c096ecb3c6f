/** Pan, zoom and pinch by mouse, wheel and fingers: d3-zoom, requested once the first picture is painted. */
import { afterFirstPicture } from "./first-picture.js";

/** @typedef {{scale: number, x: number, y: number}} Place of a picture in its canvas */
/** @typedef {{
 *   extent: () => [[number, number], [number, number]], scales: () => [number, number],
 *   kept: (place: Place) => Place, onMove: (place: Place) => void,
 * }} Bounds  the canvas, the smallest and largest scale, the nearest place that is allowed; onMove: a gesture has moved the picture */

const SLOP = 4; // movement in pixels up to which a press is a click
const PIXELS = [1, 18, 300]; // of a unit of the wheel: a pixel, a line, a page
const [WHEEL, PINCH] = [0.0023, 0.0173]; // doublings for each pixel; pinching a touchpad sends ctrl and wheel events
const MOST = 1; // doublings by one event of the wheel

/** @type {Promise<any> | null} */ let library = null;
/** @type {any} the library, once it is there */ let loaded = null;

/** Without it, as on a connection that broke, buttons and keys still move the picture. */
function load() {
  library ??= new Promise((done) => afterFirstPicture(false, () => done(import("../../vendor/d3-zoom-3.0.0.min.js"))));
  return library.then((found) => (loaded = found), () => (library = null));
}

export class Gestures {
  /** @param {HTMLElement} canvas @param {Bounds} bounds @param {Place} place */
  constructor(canvas, bounds, place) {
    this.canvas = canvas;
    this.bounds = bounds;
    this.place = place;
    /** @type {any} the library's behaviour, once it is there */ this.zoom = null;
    this.isAdopting = false;
    /** Whether the gesture has moved the picture: a click that is not quite still does not. */ this.isMoving = false;
    canvas.addEventListener("wheel", (event) => event.preventDefault(), { passive: false }); // nor at the largest scale the page
    // At once if it can be: the canvas gets styles that the whole picture inherits, and would be styled twice.
    if (loaded) this.#listen(loaded);
    else void load().then((found) => found && this.#listen(found));
  }

  /** @param {any} d3 */
  #listen({ zoom, zoomIdentity, select }) {
    const { bounds } = this;
    this.zoom = zoom()
      .filter((/** @type {any} */ event) => event.type === "wheel" || (!event.ctrlKey && (event.button ?? 0) <= 1))
      .touchable(true)
      .clickDistance(SLOP)
      .extent(bounds.extent)
      .wheelDelta(doublings)
      .constrain((/** @type {any} */ { k, x, y }) => {
        const place = bounds.kept({ scale: k, x, y });
        return zoomIdentity.translate(place.x, place.y).scale(k);
      })
      .on("start", (/** @type {any} */ event) => this.#start(event))
      .on("zoom", (/** @type {any} */ event) => this.#move(event))
      .on("end", () => this.#end());
    this.selection = select(this.canvas).call(this.zoom).on("dblclick.zoom", null);
    this.identity = zoomIdentity;
    this.adopt(this.place);
    this.canvas.classList.add("movable");
  }

  /** Go on from a place to which something else has moved the picture. @param {Place} place */
  adopt(place) {
    this.place = place;
    if (!this.zoom) return;
    this.zoom.scaleExtent(this.bounds.scales());
    this.isAdopting = true;
    this.zoom.transform(this.selection, this.identity.translate(place.x, place.y).scale(place.scale));
    this.isAdopting = false;
  }

  /** @param {any} event */
  #start({ sourceEvent }) {
    if (!this.isAdopting) this.isMoving = sourceEvent?.type === "wheel";
  }

  /** @param {any} event */
  #move({ sourceEvent, transform: { k, x, y } }) {
    if (this.isAdopting) return;
    const { place } = this;
    if (!this.isMoving && k === place.scale && Math.hypot(x - place.x, y - place.y) <= SLOP) return;
    this.isMoving = true;
    this.canvas.classList.toggle("moving", sourceEvent?.type !== "wheel");
    this.place = { scale: k, x, y };
    this.bounds.onMove(this.place);
  }

  #end() {
    if (this.isAdopting) return;
    this.canvas.classList.remove("moving");
    if (!this.isMoving) this.adopt(this.place);
  }
}

/** By how many doublings of the scale an event of the wheel zooms. @param {WheelEvent} event */
function doublings({ deltaY, deltaMode, ctrlKey }) {
  const wanted = -deltaY * (PIXELS[deltaMode] ?? 1) * (ctrlKey ? PINCH : WHEEL);
  return Math.min(Math.max(wanted, -MOST), MOST);
}
