/** Canvases at device resolution, canvases of pixels, and sparklines. */

export class Surface {
  /** @param {HTMLCanvasElement} canvas @param {() => void} onSize */
  constructor(canvas, onSize) {
    this.canvas = canvas;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("a canvas without 2d context");
    this.context = context;
    this.width = 0;
    this.height = 0;
    this.scale = 1;
    new ResizeObserver(([entry]) => {
      if (this.#size(entry.contentRect)) onSize();
    }).observe(canvas);
    this.#size(canvas.getBoundingClientRect());
  }

  /** @param {{width: number, height: number}} box */
  #size({ width, height }) {
    const scale = devicePixelRatio || 1;
    if (width === this.width && height === this.height && scale === this.scale) return false;
    Object.assign(this, { width, height, scale });
    this.canvas.width = Math.max(1, Math.round(width * scale));
    this.canvas.height = Math.max(1, Math.round(height * scale));
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    return true;
  }

  clear() {
    this.context.clearRect(0, 0, this.width, this.height);
  }
}

/** A small canvas painted pixel by pixel. */
export class Tile {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [width, height];
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** Paint bytes through a colour map. @param {Uint8Array} bytes @param {number} from @param {Uint32Array} colours */
  paint(bytes, from, colours) {
    const { pixels } = this;
    for (let i = 0; i < pixels.length; i += 1) pixels[i] = colours[bytes[from + i]];
    this.show();
  }

  show() {
    this.context.putImageData(this.image, 0, 0);
  }
}

/** Draw a sparkline of a number over the steps, with a dot at the step shown.
 * @param {HTMLCanvasElement} canvas @param {[number, number][]} history @param {number} step @param {string} colour */
export function drawHistory(canvas, history, step, colour) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const finite = history.filter(([, value]) => Number.isFinite(value));
  if (!finite.length) return;
  const values = finite.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, finite[finite.length - 1][0]);
  const place = (/** @type {[number, number]} */ [at, value]) =>
    /** @type {[number, number]} */ ([3 + (at / last) * (width - 6), height - 4 - ((value - low) / (high - low || 1)) * (height - 8)]);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  for (const point of finite) context.lineTo(...place(point));
  context.stroke();
  const now = finite.findLast(([at]) => at <= step) ?? finite[0];
  context.beginPath();
  context.arc(...place(now), 3.5, 0, 2 * Math.PI);
  context.fill();
}
