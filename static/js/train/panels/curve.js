/** The loss panel: the chart, its scale and zoom, and pinned runs. */
import { announce, at, find, on, toggle } from "../../common/elements.js";

/** @typedef {import("../draw/chart.js").Chart} Chart */
/** @typedef {import("../draw/colours.js").Palette} Palette */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./notice.js").Notice} Notice */
/** @typedef {import("./pins.js").Pins} Pins */

export class Curve {
  /** @param {Player} player @param {Chart} chart @param {Pins} pins @param {PageAddress} address @param {Notice} notice */
  constructor(player, chart, pins, address, notice) {
    this.player = player;
    this.chart = chart;
    this.pins = pins;
    this.address = address;
    this.notice = notice;
    this.#wireScale();
    this.#wireSmoothing();
    this.#wirePins();
    chart.onZoom = () => (at("unzoom").hidden = chart.zoomed === null);
    on("unzoom", "click", () => chart.unzoom());
  }

  #wireScale() {
    const { chart, address } = this;
    chart.isLog = address.start.isLog;
    at("log-scale").setAttribute("aria-pressed", String(chart.isLog));
    address.state("scale", () => (chart.isLog ? ["log"] : []));
    on("log-scale", "click", (event) => {
      chart.setLog(toggle(event.currentTarget));
      address.note();
    });
  }

  #wireSmoothing() {
    const { chart, address } = this;
    const slider = find("smoothing", "input");
    chart.smoothing = address.start.smoothing;
    slider.value = String(chart.smoothing);
    const tell = () => (at("key-smoothed").hidden = !chart.smoothing);
    tell();
    address.state("smooth", () => (chart.smoothing ? [chart.smoothing] : []));
    slider.addEventListener("input", () => {
      chart.smooth(Number(slider.value));
      tell();
      address.note();
    });
  }

  #wirePins() {
    const { chart, pins, address } = this;
    address.state("pin", () => pins.own.map(({ query }) => query));
    pins.onChange = () => {
      chart.pins = pins.pins;
      chart.build();
      address.note();
    };
    on("pin", "click", () => this.#pin());
  }

  async #pin() {
    const { run } = this.player;
    if (!run) return;
    await this.pin(run.query);
    announce("The run is pinned: its loss stays on the chart.");
  }

  /** @param {string} query */
  pin(query) {
    return this.pins.add(query).catch((error) => this.notice.refuse(error));
  }

  /** @param {Run} run @param {import("../run/types.js").Snapshot} snapshot */
  settle(run, snapshot) {
    this.pins.settle(run, snapshot);
  }

  revise = this.load;

  /** @param {Run} run */
  load(run) {
    this.pins.load(run);
    this.chart.load(run);
  }

  /** @param {Snapshot} snapshot */
  draw(snapshot) {
    const step = this.player.at;
    const { wholeLoss } = snapshot;
    this.player.losses?.note(snapshot);
    this.player.losses?.end(snapshot);
    this.chart.draw(step, step === snapshot.step ? wholeLoss ?? snapshot.loss : NaN);
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.pins.recolour(palette.runs);
    this.chart.palette = palette;
    this.chart.build();
  }
}
