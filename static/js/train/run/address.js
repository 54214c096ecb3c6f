/** The address of the page is its state: the run, the step, and what is seen of it. */
import { Link } from "../../common/address-bar.js";

/** @typedef {import("./player.js").Player} Player */

/** Parameters that are the page's and not the run's, in the order in which an address has them. */
const OWN = ["step", "scale", "right", "speed", "hide", "pin", "tab", "phase"];

/** The parts of an address. @param {string} search */
export function partsOf(search) {
  const params = new URLSearchParams(search);
  const run = new URLSearchParams([...params].filter(([name]) => !OWN.includes(name)));
  return {
    run: String(run),
    step: Math.max(0, Number.parseInt(params.get("step") ?? "0", 10) || 0),
    pins: params.getAll("pin"),
    isLog: params.get("scale") === "log",
    hide: params.get("hide") ?? "",
    speed: params.get("speed") ?? "",
    right: params.get("right") ?? "",
  };
}

/** The address bar. Each part of the page states its own parameters. */
export class PageAddress extends Link {
  /** @param {Player} player */
  constructor(player) {
    super(() => this.#written());
    this.player = player;
    /** What the page was opened with. */ this.start = partsOf(location.search);
    /** @type {Map<string, () => (string | number)[]>} */ this.own = new Map();
    this.state("step", () => (player.at ? [player.at] : []));
    this.state("hide", () => (this.start.hide ? [this.start.hide] : []));
    // A link leads away: the way back is to find this very step.
    document.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a[href]")) this.write();
    }, { capture: true });
  }

  /** Have a parameter in the address, as often as there are values. @param {string} name @param {() => (string | number)[]} values */
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
