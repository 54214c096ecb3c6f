/** A loss smoothed over the steps. */

/** @typedef {import("../run/store.js").Losses} Losses */

/**
 * The exponential moving average of the losses before each step, without its bias towards 0 at the start:
 *
 *     aₖ = w·aₖ₋₁ + (1 − w)·xₖ,   shown as aₖ / (1 − wᵏ)
 *
 * Losses that are not finite are left out. It is computed as far as losses are known.
 */
export class Smoothed {
  /** @param {Losses} losses @param {number} weight w, at least 0 and below 1 */
  constructor(losses, weight) {
    this.losses = losses;
    this.weight = weight;
    this.values = new Float64Array(losses.losses.length).fill(NaN);
    this.known = 0;
    this.sum = 0;
    this.share = 0; // of the sum that is of losses, 1 − wᵏ
  }

  /** @returns {Float64Array} */
  get all() {
    const { losses, known } = this.losses;
    for (; this.known < known; this.known += 1) {
      const x = losses[this.known];
      if (Number.isFinite(x)) {
        this.sum = this.weight * this.sum + (1 - this.weight) * x;
        this.share = this.weight * this.share + (1 - this.weight);
      }
      this.values[this.known] = Number.isFinite(x) ? this.sum / this.share : NaN;
    }
    return this.values;
  }
}
