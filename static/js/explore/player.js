/** The playback of frames, independent of the picture. */

const PACE = 1000; // milliseconds per frame at speed 1

export class Player {
  /** @param {(at: number) => void} onFrame @param {(playing: boolean) => void} onPlaying */
  constructor(onFrame, onPlaying) {
    this.onFrame = onFrame;
    this.onPlaying = onPlaying;
    this.at = 0;
    this.last = 0;
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  get playing() {
    return this.timer !== undefined;
  }

  /** Start on another trace. @param {number} last @param {number} at */
  load(last, at) {
    this.pause();
    this.last = last;
    this.at = Math.min(Math.max(at, 0), last);
    this.onFrame(this.at);
  }

  /** @param {number} at */
  go(at) {
    const next = Math.min(Math.max(at, 0), this.last);
    if (next === this.at) return;
    this.at = next;
    this.onFrame(next);
  }

  /** Pause and step. @param {number} by */
  step(by) {
    this.jump(this.at + by);
  }

  /** Pause and go to a frame. @param {number} at */
  jump(at) {
    this.pause();
    this.go(at);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.last === 0) return;
    if (this.at === this.last) this.go(0);
    this.#wait();
    this.onPlaying(true);
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.onPlaying(false);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.#wait();
  }

  #wait() {
    this.timer = window.setTimeout(() => {
      this.go(this.at + 1);
      if (this.at === this.last) this.pause();
      else this.#wait();
    }, PACE / this.speed);
  }
}
