/** The state of the page in its address: the run, the step and the view. */
import { Link } from "../../common/link.js";

/** @typedef {import("./player.js").Player} Player */

/** Parameters of the page, as opposed to those of the run, in canonical order. */
const OWN = ["step", "scale", "smooth", "right", "speed", "hide", "pin", "tab", "phase", "plane", "space", "check", "flat", "tests"];

/** The parts of an address. @param {string} search */
export function partsOf(search) {
  const params = new URLSearchParams(search);
  const run = new URLSearchParams([...params].filter(([name]) => !OWN.includes(name)));
  return {
    run: String(run),
    step: Math.max(0, Number.parseInt(params.get("step") ?? "0", 10) || 0),
    pins: params.getAll("pin"),
    isLog: params.get("scale") === "log",
    smoothing: Math.min(Math.max(Number(params.get("smooth")) || 0, 0), 0.99),
    hide: params.get("hide") ?? "",
    speed: params.get("speed") ?? "",
    right: params.get("right") ?? "",
    phase: params.get("phase") ?? "",
    plane: params.get("plane") ?? "",
    space: params.get("space") ?? "",
    isFlat: params.get("flat") === "1",
    hasTests: params.get("tests") !== "0",
  };
}

/** The address bar. Each part of the page registers its own parameters. */
export class PageAddress extends Link {
  /** @param {Player} player */
  constructor(player) {
    super(() => this.#written());
    this.player = player;
    /** The address that the page was opened with, parsed. */ this.start = partsOf(location.search);
    /** @type {Map<string, () => (string | number)[]>} */ this.own = new Map();
    this.state("step", () => (player.at ? [player.at] : []));
    this.state("hide", () => (this.start.hide ? [this.start.hide] : []));
    // Before leaving the page, so that the back button returns to this step.
    document.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a[href]")) this.write();
    }, { capture: true });
  }

  /** Register a parameter, repeated for each value. @param {string} name @param {() => (string | number)[]} values */
  state(name, values) {
    this.own.set(name, values);
  }

  #written() {
    const { run } = this.player;
    if (!run) return location.pathname + location.search;
    const own = OWN.flatMap((name) => (this.own.get(name)?.() ?? []).map((value) => `${name}=${encodeURIComponent(value)}`));
    return `/train?${[run.query, ...own].join("&")}`;
  }

  rest() {
    this.note();
  }
}
