/** Which rows of the data are for testing: the same as in `engine/training/samples.py`, which draws them by seed and count. */

/** @typedef {import("./types.js").Sample} Sample */
/** @typedef {import("./types.js").Setup} Setup */

const MASK = 2n ** 64n - 1n;
const GAMMA = 0x9e3779b97f4a7c15n;
const MIX_1 = 0xbf58476d1ce4e5b9n;
const MIX_2 = 0x94d049bb133111ebn;
const SPLIT = -1n; // the epoch that is reserved for the split
const DECIMALS = 5;

/** @param {bigint} z */
function mixed(z) {
  const once = ((z ^ (z >> 30n)) * MIX_1) & MASK;
  const twice = ((once ^ (once >> 27n)) * MIX_2) & MASK;
  return twice ^ (twice >> 31n);
}

/** The places of the test samples among so many rows. @param {bigint} seed of the data @param {number} rows @param {number} tests @returns {Set<number>} */
export function tested(seed, rows, tests) {
  let state = (seed * GAMMA + SPLIT * MIX_1 + 1n) & MASK;
  const order = Array.from({ length: rows }, (_, i) => i);
  for (let i = rows - 1; i > 0; i -= 1) {
    state = (state + GAMMA) & MASK;
    const j = Number(mixed(state) % BigInt(i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return new Set(order.slice(0, tests));
}

/** Rounded as in Python: a half to the even neighbour. @param {number} x */
function rounded(x) {
  const down = Math.floor(x);
  const isHalf = x - down === 0.5;
  return isHalf ? down + (down % 2) : Math.round(x);
}

/** The share of so many samples that leaves so many of them for testing: the one before if it does. @param {number} before @param {number} rows @param {number} tests */
function shareFor(before, rows, tests) {
  return rounded(before * rows) === tests ? before : Number((tests / rows).toFixed(DECIMALS));
}

/** Samples in an order in which each stays where it is, in training or in test, with the share of the test samples.
 * @param {Sample[]} samples @param {Setup} setup of the run that they come from @returns {{samples: Sample[], share: number}} */
export function keepingSplit(samples, { spec }) {
  const tests = samples.filter(({ test }) => test);
  const others = samples.filter(({ test }) => !test);
  const places = tested(BigInt(spec.data_seed ?? spec.seed), samples.length, tests.length);
  const [test, other] = [tests.values(), others.values()];
  const inOrder = samples.map((_, i) => /** @type {Sample} */ ((places.has(i) ? test : other).next().value));
  return { samples: inOrder, share: shareFor(Number(spec.test_share), samples.length, tests.length) };
}

/** The samples of a run with their places in the data. @param {Setup} setup @returns {Sample[]} */
export const placed = ({ samples, order }) => (order.length ? samples.map((sample, i) => ({ ...sample, row: order[i] })) : samples);
