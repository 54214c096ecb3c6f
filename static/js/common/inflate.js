/** Decompression of DEFLATE (RFC 1951), synchronously and up to a limit. */
import { BACK, DISTANCES, END, MATCHES, ORDER, firstCodes } from "./huffman.js";

/** The codes of the blocks that state none (RFC 1951, 3.2.6). */
const FIXED = [...new Array(144).fill(8), ...new Array(112).fill(9), ...new Array(24).fill(7), ...new Array(8).fill(8)];

/** Throws RangeError for what is no DEFLATE, or more than `most` bytes.
 * @param {Uint8Array} bytes @param {number} most @returns {Uint8Array} */
export function inflate(bytes, most) {
  const source = new Source(bytes);
  const out = new Output(most);
  let isLast = false;
  while (!isLast) {
    isLast = source.take(1) === 1;
    const kind = source.take(2);
    if (kind === 0) stored(source, out);
    else if (kind === 1) block(source, out, new Decoder(FIXED), new Decoder(new Array(DISTANCES).fill(5)));
    else if (kind === 2) block(source, out, ...codes(source));
    else throw new RangeError("no such kind of block");
  }
  if (source.at + 8 <= bytes.length * 8) throw new RangeError("more behind the end");
  return Uint8Array.from(out.bytes);
}

/** @param {Source} source @param {Output} out */
function stored(source, out) {
  source.align();
  const [size, check] = [source.take(16), source.take(16)];
  if (size !== (~check & 0xffff)) throw new RangeError("a damaged block");
  for (let i = 0; i < size; i += 1) out.put(source.take(8));
}

/** @param {Source} source @returns {[Decoder, Decoder]} for literals and distances */
function codes(source) {
  const literals = source.take(5) + 257;
  const distances = source.take(5) + 1;
  const count = source.take(4) + 4;
  const short = new Array(ORDER.length).fill(0);
  for (const symbol of ORDER.slice(0, count)) short[symbol] = source.take(3);
  const decoder = new Decoder(short);
  /** @type {number[]} */ const lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = decoder.next(source);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) repeat(lengths, lengths[lengths.length - 1], 3 + source.take(2));
    else if (symbol === 17) repeat(lengths, 0, 3 + source.take(3));
    else repeat(lengths, 0, 11 + source.take(7));
  }
  return [new Decoder(lengths.slice(0, literals)), new Decoder(lengths.slice(literals))];
}

/** @param {number[]} lengths @param {number | undefined} length @param {number} times */
function repeat(lengths, length, times) {
  if (length === undefined) throw new RangeError("nothing to repeat");
  for (let i = 0; i < times; i += 1) lengths.push(length);
}

/** @param {Source} source @param {Output} out @param {Decoder} literals @param {Decoder} distances */
function block(source, out, literals, distances) {
  for (let symbol = literals.next(source); symbol !== END; symbol = literals.next(source)) {
    if (symbol < END) out.put(symbol);
    else {
      const length = number(source, MATCHES, symbol - 257);
      out.repeat(length, number(source, BACK, distances.next(source)));
    }
  }
}

/** @param {Source} source @param {import("./huffman.js").Ranges} all @param {number} index */
function number(source, all, index) {
  if (index >= all.least.length) throw new RangeError("no such range");
  return all.least[index] + source.take(all.extra[index]);
}

/** A canonical Huffman code. */
class Decoder {
  /** @param {number[]} lengths of the codes of all symbols */
  constructor(lengths) {
    const { counts, first } = firstCodes(lengths);
    this.counts = counts;
    this.first = first;
    /** @type {number[][]} the symbols of each length */ this.symbols = counts.map(() => []);
    lengths.forEach((bits, symbol) => bits && this.symbols[bits].push(symbol));
  }

  /** @param {Source} source @returns {number} */
  next(source) {
    let code = 0;
    for (let bits = 1; bits < 16; bits += 1) {
      code = (code << 1) | source.take(1);
      const at = code - this.first[bits];
      if (at >= 0 && at < this.counts[bits]) return this.symbols[bits][at];
    }
    throw new RangeError("no such code");
  }
}

class Source {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0; // in bits
  }

  /** A number of so many bits. @param {number} bits */
  take(bits) {
    if (this.at + bits > this.bytes.length * 8) throw new RangeError("the end is missing");
    let found = 0;
    for (let i = 0; i < bits; i += 1, this.at += 1) found |= ((this.bytes[this.at >> 3] >> (this.at & 7)) & 1) << i;
    return found;
  }

  /** Go on at the next whole byte. */
  align() {
    this.at = (this.at + 7) & ~7;
  }
}

class Output {
  /** @param {number} most bytes */
  constructor(most) {
    /** @type {number[]} */ this.bytes = [];
    this.most = most;
  }

  /** @param {number} byte */
  put(byte) {
    if (this.bytes.length >= this.most) throw new RangeError("too long");
    this.bytes.push(byte);
  }

  /** @param {number} length @param {number} back */
  repeat(length, back) {
    if (back > this.bytes.length) throw new RangeError("before the beginning");
    for (let i = 0; i < length; i += 1) this.put(this.bytes[this.bytes.length - back]);
  }
}
