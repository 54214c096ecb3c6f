/** The code of the run: copied, and downloaded as a program or as a notebook. */
import { announce, at, find, on, write } from "../../common/elements.js";
import { copy } from "../../common/link.js";
import { pathTo } from "../run/server.js";

/** @typedef {import("../run/run.js").Run} Run */

const SHOWN = 2000; // milliseconds for which the result of copying stands on the button

export class Code {
  constructor() {
    this.query = "";
    on("code-as", "change", () => this.#link());
    on("code-copy", "click", () => this.#copy());
  }

  /** @param {Run} run */
  settle({ query }) {
    if (query === this.query) return;
    this.query = query;
    this.#link();
  }

  #link() {
    const { value, selectedOptions } = find("code-as", "select");
    const [file, cells] = [find("code-file", "a"), find("code-notebook", "a")];
    file.href = pathTo("code", this.query, { as: value });
    file.download = selectedOptions[0]?.dataset.file ?? "";
    cells.href = pathTo("code.ipynb", this.query, { as: value });
    cells.download = file.download.replace(/\.py$/, ".ipynb");
  }

  async #copy() {
    const done = await copy(at("code-text").textContent ?? "");
    const label = at("code-copy").querySelector("[data-label]") ?? at("code-copy");
    write(label, done ? "Copied" : "Not copied");
    announce(done ? "Code copied." : "The code could not be copied.");
    window.setTimeout(() => write(label, "Copy"), SHOWN);
  }
}
