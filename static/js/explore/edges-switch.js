/** The switch of the edges: plain, or with contributions, for which the server draws the picture anew, at the same places. */
import { at } from "../common/elements.js";

/** @typedef {import("./lenses.js").Lens} Lens */

export class EdgesSwitch {
  /** @param {import("./stage.js").Stage} stage @param {() => void} onShape called when another picture is wanted */
  constructor(stage, onShape) {
    this.stage = stage;
    at("edges-switch").addEventListener("change", (event) => {
      event.stopPropagation(); // open groups stay open
      onShape();
    });
    // After a click the arrow keys step through frames again; reached by Tab, they turn the switch.
    at("edges-switch").addEventListener("pointerup", () => window.setTimeout(() => {
      const focused = /** @type {HTMLElement | null} */ (document.activeElement);
      if (focused?.closest("#edges-switch")) focused.blur();
    }));
  }

  get #radios() {
    return /** @type {HTMLInputElement[]} */ ([...at("edges-switch").querySelectorAll("input")]);
  }

  /** The kind of edges, as in the address. */
  get text() {
    return this.#radios.find(({ checked }) => checked)?.value || null;
  }

  /** @param {string | null} text of an address */
  take(text) {
    const radios = this.#radios;
    for (const radio of radios) radio.checked = radio.value === (text ?? "");
    if (radios.length && !radios.some(({ checked }) => checked)) radios[0].checked = true;
  }

  /** The numbers have changed: so may what a width means. */
  renew() {
    const next = /** @type {HTMLTemplateElement | null} */ (document.getElementById("strengths-next"));
    if (next) document.getElementById("strengths")?.replaceChildren(next.content.cloneNode(true));
  }
}
