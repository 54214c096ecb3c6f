/** How the plot is drawn: its output discretised, its test samples shown or not. Both stand in the address. */
import { at, on, toggle } from "../../common/elements.js";

/** @typedef {import("../draw/boundary.js").Boundary} Boundary */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/run.js").Run} Run */

export class PlotView {
  /** @param {Boundary} boundary @param {PageAddress} address */
  constructor(boundary, address) {
    [boundary.isFlat, boundary.hasTests] = [address.start.isFlat, address.start.hasTests];
    at("flat").setAttribute("aria-pressed", String(boundary.isFlat));
    at("show-tests").setAttribute("aria-pressed", String(boundary.hasTests));
    address.state("flat", () => (boundary.isFlat ? [1] : []));
    address.state("tests", () => (boundary.hasTests ? [] : [0]));
    on("flat", "click", (event) => {
      boundary.isFlat = toggle(event.currentTarget);
      boundary.draw();
      address.note();
    });
    on("show-tests", "click", (event) => {
      boundary.hasTests = toggle(event.currentTarget);
      boundary.drawSamples();
      address.note();
    });
  }

  /** @param {Run} run */
  load({ setup }) {
    at("flat").hidden = setup.inputs !== 2;
    at("show-tests").hidden = !setup.samples.some(({ test }) => test);
  }
}
