/** The input features of the network: a button with a little map for each. At least one stays. */
import { at, write } from "../../common/elements.js";

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./form.js").Form} Form */

const PLAIN = "x1,x2";

export class Features {
  /** @param {Form} form */
  constructor(form) {
    this.form = form;
    this.box = at("features");
    /** @type {HTMLButtonElement[]} */ this.buttons = [...this.box.querySelectorAll("button")];
    /** @type {string[]} */ this.chosen = PLAIN.split(",");
    this.box.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#turn(button.dataset.feature ?? "");
    });
  }

  /** @param {Run} run */
  load({ setup }) {
    const field = document.querySelector(".field-features");
    if (field instanceof HTMLElement) field.hidden = setup.inputs !== 2;
    this.chosen = setup.spec.features ?? PLAIN.split(",");
    this.#show();
  }

  /** @param {string} name */
  #turn(name) {
    const others = this.chosen.filter((other) => other !== name);
    if (!others.length) return;
    const all = this.buttons.map(({ dataset }) => dataset.feature ?? "");
    const added = [...this.chosen, name].sort((a, b) => all.indexOf(a) - all.indexOf(b));
    this.chosen = this.chosen.includes(name) ? others : added;
    this.#show();
    const text = this.chosen.join(",");
    this.form.choose("features", text === PLAIN ? "" : text);
  }

  #show() {
    for (const button of this.buttons) {
      const isOn = this.chosen.includes(button.dataset.feature ?? "");
      button.setAttribute("aria-pressed", String(isOn));
      button.ariaDisabled = String(isOn && this.chosen.length === 1);
    }
    write(at("features-count"), `${this.chosen.length} of ${this.buttons.length}`);
  }
}
