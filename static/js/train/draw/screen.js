/**
 * What the screen shows of a run, all of it drawn in one place: once for each picture the screen
 * shows and only when something has changed; what nobody reads while it moves, a few times a second.
 */

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

/**
 * A part of the page, told of what it has a method for.
 * @typedef {object} Part
 * @property {(run: Run) => void} [load] another run is shown
 * @property {(run: Run) => void} [revise] the same run, changed by hand
 * @property {(snapshot: Snapshot, isAnew: boolean) => void} [draw] another state; `isAnew`: sizes or colours may have changed
 * @property {(step: number, run: Run) => void} [move] another step, whether its state is there yet or not
 * @property {(run: Run, snapshot: Snapshot) => void} [settle] what is read: a few times a second, and at rest
 * @property {(run: Run, snapshot: Snapshot) => void} [rest] nothing moves any more
 * @property {(palette: Palette) => void} [recolour] light has become dark, or dark light
 */

const CALM = 250; // milliseconds between two renewals of what nobody reads while it moves

export class Screen {
  /** @param {Player} player @param {Palette} palette */
  constructor(player, palette) {
    this.player = player;
    this.palette = palette;
    /** @type {Part[]} */ this.parts = [];
    /** @type {Snapshot | null} */ this.painted = null;
    this.shownStep = "";
    this.isDirty = false;
    this.isPlanned = false;
    this.calmAt = 0;
    /** @type {number | undefined} */ this.timer = undefined;
    player.watch({ onSnapshot: () => this.plan(), onPlaying: () => this.plan() });
  }

  /** Parts in the order in which they are told. @param {Part[]} parts */
  add(...parts) {
    this.parts.push(...parts);
  }

  /** Show a run. @param {Run} run @param {number} step @param {Snapshot | null} snapshot its state at that step, where it is known */
  show(run, step, snapshot = null) {
    this.player.load(run);
    if (snapshot) run.snapshots.add(snapshot);
    for (const part of this.parts) part.load?.(run);
    return this.player.go(step);
  }

  /** Go on with the same run, changed by hand, at the same step. @param {Run} run */
  revise(run) {
    const { player } = this;
    const step = player.at;
    player.load(run);
    for (const part of this.parts) part.revise?.(run);
    player.go(step);
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.palette = palette;
    for (const part of this.parts) part.recolour?.(palette);
    this.repaint();
  }

  /** Everything anew: sizes or colours have changed. */
  repaint() {
    this.isDirty = true;
    this.plan();
  }

  plan() {
    if (this.isPlanned) return;
    this.isPlanned = true;
    requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    this.isPlanned = false;
    this.player.tick();
    this.#draw();
    this.#move();
    if (this.player.waiting) this.plan();
    if (performance.now() - this.calmAt > CALM) return this.settle();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.settle(), CALM);
  }

  #draw() {
    const { snapshot } = this.player;
    if (!snapshot || (snapshot === this.painted && !this.isDirty)) return;
    const isAnew = this.isDirty;
    this.isDirty = false;
    this.painted = snapshot;
    for (const part of this.parts) part.draw?.(snapshot, isAnew);
  }

  #move() {
    const { run, at, steps } = this.player;
    if (!run || this.shownStep === `${at}/${steps}`) return;
    this.shownStep = `${at}/${steps}`;
    for (const part of this.parts) part.move?.(at, run);
  }

  settle() {
    clearTimeout(this.timer);
    this.calmAt = performance.now();
    const { player } = this;
    const { run, snapshot } = player;
    if (!run || !snapshot) return;
    for (const part of this.parts) part.settle?.(run, snapshot);
    if (player.playing) return;
    for (const part of this.parts) part.rest?.(run, snapshot);
    player.complete();
  }
}
