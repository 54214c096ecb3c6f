/**
 * How many events a second a stream is asked for: as many as the line carries and the page draws. Fewer events have more steps each, so that
 * the run keeps its pace. A stream begins with few, as this browser may be about to train the run by itself.
 */

/** @typedef {import("./types.js").Speed} Speed */

const FEWEST = 5; // events a second, to begin with too
const SLOW = 10; // frames a second of a pace of which each is sent
const [CALM, ROUND] = [10, 20]; // events that are drawn before more are asked for; after which the rate is reviewed at the latest
const MISSED = 0.25; // of those of a round, from which on fewer are asked for

export class EventRate {
  /** @param {Speed} speed the pace of the run */
  constructor(speed) {
    this.speed = speed;
    /** Frames of the pace in an event. */ this.frames = speed.fps > SLOW ? Math.floor(speed.fps / FEWEST) : 1;
    /** The least number that this page has not failed to draw. */ this.least = 1;
    this.count = this.missed = 0;
  }

  /** The pace of the stream. @returns {Speed} */
  get asked() {
    const { every, fps } = this.speed;
    return { every: every === "fast" ? every : every * this.frames, fps: fps / this.frames };
  }

  /** An event came in time and was drawn, or not; whether another rate is to be asked for. @param {boolean} isDrawn */
  changes(isDrawn) {
    this.count += 1;
    if (!isDrawn) this.missed += 1;
    const { frames, count, missed } = this;
    if (count < (missed ? ROUND : CALM)) return false;
    if (!missed) this.frames = Math.max(this.least, Math.ceil(frames / 2));
    else if (missed >= MISSED * ROUND) {
      if (this.speed.fps / (frames + 1) >= FEWEST) this.frames += 1;
      this.least = this.frames;
    }
    this.count = this.missed = 0;
    return frames !== this.frames;
  }
}
