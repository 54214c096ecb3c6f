/** The sliders of settings: each has stops, and a text field for what lies between them. */
import { compact } from "../../common/numbers.js";

/** @typedef {import("./form.js").Form} Form */

class Knob {
  /** @param {HTMLInputElement} slider @param {Form} form */
  constructor(slider, form) {
    this.slider = slider;
    this.form = form;
    this.name = slider.dataset.knob ?? "";
    this.stops = (slider.dataset.stops ?? "").split(" ");
    this.amount = /** @type {HTMLOutputElement} */ (slider.nextElementSibling);
    slider.addEventListener("input", (event) => {
      event.stopPropagation(); // the field is the setting
      form.slide(this.name, this.stops[slider.valueAsNumber]);
      this.show();
    });
  }

  /** Show the field's number: the slider at the nearest stop. */
  show() {
    const text = this.form.text(this.name);
    const x = Number(text);
    const isNumber = text !== "" && Number.isFinite(x);
    if (isNumber) this.slider.value = String(this.#nearest(x));
    const said = !isNumber ? text : "percent" in this.slider.dataset ? `${compact(100 * x)} %` : compact(x);
    this.amount.textContent = said;
    this.slider.setAttribute("aria-valuetext", said);
    this.slider.style.setProperty("--share", String(this.slider.valueAsNumber / (this.stops.length - 1)));
  }

  /** The stop nearest to a number; in the ratio between numbers, where stops are powers. @param {number} x */
  #nearest(x) {
    const distances = this.stops.map((stop) => Math.abs(Number(stop) - x) / (Number(stop) + x || 1));
    return distances.indexOf(Math.min(...distances));
  }
}

export class Knobs {
  /** @param {Form} form */
  constructor(form) {
    const sliders = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-knob]"));
    this.knobs = [...sliders].map((slider) => new Knob(slider, form));
    form.form.addEventListener("input", () => this.show());
    form.onPut = () => this.show();
    this.show();
  }

  show() {
    for (const knob of this.knobs) knob.show();
  }

  load() {
    this.show();
  }
}
