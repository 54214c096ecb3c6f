/** Text that is updated less often than pictures: descriptions, tables, the doctor's verdicts, code, downloads. */
import { announce, at, find, on, write } from "../../common/elements.js";
import { fetchText, pathTo } from "../run/server.js";
import { fillConfusion, fillLosses, fillNorms, fillPredictions } from "./tables.js";
import { courseInWords, hasDropout, planeInWords } from "./words.js";

/** @typedef {import("../draw/boundary.js").Boundary} Boundary */
/** @typedef {import("../draw/colours.js").Palette} Palette */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */

const PAUSE = 600; // debounce of requests to the doctor, which are slow

/** @param {string} id */
export const isOpen = (id) => {
  const box = document.getElementById(id);
  return box instanceof HTMLDetailsElement && box.open;
};

export class Reading {
  /** @param {Palette} palette @param {Boundary} boundary @param {(sample: number) => string} openLink */
  constructor(palette, boundary, openLink) {
    this.palette = palette;
    this.boundary = boundary;
    this.openLink = openLink;
    /** @type {Run | null} */ this.run = null;
    /** Called with the doctor's list on the run shown. @type {(list: Element) => void} */ this.onVerdicts = () => {};
    /** The run whose loss is no longer finite. @type {Run | null} */ this.lost = null;
    this.announced = "";
    this.examined = "";
    this.coded = "";
    this.examining = new AbortController();
    /** @type {number | undefined} */ this.timer = undefined;
    on("code-as", "change", () => this.showCode());
  }

  /** @param {Palette} palette */
  recolour(palette) {
    this.palette = palette;
  }

  /** Update the text, a few times a second during playback. @param {Run} run @param {Snapshot} snapshot */
  settle(run, snapshot) {
    this.run = run;
    const { setup } = run;
    write(at("loss-words"), courseInWords(setup, run.losses, snapshot));
    write(at("predictions-aside"), hasDropout(setup) ? "against targets, without dropout" : "against targets");
    const words = planeInWords(setup, snapshot);
    write(at("plot-words"), words);
    at("boundary").setAttribute("aria-label", words);
    write(at("network-words"), `A network of ${setup.layers.join(", ")} neurons at step ${snapshot.step}. Arrow keys move between neurons, Enter shows the weights of one.`);
    if (isOpen("predictions") && snapshot.predictions) {
      fillConfusion(at("confusion"), setup, snapshot);
      fillPredictions(at("predictions-body"), setup, snapshot, this.openLink);
    }
    if (isOpen("losses")) fillLosses(at("losses-body"), run.losses, snapshot);
    if (isOpen("norms")) {
      if (!snapshot.isRough) fillNorms(at("norms-body"), snapshot);
      this.#drawNorms(run);
    }
    if (isOpen("histograms")) this.#drawHistograms(run, snapshot);
    this.#showLinks(run, snapshot.step);
    if (!Number.isFinite(snapshot.loss) && this.lost !== run) {
      this.lost = run; // a run that is lost is told while it plays
      this.#examine(run, snapshot);
    }
  }

  /** The chart's script is fetched when the panel is open for the first time. @param {Run} run */
  async #drawNorms({ snapshots, setup }) {
    const found = await import("../draw/norms.js").catch(() => null); // the server may be away
    found?.drawNorms(find("norms-canvas", "canvas"), snapshots, setup.steps, this.palette);
    found?.drawUpdates(find("updates-canvas", "canvas"), snapshots, setup.steps, this.palette);
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  async #drawHistograms({ setup }, snapshot) {
    const found = await import("../draw/histograms.js").catch(() => null);
    found?.drawHistograms(find("histograms-canvas", "canvas"), setup, snapshot, this.palette);
  }

  /** Announce the state and request the diagnosis when playback has stopped. @param {Run} run @param {Snapshot} snapshot */
  rest(run, snapshot) {
    const course = `Step ${snapshot.step}: ${courseInWords(run.setup, run.losses, snapshot)}.`;
    if (course !== this.announced) announce(course, "step");
    this.announced = course;
    if (isOpen("code")) this.showCode();
    clearTimeout(this.timer);
    if (snapshot.predictions) this.timer = window.setTimeout(() => this.#examine(run, snapshot), PAUSE);
  }

  /** @param {Run} run @param {Snapshot} snapshot */
  async #examine(run, snapshot) {
    const what = `${run.query} ${snapshot.step}`;
    if (what === this.examined) return;
    this.examined = what;
    this.examining.abort();
    this.examining = new AbortController();
    const list = at("doctor-list");
    // The run itself may need no server: the page has no problem to report.
    const away = (/** @type {string | null} */ words) => this.#leaveUndiagnosed(list, words);
    try {
      list.innerHTML = await fetchText(pathTo("examination", run.query, { step: snapshot.step }), this.examining.signal, away); // made by the server, which escapes all text
      const count = list.querySelectorAll(":scope > :not(.well)").length;
      if (this.run === run) this.onVerdicts(list);
      this.#mark(count);
    } catch {
      if (this.examined === what) this.examined = ""; // retried at the next step
    }
  }

  /** A diagnosis of another run or step must not stand beside this one. @param {HTMLElement} list @param {string | null} why */
  #leaveUndiagnosed(list, why) {
    const words = Object.assign(document.createElement("li"), { textContent: `No diagnosis of this step yet. ${why}` });
    list.replaceChildren(words);
    this.#mark(0);
  }

  /** Mark the doctor with the number of illnesses. @param {number} count */
  #mark(count) {
    at("doctor").toggleAttribute("data-ill", count > 0);
    write(at("doctor").querySelector("[data-count]") ?? at(""), count ? String(count) : "");
  }

  async showCode() {
    const as = find("code-as", "select").value;
    const query = `${this.run?.query}&as=${as}`;
    if (!this.run || query === this.coded) return;
    this.coded = query;
    try {
      const text = await fetchText(pathTo("code", query));
      if (this.coded === query) write(at("code-text"), text);
    } catch (error) {
      if (this.coded === query) write(at("code-text"), error instanceof Error ? error.message : "");
      this.coded = "";
    }
  }

  /** @param {Run} run @param {number} step */
  #showLinks({ query }, step) {
    for (const [id, name, more] of /** @type {const} */ ([
      ["csv-link", "losses.csv", {}], ["svg-link", "loss.svg", { step }], ["png-link", "boundary.png", { step, ...this.boundary.looks }], ["network-link", "network.svg", { step }],
      ["json-link", "state", { step }], ["weights-link", "weights", { step }], ["npz-link", "weights", { step, as: "npz" }],
    ])) {
      const element = at(id);
      if (element instanceof HTMLAnchorElement) element.href = pathTo(name, query, more);
    }
  }
}
