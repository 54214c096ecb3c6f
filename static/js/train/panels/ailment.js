/**
 * What leaves nothing of a run, such as nan, divergence or nothing learnt, said beside its figures, and the link that
 * tries the cure: the sick run stays on the chart, pinned, while the cured one is trained.
 */
import { announce, at } from "../../common/elements.js";
import { pathTo } from "../run/server.js";

/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {{name: string, message: string, advice: string, grave: boolean, cured: string}} Verdict  cured: the query of the
 *   run with the cure, "" without one */

export class Ailment {
  /** @param {Player} player @param {{pin: (query: string) => Promise<void>}} curve @param {{start: (query: string) => Promise<void>}} loader */
  constructor(player, curve, loader) {
    this.player = player;
    /** Called with the queries of the sick and of the cured run. @type {(sick: string, cured: string) => Promise<void>} */
    this.onCure = async (sick, cured) => {
      await curve.pin(sick);
      await loader.start(cured);
      announce("The cured run is trained. The loss of the sick run stays on the chart.");
    };
    document.addEventListener("click", (event) => this.#try(event));
  }

  /** Another run has not been examined yet. */
  load() {
    this.show([]);
  }

  /** @param {Verdict[]} verdicts of the run shown */
  show(verdicts) {
    const found = verdicts.find(({ grave }) => grave);
    const note = at("ailment");
    note.hidden = !found;
    note.replaceChildren(...(found ? said(found, this.player.run?.query ?? "") : []));
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

/** A verdict in words, with the link to the cured run. @param {Verdict} verdict @param {string} query of the sick run */
export function said({ name, message, advice, cured }, query) {
  const title = document.createElement("b");
  title.textContent = name.replaceAll("_", " ");
  const words = document.createElement("p");
  words.textContent = message;
  const last = Object.assign(document.createElement("p"), { className: "advice", textContent: advice });
  if (cured) {
    const link = Object.assign(document.createElement("a"), { className: "button cure", textContent: "Try the cure", href: pathTo("", cured, { pin: query }) });
    link.title = "Pins this run's loss and trains the cured run beside it";
    link.dataset.cured = cured;
    last.append(" ", link);
  }
  return [title, words, last];
}
