/** Compression by DEFLATE (RFC 1951), synchronously: one block with codes of its own. */
import { BACK, DISTANCES, END, LITERALS, MATCHES, ORDER, firstCodes, rangeOf } from "./huffman.js";

const WINDOW = 32768;
const LONGEST = 258;
const TRIED = 64; // earlier places that are compared at each position
const BITS = 15; // of the longest code

/** @param {Uint8Array} bytes @returns {Uint8Array} */
export function deflate(bytes) {
  const tokens = matched(bytes);
  const literals = new Array(LITERALS).fill(0);
  const distances = new Array(DISTANCES).fill(0);
  literals[END] = 1;
  for (const { literal, length, back } of tokens) {
    if (length) {
      literals[257 + rangeOf(MATCHES, length)] += 1;
      distances[rangeOf(BACK, back)] += 1;
    } else literals[literal] += 1;
  }
  const [long, far] = [lengthsOf(literals), lengthsOf(distances)];
  const out = new Bits();
  out.put(5, 3); // the last block, with codes of its own
  out.put(LITERALS - 257, 5);
  out.put(DISTANCES - 1, 5);
  out.put(ORDER.length - 4, 4);
  for (const symbol of ORDER) out.put(symbol < 16 ? 4 : 0, 3); // each length as a number of 4 bits
  for (const length of [...long, ...far]) out.put(reversed(length, 4), 4);
  write(out, tokens, codesOf(long), codesOf(far));
  return out.bytes();
}

/** @typedef {{literal: number, length: number, back: number}} Token  a match if length is not 0 */

/** The text as literals and matches with what came before. @param {Uint8Array} bytes @returns {Token[]} */
function matched(bytes) {
  const heads = new Int32Array(1 << 15).fill(-1);
  const before = new Int32Array(bytes.length);
  const hash = (/** @type {number} */ at) => ((bytes[at] << 10) ^ (bytes[at + 1] << 5) ^ bytes[at + 2]) & 0x7fff;
  /** @type {Token[]} */ const tokens = [];
  let at = 0;
  const step = () => {
    if (at + 2 < bytes.length) {
      before[at] = heads[hash(at)];
      heads[hash(at)] = at;
    }
    at += 1;
  };
  while (at < bytes.length) {
    const start = at + 2 < bytes.length ? heads[hash(at)] : -1;
    const { length, back } = longest(bytes, at, start, before);
    tokens.push({ literal: bytes[at], length, back });
    for (let i = length || 1; i > 0; i -= 1) step();
  }
  return tokens;
}

/** @param {Uint8Array} bytes @param {number} at @param {number} start the last place with the same hash
 * @param {Int32Array} before the one before each */
function longest(bytes, at, start, before) {
  const most = Math.min(LONGEST, bytes.length - at);
  let [length, back] = [2, 0];
  for (let there = start, tries = TRIED; there >= 0 && at - there <= WINDOW && tries > 0; there = before[there], tries -= 1) {
    if (bytes[there + length] !== bytes[at + length]) continue;
    let same = 0;
    while (same < most && bytes[there + same] === bytes[at + same]) same += 1;
    if (same > length) [length, back] = [same, at - there];
    if (length === most) break;
  }
  return back ? { length, back } : { length: 0, back: 0 };
}

/** @param {Bits} out @param {Token[]} tokens @param {Code[]} literals @param {Code[]} distances */
function write(out, tokens, literals, distances) {
  for (const { literal, length, back } of tokens) {
    if (!length) {
      out.put(...literals[literal]);
      continue;
    }
    const [long, far] = [rangeOf(MATCHES, length), rangeOf(BACK, back)];
    out.put(...literals[257 + long]);
    out.put(length - MATCHES.least[long], MATCHES.extra[long]);
    out.put(...distances[far]);
    out.put(back - BACK.least[far], BACK.extra[far]);
  }
  out.put(...literals[END]);
}

/** The lengths of Huffman's codes for symbols of these counts, at most BITS.
 * @param {number[]} counts @returns {number[]} */
function lengthsOf(counts) {
  const found = huffman(counts);
  if (Math.max(...found) <= BITS) return found;
  return lengthsOf(counts.map((count) => count && Math.max(1, count >> 1))); // a flatter tree
}

/** @typedef {{count: number, symbol: number, parts: Tree[]}} Tree */

/** @param {number[]} counts @returns {number[]} */
function huffman(counts) {
  const lengths = new Array(counts.length).fill(0);
  const leaves = counts.flatMap((count, symbol) => (count ? [{ count, symbol, parts: [] }] : []));
  leaves.sort((a, b) => a.count - b.count);
  /** @type {Tree[]} joined trees, which come to be in the order of their counts */ const joined = [];
  /** @type {() => Tree} */
  const least = () => /** @type {Tree} */ (!joined.length || (leaves.length && leaves[0].count <= joined[0].count) ? leaves.shift() : joined.shift());
  while (leaves.length + joined.length > 1) {
    const [a, b] = [least(), least()];
    joined.push({ count: a.count + b.count, symbol: -1, parts: [a, b] });
  }
  /** @type {(tree: Tree, depth: number) => void} */
  const measure = ({ symbol, parts }, depth) => {
    if (parts.length) for (const part of parts) measure(part, depth + 1);
    else lengths[symbol] = Math.max(1, depth);
  };
  for (const root of [...leaves, ...joined]) measure(root, 0);
  return lengths;
}

/** @typedef {[code: number, bits: number]} Code  its first bit lowest */

/** @param {number[]} lengths @returns {Code[]} */
function codesOf(lengths) {
  const { first } = firstCodes(lengths);
  return lengths.map((bits) => (bits ? [reversed(first[bits]++, bits), bits] : [0, 0]));
}

/** @param {number} number @param {number} bits */
function reversed(number, bits) {
  let found = 0;
  for (let i = 0; i < bits; i += 1) found = (found << 1) | ((number >> i) & 1);
  return found;
}

/** Bits in the order of DEFLATE: the lowest of each byte first. */
class Bits {
  constructor() {
    /** @type {number[]} */ this.whole = [];
    this.held = 0;
    this.count = 0;
  }

  /** @param {number} number @param {number} bits at most 16 */
  put(number, bits) {
    this.held |= number << this.count;
    this.count += bits;
    for (; this.count >= 8; this.count -= 8, this.held >>>= 8) this.whole.push(this.held & 255);
  }

  bytes() {
    return Uint8Array.from(this.count ? [...this.whole, this.held & 255] : this.whole);
  }
}
