/** The speed of a stream as it arrives, beside the one that was asked for. */

/** @typedef {import("./types.js").Speed} Speed */

const WINDOW = 2000; // milliseconds over which the speed is measured
const DRAWN = 25; // frames a second that are enough, as each makes up for those it has left out
const ENOUGH = 0.8; // share of the asked speed from which on nothing is said

/** A number as it is said: to two digits, so that it does not flicker. @param {number} x */
const said = (x) => Number(x.toPrecision(2)).toLocaleString("en");

/** Whether this browser keeps up with what is asked for, or at least with what arrives from the server.
 * @param {number} frame milliseconds that a frame takes here @param {Speed} speed @param {number} carried frames a second that arrive */
export function keepsUp(frame, { fps }, carried) {
  const here = 1000 / frame;
  return here >= ENOUGH * Math.min(fps, DRAWN) || here > carried;
}

export class Carried {
  /** @param {Speed} speed */
  constructor({ fps }) {
    this.period = 1000 / fps;
    /** Events of the last WINDOW: time, step and lateness at the server. @type {[number, number, number][]} */ this.events = [];
  }

  /** An event arrived; its lateness is the server's delay of the one before, in milliseconds.
   * @param {number} now milliseconds @param {number} step @param {number} late */
  note(now, step, late) {
    this.events.push([now, step, late]);
    while (this.events.length > 2 && this.events[0][0] < now - WINDOW) this.events.shift();
  }

  /** The speed in words where it is slower than asked; null where it is not, or not yet known. */
  get words() {
    const [first, last] = [this.events[0], this.events[this.events.length - 1]];
    const time = last ? last[0] - first[0] : 0;
    if (time < WINDOW / 2) return null;
    const period = time / (this.events.length - 1);
    if (this.period / period >= ENOUGH) return null;
    const steps = (1000 * (last[1] - first[1])) / time;
    const late = this.events.slice(1).reduce((sum, [, , delay]) => sum + delay, 0) / (this.events.length - 1);
    const isLine = (this.period + late) / period < ENOUGH;
    const count = `${said(steps)} ${said(steps) === "1" ? "step" : "steps"} a second`;
    return isLine ? `The line carries ${count}.` : `The server trains ${count}.`;
  }
}
