/** The view controls: direction, grouping and open groups. */
import { at } from "../common/elements.js";

/** @typedef {import("./address.js").Goal} Goal */

export class ViewControls {
  /** @param {HTMLFormElement} form @param {() => void} onChange another shape is wanted */
  constructor(form, onChange) {
    this.grouped = /** @type {HTMLInputElement} */ (document.querySelector("input[name=grouped]"));
    /** The open groups, separated by commas; disabled: the server chooses. */
    this.open = /** @type {HTMLInputElement} */ (form.elements.namedItem("open"));
    this.directions = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("input[name=direction]")]);
    document.querySelector(".tools")?.addEventListener("change", () => {
      this.open.disabled = true;
      onChange();
    });
  }

  /** The view as query parameters. */
  get state() {
    return {
      direction: this.directions.find(({ checked }) => checked)?.value === "TB" ? "TB" : "LR",
      grouped: this.grouped.checked,
      open: this.open.disabled ? null : this.open.value,
    };
  }

  /** The page's own address: the server has written the controls, and ticks "grouped" by itself for a large graph.
   * @param {Goal} goal */
  begin(goal) {
    this.grouped.checked = goal.grouped;
    this.open.disabled = goal.open === null;
  }

  /** @param {Goal} goal */
  take(goal) {
    this.begin(goal);
    this.open.value = goal.open ?? "";
    for (const radio of this.directions) radio.checked = radio.value === goal.direction;
  }

  /** @param {string[]} groups */
  openGroups(groups) {
    this.open.disabled = false;
    this.open.value = groups.join(",");
  }

  /** Grouping is offered where there is a group beside formulas, and where it can be taken back.
   * @param {import("./trace.js").Trace | null} trace */
  offerGroups(trace) {
    at("grouped").hidden = !trace || (trace.groups.every(({ kind }) => kind === "formula" || kind === "array") && !this.grouped.checked);
  }
}
