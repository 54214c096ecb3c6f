/** The control of a leaf on its card, tied to the leaf's own row: a change of either is a change of both. */

export class CardLeaf {
  constructor() {
    this.key = "";
    // Before the row's own listener, which then takes the change of the row as if typed there.
    document.addEventListener("input", (event) => this.#input(/** @type {HTMLElement} */ (event.target)), { capture: true });
    document.addEventListener("change", (event) => this.#pass(/** @type {HTMLElement} */ (event.target)), { capture: true });
  }

  /** @param {string} key of the leaf, as in its row @returns {{slider: HTMLInputElement, field: HTMLInputElement} | null} */
  #row(key) {
    const row = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#leaves .leaf"))].find((each) => each.dataset.key === key);
    const [slider, field] = ["range", "number"].map((type) => /** @type {HTMLInputElement | null} */ (row?.querySelector(`input[type=${type}]`) ?? null));
    return slider && field ? { slider, field } : null;
  }

  /** Put the control of a leaf into its room, if it has a row; else nothing. @param {HTMLElement} room */
  load(room) {
    const row = this.#row(room.dataset.key ?? "");
    if (!row) return room.replaceChildren();
    if (!room.querySelector("input")) room.replaceChildren(this.#control("range", row.slider), this.#control("number", row.field));
    this.#mirror(room, row);
  }

  /** @param {string} type @param {HTMLInputElement} like */
  #control(type, like) {
    const name = like.closest(".leaf")?.querySelector("label")?.textContent ?? "";
    const control = Object.assign(document.createElement("input"), { type, step: like.step });
    control.setAttribute("aria-label", `${name} on its card, ${type === "range" ? "slider" : "number"}`);
    return control;
  }

  /** @param {HTMLElement} room @param {{slider: HTMLInputElement, field: HTMLInputElement}} row */
  #mirror(room, { slider, field }) {
    const [own, number] = /** @type {NodeListOf<HTMLInputElement>} */ (room.querySelectorAll("input"));
    [own.min, own.max, own.value] = [slider.min, slider.max, slider.value];
    own.style.setProperty("--at", slider.style.getPropertyValue("--at"));
    if (document.activeElement !== number) number.value = field.value && (field.dataset.value ?? field.value);
  }

  /** @param {HTMLElement} target */
  #input(target) {
    const room = /** @type {HTMLElement | null} */ (target.closest("#card-leaf"));
    if (!room) {
      if (target.closest("#leaves")) window.setTimeout(() => this.#follow());
      return;
    }
    const row = this.#row(room.dataset.key ?? "");
    const input = /** @type {HTMLInputElement} */ (target);
    if (!row || !Number.isFinite(input.valueAsNumber)) return;
    const own = input.type === "range" ? row.slider : row.field;
    own.value = input.value;
    own.dispatchEvent(new Event("input", { bubbles: true }));
    this.#mirror(room, row);
  }

  /** The end of a change: pass it on to the row. @param {HTMLElement} target */
  #pass(target) {
    const room = /** @type {HTMLElement | null} */ (target.closest("#card-leaf"));
    const row = room && this.#row(room.dataset.key ?? "");
    row?.slider.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #follow() {
    const room = document.getElementById("card-leaf");
    const row = room && this.#row(room.dataset.key ?? "");
    if (room && row && room.querySelector("input")) this.#mirror(room, row);
  }
}
