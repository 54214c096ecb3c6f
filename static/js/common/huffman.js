/** The alphabets of DEFLATE (RFC 1951) and their canonical Huffman codes. */

export const END = 256; // the symbol that ends a block
export const LITERALS = 286;
export const DISTANCES = 30;

/** The order in which a block states the lengths of the code for lengths. */
export const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Ranges of numbers that share a symbol: the least of each, and the extra bits that tell which.
 * @typedef {{least: number[], extra: number[]}} Ranges */

/** @param {number} first @param {number} each symbols per number of extra bits @param {number} count @returns {Ranges} */
function ranges(first, each, count) {
  const extra = Array.from({ length: count }, (_, i) => Math.max(0, Math.floor(i / each) - 1));
  const least = [first];
  for (const bits of extra.slice(0, -1)) least.push(least[least.length - 1] + 2 ** bits);
  return { least, extra };
}

/** Lengths of matches, from symbol 257. The longest, 258, has a symbol of its own. */
export const MATCHES = ranges(3, 4, 28);
MATCHES.least.push(258);
MATCHES.extra.push(0);

/** How far back matches lie. */
export const BACK = ranges(1, 2, DISTANCES);

/** The index of the range that a number is in. @param {Ranges} all @param {number} number */
export function rangeOf({ least }, number) {
  let low = 0;
  let high = least.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (least[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first code of each length (RFC 1951, 3.2.2). @param {ArrayLike<number>} lengths of the codes of all symbols */
export function firstCodes(lengths) {
  const counts = new Array(17).fill(0);
  for (let symbol = 0; symbol < lengths.length; symbol += 1) if (lengths[symbol]) counts[lengths[symbol]] += 1;
  const first = [0, 0];
  for (let bits = 1; bits < 16; bits += 1) first.push((first[bits] + counts[bits]) << 1);
  return { counts, first };
}
