/** The chooser of scenes: a list with buttons for the scene before and the one after. */

const CONTROLS = ".scenes select, .scenes button";

/** The scene of a server's response, also of one without a picture; null: the last one. @param {ParentNode} response */
export function sceneOf(response) {
  const value = response.querySelector("#scene option[selected]")?.getAttribute("value");
  return value ? Number(value) : null;
}

export class Scenes {
  /** @param {(scene: number | null) => void} onChoose called with the id of another scene; null: the last one */
  constructor(onChoose) {
    /** @type {string | null} the control that has the focus once the scene is drawn */ this.focusNext = null;
    const choose = (/** @type {HTMLSelectElement} */ list) => {
      this.focusNext = document.activeElement?.matches(CONTROLS) ? document.activeElement.id : null;
      onChoose(list.value ? Number(list.value) : null);
    };
    document.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLSelectElement && target.id === "scene") choose(target);
    });
    document.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? target.closest("#scene-back, #scene-forward") : null;
      const list = /** @type {HTMLSelectElement | null} */ (document.getElementById("scene"));
      if (!button || !list) return;
      list.selectedIndex += button.id === "scene-back" ? -1 : 1;
      choose(list);
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
