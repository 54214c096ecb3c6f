/**
 * How a number is written: short enough for a card, or in full.
 * `engine/numbers.py` writes the same texts; a browser test compares the two.
 */

const WIDTH = 11; // characters that fit on a card
const DIGITS = 4;

/** The number of a JSON value, where "nan", "inf" and "-inf" stand for what JSON lacks.
 * @param {number | string} value @returns {number} */
export function number(value) {
  if (typeof value === "number") return value;
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;
}

/** `x` in at most WIDTH characters: "2.0000", "1.2346e+08", "-1.235e-308", "nan", "inf".
 * @param {number} x @returns {string} */
export function short(x) {
  if (!Number.isFinite(x)) return special(x);
  const size = Math.abs(x);
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  if (size === 0 || (size >= 1e-3 && size < 1e5)) {
    const text = sign + fixed(size);
    if (text.length <= WIDTH) return text;
  }
  const text = sign + exponential(size, DIGITS);
  return text.length <= WIDTH ? text : sign + exponential(size, DIGITS - 1);
}

/** The shortest text that reads back as exactly `x`, as Python writes it: "2.0", "1e+22".
 * @param {number} x @returns {string} */
export function full(x) {
  if (!Number.isFinite(x)) return special(x);
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  const size = Math.abs(x);
  if (size === 0) return `${sign}0.0`;
  const exponent = Number(size.toExponential().split("e")[1]);
  if (exponent < -4 || exponent >= 16) return sign + padded(size.toExponential());
  const text = exponent < 0 ? size.toFixed(digitsOf(size) - 1 - exponent) : String(size);
  return sign + (text.includes(".") ? text : `${text}.0`);
}

/** `short(x)` for an equation: a real minus sign, and parentheses around a negative number.
 * @param {number} x @param {boolean} paren @returns {string} */
export function inEquation(x, paren) {
  const text = short(x).replaceAll("-", "−");
  return paren && text.startsWith("−") ? `(${text})` : text;
}

/** A number for a screen reader: the short one without trailing zeros. @param {number} x */
export function spoken(x) {
  const text = short(x);
  return text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
}

/** @param {number} x */
function special(x) {
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/** @param {number} size */
function digitsOf(size) {
  return size.toExponential().split("e")[0].replace(".", "").length;
}

/** JavaScript rounds a tie up where Python rounds it to even; only multiples of 1/32 can tie.
 * @param {number} size */
function fixed(size) {
  if (!Number.isInteger(size * 32)) return size.toFixed(DIGITS);
  return evenOnTie(size.toFixed(40), DIGITS) ?? size.toFixed(DIGITS);
}

/** @param {number} size @param {number} digits */
function exponential(size, digits) {
  const [mantissa, exponent] = size.toExponential(60).split("e");
  const even = evenOnTie(mantissa, digits);
  return padded(even === null ? size.toExponential(digits) : `${even}e${exponent}`);
}

/** `text` cut to `digits` decimals if what is cut is exactly one half and the last digit kept is
 * even; otherwise null, and the usual rounding is right.
 * @param {string} text @param {number} digits @returns {string | null} */
function evenOnTie(text, digits) {
  const end = text.indexOf(".") + 1 + digits;
  const isTie = /^50*$/.test(text.slice(end));
  return isTie && Number(text[end - 1]) % 2 === 0 ? text.slice(0, end) : null;
}

/** Two digits at least in the exponent. @param {string} text */
function padded(text) {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}
