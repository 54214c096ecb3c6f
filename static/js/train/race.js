/**
 * The entry point of the race: each run trains in this browser, all at the same step, on boards and one chart.
 *
 * Where WebAssembly is missing or the kernel cannot be fetched, a run's states come from the server.
 */
import { announce, at, data, find, on, showPlaying, toggle, write } from "../common/elements.js";
import { listenToKeys } from "../common/keyboard.js";
import { copyOnClick } from "../common/link.js";
import { Boundary } from "./draw/boundary.js";
import { Chart } from "./draw/chart.js";
import { onColours, palette } from "./draw/colours.js";
import { Board, leader } from "./panels/board.js";
import { Losses } from "./run/store.js";

/** @typedef {import("./run/types.js").Setup} Setup */
/** @typedef {{runs: {words: string, query: string, setup: Setup}[], step: number, steps: number, href: string}} Given */

const SECONDS = 8; // duration of a whole race, at 60 frames a second
const PAUSE = 350; // debounce of the address in milliseconds

class Race {
  /** @param {Given} given */
  constructor({ runs, step, steps, href }) {
    [this.at, this.steps, this.href] = [step, steps, href];
    this.each = Math.max(1, Math.ceil(steps / (60 * SECONDS)));
    this.isPlaying = false;
    this.isBusy = false;
    /** @type {number | undefined} */ this.timer = undefined;
    const colours = palette();
    this.boards = runs.map((run, i) => {
      const element = at(`board-${i}`);
      const canvas = (/** @type {string} */ name) => /** @type {HTMLCanvasElement} */ (element.querySelector(`canvas[${name}]`));
      return new Board(element, run, new Boundary(canvas("data-field"), canvas("data-dots"), colours));
    });
    this.chart = new Chart(at("loss"), colours, (goal) => this.go(goal));
    [this.chart.isLog, this.chart.isNamed] = [true, true];
    this.chart.pins = this.boards.map(({ words, run }) => ({ words, query: run.query, losses: run.losses }));
    this.scrub = find("scrub", "input");
    this.#wire();
  }

  #wire() {
    on("play", "click", () => this.#turn());
    on("reset", "click", () => this.go(0));
    on("log-scale", "click", (event) => this.chart.setLog(toggle(event.currentTarget)));
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    const by = (/** @type {number} */ steps) => () => this.go(this.at + steps);
    listenToKeys({ ArrowLeft: by(-1), ArrowRight: by(1), Home: () => this.go(0), End: () => this.go(this.steps), " ": () => this.#turn() }, this.scrub);
    copyOnClick(at("copy-link"), () => location.origin + this.link, announce);
    onColours(() => this.#recolour());
  }

  get link() {
    return `${this.href}${this.href.includes("?") ? "&" : "?"}step=${this.at}`;
  }

  async start() {
    await Promise.all(this.boards.map((board) => board.take()));
    await this.#show();
    this.chart.load({ losses: new Losses(0), setup: { steps: this.steps } });
    document.documentElement.dataset.ready = "true";
    this.chart.build();
    this.#draw();
  }

  /** Pause, and go to a step. @param {number} step */
  go(step) {
    this.#pause();
    this.at = Math.min(Math.max(step, 0), this.steps);
    return this.#show();
  }

  #turn() {
    if (this.isPlaying) return this.#pause();
    if (this.at >= this.steps) this.at = 0;
    this.isPlaying = true;
    showPlaying(at("play"), true);
    requestAnimationFrame(() => this.#tick());
  }

  #pause() {
    this.isPlaying = false;
    showPlaying(at("play"), false);
  }

  async #tick() {
    if (!this.isPlaying) return;
    this.at = Math.min(this.at + this.each, this.steps);
    await this.#show();
    if (this.at >= this.steps) this.#pause();
    else requestAnimationFrame(() => this.#tick());
  }

  /** Bring every board to the step; of several steps asked for meanwhile, the last. */
  async #show() {
    this.scrub.value = String(this.at);
    this.scrub.style.setProperty("--done", `${(this.at / this.steps) * 100}%`);
    if (this.isBusy) return;
    this.isBusy = true;
    for (let step = -1; step !== this.at;) {
      step = this.at;
      await Promise.all(this.boards.map((board) => board.go(step).catch((error) => board.fail(error))));
    }
    this.isBusy = false;
    this.#draw();
  }

  #draw() {
    for (const board of this.boards) board.draw();
    write(at("where"), `step ${this.at} of ${this.steps}`);
    this.chart.draw(this.at, NaN);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#rest(), PAUSE);
  }

  #rest() {
    if (this.isPlaying) return;
    write(at("leader"), leader(this.boards, this.at));
    history.replaceState(history.state, "", this.link);
  }

  #recolour() {
    const colours = palette();
    for (const { boundary } of this.boards) {
      boundary.palette = colours;
      boundary.drawSamples();
    }
    this.chart.palette = colours;
    this.chart.build();
    this.#draw();
  }
}

const given = data("race-data");
/** For tests: the race shown, with exact numbers. */
export const race = given && new Race(given);
race?.start();
