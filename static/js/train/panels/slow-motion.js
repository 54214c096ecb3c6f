/**
 * One step in slow motion, frame by frame: input, forward by layer, loss, backward by layer, update. The frames are the
 * server's; here are the way through them and their texts.
 */
import { at, on } from "../../common/elements.js";
import { Phases } from "../draw/phases.js";
import { fetchJson, pathTo } from "../run/server.js";
import { FramePanel } from "./frame-panel.js";

/** @typedef {import("../draw/links.js").Links} Links */
/** @typedef {import("../draw/network.js").Network} Network */
/** @typedef {import("../draw/network.js").Neuron} Neuron */
/** @typedef {import("../draw/phases.js").Frame} Frame */
/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {import("./plane.js").Plane} Plane */
/** @typedef {{step: number, sample: number, neurons: number[], frames: Frame[]}} Story */

const TYPED = "input:not([type=radio], [type=checkbox]), textarea, select, dialog *, #inspector *";

export class SlowMotion {
  /** @param {Screen} screen @param {Network} network @param {Links} links @param {Notice} notice @param {Plane} plane @param {PageAddress} address */
  constructor(screen, network, links, notice, plane, address) {
    this.player = screen.player;
    this.notice = notice;
    this.plane = plane;
    this.address = address;
    this.button = at("phases");
    this.phases = new Phases(network, links);
    this.panel = new FramePanel(at("below"), { back: () => this.#move(-1), on: () => this.#move(1), end: () => this.stop() });
    this.isOn = false;
    /** @type {Story | null} */ this.story = null;
    /** The name of the frame shown, or that to be shown; "last" is the last one. */ this.name = "input";
    /** The chosen sample; null is the first of each batch. @type {number | null} */ this.sample = null;
    /** The chosen neuron of each layer. @type {number[]} */ this.neurons = [];
    this.step = -1;
    this.asking = new AbortController();
    on("phases", "click", () => (this.isOn ? this.stop() : this.begin()));
    address.state("phase", () => (this.isOn ? [this.#place()] : []));
    document.addEventListener("keydown", (event) => this.#onKey(event), { capture: true });
    at("predictions-body").addEventListener("click", (event) => this.#onRow(event), { capture: true });
  }

  get #frame() {
    const { frames } = this.story ?? { frames: [] };
    return frames.find(({ name }) => name === this.name) ?? (this.name === "last" ? frames.at(-1) : frames[0]);
  }

  /** The frame as text of the address: its name, the neuron and the chosen sample. */
  #place() {
    const neuron = this.#frame?.neuron ?? 0;
    return [this.name, neuron, ...(this.sample === null ? [] : [this.sample])].join(",");
  }

  /** Begin at a place of the address. @param {string} place */
  restore(place) {
    if (!place) return;
    const [name, neuron, sample] = place.split(",");
    const layer = Number(name.split("-")[1] ?? 0);
    this.name = name;
    this.sample = /^\d+$/.test(sample ?? "") ? Number(sample) : null;
    if (layer) this.neurons = [...Array(layer - 1).fill(0), Number.parseInt(neuron, 10) || 0];
    this.begin();
  }

  /** Be at a place of another address; without one, slow motion is off there. @param {string} place */
  turn(place) {
    if (place) this.restore(place);
    else this.stop();
  }

  async begin() {
    const { player } = this;
    const { run } = player;
    if (!run) return;
    player.pause();
    this.isOn = true;
    this.button.setAttribute("aria-pressed", "true");
    const step = Math.min(player.at, run.setup.steps - 1);
    if (step !== player.at) player.go(step);
    await this.#tell(step);
  }

  stop() {
    if (!this.isOn) return;
    this.isOn = false;
    this.asking.abort();
    this.button.setAttribute("aria-pressed", "false");
    this.phases.clear();
    this.panel.hide();
    this.plane.boundary.tell(null);
    this.story = null;
    this.name = "input";
    this.address.note();
    if (this.panel.hadFocus) this.button.focus();
  }

  /** A new run has other samples and neurons. */
  load() {
    this.stop();
    [this.sample, this.neurons] = [null, []];
  }

  revise() {
    if (this.isOn) this.#tell(this.step);
  }

  /** Tell the same frame of another step. @param {number} step */
  move(step) {
    if (this.isOn && step !== this.step) this.#tell(step);
  }

  /** Repaint after a layout. */
  repaint() {
    const frame = this.#frame;
    if (this.isOn && frame) this.phases.paint(frame);
  }

  /** Tell the frames of a sample; false if slow motion is off. @param {number} sample */
  choose(sample) {
    if (!this.isOn) return false;
    this.sample = sample;
    this.#tell(this.step);
    return true;
  }

  /** Explain a neuron in the frame of its layer; false if slow motion is off. @param {Neuron} neuron */
  pick({ layer, index }) {
    if (!this.isOn || !this.story) return this.isOn;
    const phase = this.#frame?.phase ?? "";
    this.neurons = this.story.neurons.with(layer - 1, index);
    this.name = `${["backward", "update"].includes(phase) ? phase : "forward"}-${layer}`;
    this.#tell(this.step);
    return true;
  }

  /** @param {number} step */
  async #tell(step) {
    const { run } = this.player;
    if (!run) return;
    this.step = step;
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const more = { step, neuron: this.neurons.join(","), ...(this.sample === null ? {} : { sample: this.sample }) };
    try {
      const story = await fetchJson(pathTo("frames", run.query, more), signal);
      if (signal.aborted) return;
      this.story = story;
      this.#show();
    } catch (error) {
      if (signal.aborted) return;
      this.stop();
      this.notice.refuse(error);
    }
  }

  #show() {
    const { story } = this;
    const frame = this.#frame;
    if (!story || !frame) return;
    this.name = frame.name;
    this.phases.paint(frame);
    this.panel.show(frame, story.frames.indexOf(frame) + 1, story.frames.length, story.step);
    this.plane.boundary.tell(story.sample);
    this.address.note();
  }

  /** To the next frame or the one before; from the ends, to the step beside this one. @param {1 | -1} by */
  #move(by) {
    const { story, player } = this;
    const frame = this.#frame;
    if (!story || !frame || !player.run) return;
    const next = story.frames[story.frames.indexOf(frame) + by];
    if (next) {
      this.name = next.name;
      return this.#show();
    }
    const step = this.step + by;
    if (step < 0 || step > player.run.setup.steps) return;
    this.name = by > 0 ? "input" : "last";
    player.go(step);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.isOn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches(TYPED)) return;
    if (event.key === "Escape") this.stop();
    else if (event.key === "ArrowRight") this.#move(1);
    else if (event.key === "ArrowLeft") this.#move(-1);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** A click on a sample's number in the table. @param {MouseEvent} event */
  #onRow(event) {
    const link = event.target instanceof Element ? event.target.closest("tr[data-sample] a") : null;
    const row = /** @type {HTMLElement | null} */ (link?.closest("tr") ?? null);
    if (!this.isOn || !row) return;
    event.preventDefault();
    this.choose(Number(row.dataset.sample));
  }
}
