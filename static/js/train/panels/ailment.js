/**
 * What leaves nothing of a run, such as nan, divergence or nothing learnt, said beside its figures, and the link that
 * tries the cure: the sick run stays on the chart, pinned, while the cured one is trained.
 */
import { announce, at } from "../../common/elements.js";

/** @typedef {import("../run/player.js").Player} Player */

export class Ailment {
  /** @param {Player} player @param {{pin: (query: string) => Promise<void>}} curve @param {{start: (query: string) => Promise<void>}} loader */
  constructor(player, curve, loader) {
    this.player = player;
    /** Called with the queries of the sick and of the cured run. @type {(sick: string, cured: string) => Promise<void>} */
    this.onCure = async (sick, cured) => {
      await curve.pin(sick);
      await loader.start(cured);
      announce("The cured run is being trained. The loss of the sick run stays on the chart.");
    };
    document.addEventListener("click", (event) => this.#try(event));
  }

  /** Another run has not been examined yet. */
  load() {
    this.show(null);
  }

  /** @param {Element | null} list the doctor's, of the run shown */
  show(list) {
    const found = list?.querySelector("[data-grave]");
    const note = at("ailment");
    note.hidden = !found;
    note.replaceChildren(...(found?.cloneNode(true).childNodes ?? []));
  }

  /** @param {MouseEvent} event */
  #try(event) {
    const link = event.target instanceof Element ? event.target.closest("a[data-cured]") : null;
    const { run } = this.player;
    if (!(link instanceof HTMLAnchorElement) || !run || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.onCure(run.query, link.dataset.cured ?? "");
  }
}
