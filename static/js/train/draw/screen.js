/**
 * The rendering loop: parts of the page are updated at most once per animation frame and only after
 * changes; text and tables are throttled further.
 */

/** @typedef {import("./colours.js").Palette} Palette */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

/**
 * A part of the page with callbacks, all optional.
 * @typedef {object} Part
 * @property {(run: Run) => void} [load] a new run
 * @property {(run: Run) => void} [revise] the same run with other edits
 * @property {(snapshot: Snapshot, isAnew: boolean) => void} [draw] a new state; `isAnew`: sizes or colours may have changed
 * @property {(step: number, run: Run) => void} [move] a new step, possibly before its state has arrived
 * @property {(run: Run, snapshot: Snapshot) => void} [settle] text to update: throttled during playback, and at rest
 * @property {(run: Run, snapshot: Snapshot) => void} [rest] playback and seeking have stopped
 * @property {(palette: Palette) => void} [recolour] a new theme
 */

const CALM = 250; // milliseconds between updates of text (throttle)

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

  /** Register parts, in the order of their callbacks. @param {Part[]} parts */
  add(...parts) {
    this.parts.push(...parts);
  }

  /** Show a run. @param {Run} run @param {number} step @param {Snapshot | null} snapshot its state at that step, if known */
  show(run, step, snapshot = null) {
    this.player.load(run);
    if (snapshot) run.snapshots.add(snapshot);
    for (const part of this.parts) part.load?.(run);
    return this.player.go(step);
  }

  /** Continue with the same run with other edits, at the same step. @param {Run} run */
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

  /** Redraw everything, after a change of sizes or colours. */
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
