/** The chooser of scenes: a list, buttons for the scene before and the one after, and the output's curve over them. */

import { at } from "../common/elements.js";

const CONTROLS = ".scenes select, .scenes button, .scenes input";

/** The scene of a server's response, also of one without a picture; null: the last one. @param {ParentNode} response */
export function sceneOf(response) {
  const value = response.querySelector("#scene option[selected]")?.getAttribute("value");
  return value ? Number(value) : null;
}

/** The point of the curve that its slider stands at. @param {HTMLInputElement} slider */
function pointOf(slider) {
  return /** @type {HTMLOptionElement} */ (slider.list?.options[Number(slider.value)]);
}

/** Say and mark the scene that the slider stands at, before it is drawn. @param {HTMLInputElement} slider */
function preview(slider) {
  const point = pointOf(slider);
  slider.setAttribute("aria-valuetext", point.label);
  at("scene-words").textContent = point.label;
  const figure = slider.closest("figure");
  const curve = /** @type {SVGPolylineElement} */ (figure?.querySelector(".curve"));
  const { x, y } = curve.points.getItem(Number(slider.value));
  const mark = figure?.querySelector(".now");
  mark?.setAttribute("cx", String(x));
  mark?.setAttribute("cy", String(y));
}

export class Scenes {
  /** @param {(scene: number | null) => void} onChoose called with the id of another scene; null: the last one */
  constructor(onChoose) {
    /** @type {string | null} the control that has the focus once the scene is drawn */ this.focusNext = null;
    const choose = (/** @type {string | undefined} */ value) => {
      this.focusNext = document.activeElement?.matches(CONTROLS) ? document.activeElement.id : null;
      onChoose(value ? Number(value) : null);
    };
    document.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLInputElement && target.id === "scene-at") preview(target);
    });
    document.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement && target.id === "scene") choose(target.value);
      if (target instanceof HTMLInputElement && target.id === "scene-at") choose(pointOf(target).dataset.scene);
    });
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("#scene-back, #scene-forward") : null;
      const list = /** @type {HTMLSelectElement | null} */ (document.getElementById("scene"));
      if (!button || !list) return;
      list.selectedIndex += button.id === "scene-back" ? -1 : 1;
      choose(list.value);
    });
  }

  /** Restore the focus to the control that was used; at an end, to the list. */
  restoreFocus() {
    if (!this.focusNext) return;
    const control = /** @type {HTMLButtonElement | null} */ (document.getElementById(this.focusNext));
    (control?.disabled ? document.getElementById("scene") : control)?.focus({ preventScroll: true });
    this.focusNext = null;
  }
}
