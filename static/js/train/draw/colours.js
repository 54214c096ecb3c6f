/** The colours of the style sheet as numbers, for canvases. */

/** @typedef {[number, number, number]} RGB */

const CLASSES = 8;
const FLAT = [40, 216]; // the bytes whose colours stand for a class each
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const sample = document.createElement("i"); // stays in the document: to come and go, it would have the page styled anew each time
sample.hidden = true;

/** The value of a colour token in the current theme.
 * @param {string} token @returns {string} a CSS colour */
export function css(token) {
  if (!sample.isConnected) document.body.append(sample);
  sample.style.color = `var(${token})`;
  return getComputedStyle(sample).color;
}

/** @param {string} token @returns {RGB} */
function rgb(token) {
  if (!probe) return [0, 0, 0];
  probe.canvas.width = 1;
  probe.fillStyle = css(token);
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  return [r, g, b];
}

/** @param {RGB} from @param {RGB} to @param {number} share @returns {number} a pixel of an ImageData */
function mixed(from, to, share) {
  const [r, g, b] = from.map((x, i) => Math.round(x + (to[i] - x) * share));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** The colour map of bytes, where 128 is 0. @param {RGB} negative @param {RGB} zero @param {RGB} positive */
function signs(negative, zero, positive) {
  const found = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    const t = Math.max(-1, (byte - 128) / 127);
    found[byte] = mixed(zero, t < 0 ? negative : positive, Math.abs(t));
  }
  found[0] = mixed([128, 128, 128], zero, 0.3); // nan
  return found;
}

/** A colour map of signs with its zero moved to a threshold. @param {Uint32Array} sign
 * @param {number} threshold as a fraction of the limit of the bytes, below 1 */
export function centred(sign, threshold) {
  if (!threshold) return sign;
  const place = (/** @type {number} */ byte) => 128 + Math.round((byte - 128 - 127 * threshold) / (1 - threshold));
  return sign.map((_, byte) => (byte ? sign[Math.max(1, Math.min(255, place(byte)))] : sign[0]));
}

/** A colour map of signs in two flat colours. @param {Uint32Array} sign */
export function flat(sign) {
  return sign.map((_, byte) => (byte ? sign[byte < 128 ? FLAT[0] : FLAT[1]] : sign[0]));
}

/** The colour of a number on a scale that ends at ∓ `limit`. @param {Uint32Array} sign @param {number} x @param {number} limit */
export function valued(sign, x, limit) {
  const pixel = sign[128 + Math.round(127 * Math.max(-1, Math.min(1, x / limit)))];
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}

/**
 * @typedef {{
 *   sign: Uint32Array, classes: Uint32Array[], points: string[], pos: string, neg: string, paper: string,
 *   ink: string, mute: string, line: string, data: string, dataSoft: string, dataWash: string, grad: string, runs: string[],
 * }} Palette
 */

/** @returns {Palette} */
export function palette() {
  const [zero, negative, positive] = [rgb("--map-zero"), rgb("--map-neg"), rgb("--map-pos")];
  const tokens = Array.from({ length: CLASSES }, (_, i) => `--class-${i}`);
  const spread = (/** @type {string} */ token) => {
    const colour = rgb(token);
    return Uint32Array.from({ length: 256 }, (_, byte) => mixed(zero, colour, 0.15 + (0.6 * byte) / 255));
  };
  return {
    sign: signs(negative, zero, positive),
    classes: tokens.map(spread),
    points: tokens.map(css),
    pos: css("--pos"),
    neg: css("--neg"),
    paper: css("--raised"),
    ink: css("--ink"),
    mute: css("--mute"),
    line: css("--line"),
    data: css("--data"),
    dataSoft: css("--data-mid"),
    dataWash: css("--batch"),
    grad: css("--grad"),
    runs: ["--op", "--leaf", "--neg", "--class-2", "--class-3", "--class-4"].map(css),
  };
}

/** Call `then` when the theme changes, by the page's button or the system. @param {() => void} then */
export function onColours(then) {
  document.documentElement.addEventListener("themechange", then);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", then);
}
