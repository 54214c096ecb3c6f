/**
 * Number formats, identical to those of `engine/numbers.py`, which documents them.
 *
 * `toFixed` and `toExponential` round the exact decimal value of a double, but ties up; here, as in
 * Python, ties go to the even digit.
 */

const WIDTH = 11; // characters that fit on a card
const DIGITS = 4;
const NONE = "–"; // a missing number

/** The number of a JSON value, where "nan", "inf" and "-inf" encode non-finite numbers.
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
  const sign = signOf(x);
  if (size === 0 || (size >= 1e-3 && size < 1e5)) {
    const text = sign + positional(size, DIGITS);
    if (text.length <= WIDTH) return text;
  }
  const text = sign + padded(exponential(size, DIGITS));
  return text.length <= WIDTH ? text : sign + padded(exponential(size, DIGITS - 1));
}

/** The shortest representation that round-trips, formatted as in Python: "2.0", "1e+22".
 * @param {number} x @returns {string} */
export function full(x) {
  if (!Number.isFinite(x)) return special(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) return signOf(x) + padded(size.toExponential());
  return signOf(x) + (Number.isInteger(size) ? `${size}.0` : String(size));
}

/** `full(x)` without a trailing ".0": "3", "0.1", "1e-05".
 * @param {number} x @returns {string} */
export function plain(x) {
  return full(x).replace(/\.0$/, "");
}

/** `short(x)` without trailing zeros, for names: "2", "0.5".
 * @param {number} x @returns {string} */
export function spoken(x) {
  const text = short(x);
  return text.includes("e") ? text : withoutIdleZeros(text);
}

/** `spoken(x)` with a minus sign. @param {number} x @returns {string} */
export function inSentence(x) {
  return minus(spoken(x));
}

/** `short(x)` with a minus sign, and optional parentheses around a negative number; `more` is a number of further
 * decimals, without zeros at their end.
 * @param {number} x @param {boolean} [paren] @param {number} [more] @returns {string} */
export function inEquation(x, paren = false, more = 0) {
  const text = minus(longer(x, more));
  return paren && text.startsWith("−") ? `(${text})` : text;
}

/** A short format: "0.00391", "1.181", "23.40", "5.31e−5"; "–" for null.
 * @param {number | null} x @returns {string} */
export function brief(x) {
  if (x === null) return NONE;
  if (!Number.isFinite(x)) return minus(special(x));
  const size = Math.abs(x);
  if (size === 0) return "0";
  const sign = x < 0 ? "−" : "";
  if (size < 1e-3 || size >= 1e5) return sign + withShortExponent(exponential(size, size > 1 ? 1 : 2));
  return sign + positional(size, size < 0.01 ? 5 : size < 1 ? 4 : size < 10 ? 3 : size < 100 ? 2 : 1);
}

/** Four decimals, so that columns of numbers align; `brief(x)` for |x| ≥ 1e5.
 * @param {number} x @returns {string} */
export function fixed(x) {
  const size = Math.abs(x);
  return size < 1e5 ? minus(signOf(x)) + positional(size, DIGITS) : brief(x);
}

/** At most `digits` significant digits, without trailing zeros: "0.25", "20", "2e6", "5e−5".
 * @param {number} x @param {number} [digits] @returns {string} */
export function compact(x, digits = 6) {
  if (!Number.isFinite(x)) return minus(special(x));
  if (x === 0) return "0";
  const sign = x < 0 ? "−" : "";
  const [mantissa, exponent] = exponential(Math.abs(x), digits - 1).split("e");
  const power = Number(exponent);
  if (power < -4 || power >= digits) return sign + withShortExponent(`${withoutIdleZeros(mantissa)}e${exponent}`);
  return sign + String(Number(`${mantissa}e${exponent}`));
}

/** A fraction in per cent: "100%", "98.4%"; "–" for null.
 * @param {number | null} share @returns {string} */
export function percent(share) {
  if (share !== null && share > 0.999 && share < 1) return "99.9%"; // "100%" is all of them
  return share === null ? NONE : `${withoutIdleZeros(positional(100 * share, 1))}%`;
}

/** A count and its noun: "1 step", "1,200 steps".
 * @param {number} count @param {string} noun @returns {string} */
export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** `short(x)` with `more` decimals, of which those beyond its own are not idle zeros.
 * @param {number} x @param {number} more @returns {string} */
function longer(x, more) {
  const text = short(x);
  if (more === 0 || !Number.isFinite(x)) return text;
  const size = Math.abs(x);
  const digits = DIGITS + more;
  const [mantissa, exponent] = (text.includes("e") ? padded(exponential(size, digits)) : positional(size, digits)).split("e");
  const end = mantissa.length - more;
  const kept = mantissa.slice(0, end) + mantissa.slice(end).replace(/0+$/, "");
  return signOf(x) + kept + (exponent === undefined ? "" : `e${exponent}`);
}

/** @param {number} x */
function special(x) {
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/** @param {number} x */
function signOf(x) {
  return x < 0 || Object.is(x, -0) ? "-" : "";
}

/** A text of a number with a minus sign in place of the hyphen. @param {string} text */
export function minus(text) {
  return text.replaceAll("-", "−");
}

/** @param {string} text */
function withoutIdleZeros(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** At least two digits in the exponent, as in Python. @param {string} text */
function padded(text) {
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

/** "1.2e+5" as "1.2e5", "1.2e-5" as "1.2e−5". @param {string} text */
function withShortExponent(text) {
  return minus(text.replace("+", ""));
}

/** `size` < 1e21 with `digits` decimals. A tie is an odd multiple of 5 / 10^(digits + 1), and as a
 * double a multiple of 1 / 2^(digits + 1): one more decimal is exact.
 * @param {number} size @param {number} digits @returns {string} */
function positional(size, digits) {
  const usual = size.toFixed(digits);
  if (!Number.isInteger(size * 2 ** (digits + 1))) return usual;
  return toEven(size.toFixed(digits + 1)) ?? usual;
}

/** `size` > 0 with `digits` decimals of the mantissa. The mantissa of a tie has `digits` + 1 decimals,
 * the last a 5; 60 decimals are more than enough to decide whether further digits follow.
 * @param {number} size @param {number} digits @returns {string} */
function exponential(size, digits) {
  const usual = size.toExponential(digits);
  const [mantissa, exponent] = size.toExponential(digits + 1).split("e");
  const even = toEven(mantissa);
  if (even === null) return usual;
  const isHalfWay = /^0*$/.test(size.toExponential(60).split("e")[0].slice(mantissa.length));
  return isHalfWay ? `${even}e${exponent}` : usual;
}

/** A decimal without its last digit if that is a 5 after an even digit, a tie that rounds down;
 * else null. @param {string} text @returns {string | null} */
function toEven(text) {
  return /[02468]5$/.test(text) ? text.slice(0, -1) : null;
}
