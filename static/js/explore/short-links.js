/**
 * Links in parts of the page that are fetched leave out the program that the page holds: each would repeat its text.
 * They are completed when one is pointed at, focused or followed.
 */
import { addressQuery } from "./address.js";

const PLACES = /^\/(graph\.svg)?$/;

export class ShortLinks {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage }) {
    this.stage = stage;
    this.program = "";
    /** The parameter of that program. */ this.written = "";
    for (const name of ["pointerdown", "focusin", "contextmenu", "click"]) {
      document.addEventListener(name, (event) => this.#complete(event.target), { capture: true });
    }
  }

  /** @param {EventTarget | null} target */
  #complete(target) {
    const anchor = target instanceof Element ? target.closest("#result a[href]") : null;
    const [place, query = null] = (anchor?.getAttribute("href") ?? "").split("?");
    if (!anchor || query === null || !PLACES.test(place)) return;
    const params = new URLSearchParams(query);
    if (params.has("program") || params.has("packed")) return;
    anchor.setAttribute("href", `${place}?${[this.#parameter, query].filter(Boolean).join("&")}`);
  }

  get #parameter() {
    const program = this.stage.trace?.program ?? "";
    if (program !== this.program) {
      this.program = program;
      const rest = { leaves: new Map(), lenses: new Map(), scene: null, frame: null, direction: null, grouped: null, open: null };
      this.written = String(addressQuery({ program, ...rest }));
    }
    return this.written;
  }
}
