/** The view controls: direction, values or boxes, and open groups. What is not chosen is left to the server. */
import { at } from "../common/elements.js";

/** @typedef {import("./address.js").Goal} Goal */

export class ViewControls {
  /** @param {HTMLFormElement} form @param {() => void} onChange another shape is wanted */
  constructor(form, onChange) {
    /** The open groups, separated by commas; disabled: the server chooses. */
    this.open = /** @type {HTMLInputElement} */ (form.elements.namedItem("open"));
    /** @type {string | null} */ this.direction = null;
    /** @type {boolean | null} */ this.grouped = null;
    // A click on the direction that the server has chosen makes it the visitor's.
    document.querySelector(".tools")?.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === "direction") this.direction = target.value;
    });
    document.querySelector(".tools")?.addEventListener("change", (event) => {
      const { name, value } = /** @type {HTMLInputElement} */ (event.target);
      if (name === "direction") this.direction = value;
      if (name === "grouped") this.grouped = value === "1";
      this.open.disabled = true;
      onChange();
    });
  }

  /** The view as query parameters. */
  get state() {
    return { direction: this.direction, grouped: this.grouped, open: this.open.disabled ? null : this.open.value };
  }

  /** The page's own address. @param {Goal} goal */
  begin(goal) {
    this.direction = goal.direction;
    this.grouped = goal.grouped;
    this.open.disabled = goal.open === null;
  }

  /** @param {Goal} goal */
  take(goal) {
    this.begin(goal);
    this.open.value = goal.open ?? "";
  }

  /** The picture keeps its direction, though another one may suit the new shape. @param {string[]} groups */
  openGroups(groups) {
    this.direction = document.getElementById("picture")?.dataset.direction ?? this.direction;
    this.open.disabled = false;
    this.open.value = groups.join(",");
  }

  /** Show what is drawn. Boxes are offered where there is a group beside formulas, and where they can be taken back.
   * @param {import("./trace.js").Trace | null} trace */
  offerGroups(trace) {
    const { direction, grain } = document.getElementById("picture")?.dataset ?? {};
    check("direction", direction ?? this.direction ?? "LR");
    check("grouped", grain ? String(Number(grain === "boxes")) : String(Number(this.grouped === true)));
    const groups = trace?.groups ?? [];
    const choice = /** @type {HTMLFieldSetElement} */ (at("grouped"));
    choice.hidden = !trace || (groups.every(({ kind }) => kind === "formula" || kind === "array") && grain !== "boxes");
    choice.disabled = choice.hidden;
  }
}

/** @param {string} name @param {string} value of the button to press */
function check(name, value) {
  for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`.tools input[name=${name}]`))) {
    radio.checked = radio.value === value;
  }
}
