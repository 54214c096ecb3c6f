/**
 * Reads the lean events of a stream (`app/train/lean.py` documents the form): each holds what changed since the
 * event before, so a reader serves one stream, from its first event on.
 */
import { numbers } from "./decode.js";

/** @typedef {import("./types.js").Answer} Answer */
/** @typedef {import("./types.js").Setup} Setup */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LEVELS = 64;
const HEIGHT = 1000; // levels of a curve over the height of the plot
const POINTS = 200; // of a curve

/** The byte of each level. */
const BYTES = Uint8Array.from({ length: LEVELS }, (_, level) => (level ? Math.round(1 + ((level - 1) * 254) / (LEVELS - 2)) : 0));
/** The level of each letter, by character code. */
const CHANGES = new Uint8Array(128);
for (let i = 0; i < LEVELS; i += 1) CHANGES[LETTERS.charCodeAt(i)] = i;

/** A picture that is known by its changes. */
class Shades {
  constructor() {
    /** @type {Uint8Array | null} */ this.levels = null;
    /** @type {Uint8Array<ArrayBuffer> | null} */ this.bytes = null;
  }

  /** The bytes after a change; the same ones if there is none. @param {string | undefined} text */
  follow(text) {
    if (!text) return this.bytes;
    const levels = (this.levels ??= new Uint8Array(text.length));
    const found = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) {
      levels[i] = (levels[i] + CHANGES[text.charCodeAt(i)]) % LEVELS;
      found[i] = BYTES[levels[i]];
    }
    this.bytes = found;
    return found;
  }
}

export class LeanReader {
  /** @param {Setup} setup @param {string} see what the stream shows */
  constructor(setup, see) {
    this.setup = setup;
    this.isRough = !see.split(",").includes("numbers");
    this.grid = new Shades();
    this.maps = new Shades();
  }

  /** The pictures of an event, in the form of a snapshot. @param {Answer} answer */
  read(answer) {
    const [grid, maps] = [this.grid.follow(answer.grid_change), this.maps.follow(answer.maps_change)];
    return { grid, maps, curve: answer.curve_levels ? this.#curve(answer.curve_levels) : null, isRough: this.isRough };
  }

  /** @param {(number | null)[][]} outputs */
  #curve(outputs) {
    const [x0, x1, y0, y1] = /** @type {number[]} */ (this.setup.bounds);
    const xs = Float64Array.from({ length: POINTS }, (_, i) => x0 + (x1 - x0) * (i / (POINTS - 1)));
    return [xs, ...outputs.map((levels) => numbers(levels).map((level) => y0 + (level * (y1 - y0)) / HEIGHT))];
  }
}
