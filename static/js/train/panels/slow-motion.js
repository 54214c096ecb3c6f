/** The button that shows one step in slow motion. */
import { at, on } from "../../common/elements.js";
import { Phases } from "../draw/phases.js";

/** @typedef {import("../draw/links.js").Links} Links */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./notice.js").Notice} Notice */

export class SlowMotion {
  /** @param {Screen} screen @param {Network} network @param {Links} links @param {Notice} notice */
  constructor(screen, network, links, notice) {
    this.player = screen.player;
    this.notice = notice;
    this.button = at("phases");
    this.words = Object.assign(document.createElement("p"), { className: "phase-words", id: "phase-words", hidden: true });
    this.words.setAttribute("role", "status");
    at("stage").append(this.words);
    this.phases = new Phases(network, links, this.words, () => {
      this.#press(false);
      screen.repaint();
    });
    on("phases", "click", () => this.#turn());
  }

  stop() {
    this.phases.stop();
  }

  load() {
    this.stop();
  }

  /** The last message stays until another step is shown. */
  move() {
    if (!this.phases.isOn) this.words.hidden = true;
  }

  /** @param {boolean} isOn */
  #press(isOn) {
    this.button.setAttribute("aria-pressed", String(isOn));
  }

  #turn() {
    const { run } = this.player;
    if (this.phases.isOn) this.stop();
    else if (run) return this.#begin(run);
  }

  /** @param {Run} run */
  async #begin(run) {
    const { player } = this;
    player.pause();
    const step = Math.min(player.at, run.setup.steps - 1);
    this.#press(true);
    try {
      const [before, after] = await Promise.all([step, step + 1].map((each) => run.source.state(each, false)));
      await player.go(step);
      run.snapshots.add(before.snapshot);
      run.snapshots.add(after.snapshot);
      this.phases.start(before.snapshot, after.snapshot, () => player.go(step + 1));
    } catch (error) {
      this.#press(false);
      this.notice.refuse(error);
    }
  }
}
