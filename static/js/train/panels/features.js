/** The input features, chosen at the network: each is a button with its map there. At least one stays. */

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./form.js").Form} Form */

const PLAIN = "x1,x2";

export class Features {
  /** @param {Form} form */
  constructor(form) {
    this.form = form;
    this.box = document.getElementById("features");
    /** @type {HTMLButtonElement[]} */ this.buttons = [...(this.box?.querySelectorAll("button") ?? [])];
    /** @type {string[]} */ this.chosen = PLAIN.split(",");
    /** Whether the data take features. */ this.isOn = false;
    this.box?.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("button") : null;
      if (button) this.#turn(button.dataset.feature ?? "");
    });
  }

  /** Another run; before the network draws it. @param {Run} run */
  load({ setup }) {
    this.isOn = setup.inputs === 2 && this.buttons.length > 0;
    if (this.box) this.box.hidden = !this.isOn;
    this.chosen = setup.spec.features ?? PLAIN.split(",");
    for (const button of this.buttons) {
      const isChosen = this.#has(button);
      button.classList.toggle("neuron", isChosen);
      button.setAttribute("aria-pressed", String(isChosen));
      button.ariaDisabled = String(isChosen && this.chosen.length === 1);
      if (isChosen) continue;
      button.querySelector("canvas")?.remove();
      button.removeAttribute("aria-label");
    }
  }

  /** @param {HTMLButtonElement} button */
  #has(button) {
    return this.chosen.includes(button.dataset.feature ?? "");
  }

  /** The number of buttons; 0 if the inputs of the network are not chosen here. */
  get count() {
    return this.isOn ? this.buttons.length : 0;
  }

  /** The lengths of their names. @returns {number[]} */
  get labels() {
    return this.isOn ? this.buttons.map((button) => button.textContent?.trim().length ?? 0) : [0];
  }

  /** Those that the network does not see, with their rows. @returns {[number, HTMLButtonElement][]} */
  get others() {
    const rows = this.isOn ? this.buttons.map((button, row) => /** @type {[number, HTMLButtonElement]} */ ([row, button])) : [];
    return rows.filter(([, button]) => !this.#has(button));
  }

  /** The row of an input of the network. @param {number} index */
  rowOf(index) {
    return this.buttons.findIndex(({ dataset }) => dataset.feature === this.chosen[index]);
  }

  /** The button of an input of the network; null if it is not chosen here. @param {number} index */
  buttonOf(index) {
    return this.isOn ? this.buttons[this.rowOf(index)] ?? null : null;
  }

  /** @param {string} name */
  #turn(name) {
    const others = this.chosen.filter((other) => other !== name);
    if (!others.length) return;
    const all = this.buttons.map(({ dataset }) => dataset.feature ?? "");
    const added = [...this.chosen, name].sort((a, b) => all.indexOf(a) - all.indexOf(b));
    this.chosen = this.chosen.includes(name) ? others : added;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.#has(button)));
    const text = this.chosen.join(",");
    this.form.choose("features", text === PLAIN ? "" : text);
  }
}
