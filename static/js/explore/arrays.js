/** The picture of whole arrays: its frames by classes, and the cells that a cell came from and goes to. */

/** @typedef {{pass: string, active: string, data: string[], grads: string[], now: string[]}} State  the arrays known in a frame,
 *   the one whose operation it is, and those that stand out */
/** @typedef {Record<string, {args: string[], cells: number[][][]}>} Reads  by array: for each of its cells those of its arguments */

export class Arrays {
  constructor() {
    this.at = 0;
    /** @type {State[]} */ this.states = [];
    /** @type {Reads} */ this.reads = {};
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("input", (event) => {
      if (event.target instanceof HTMLInputElement && event.target.id === "array-scrubber") this.show(Number(event.target.value));
    });
    window.addEventListener("resize", () => this.reveal());
    document.addEventListener("pointerover", (event) => this.#point(event));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Take in the arrays of a new result, if it has any. */
  load() {
    const stage = document.getElementById("array-stage");
    this.states = stage ? JSON.parse(document.getElementById("array-states")?.textContent || "[]") : [];
    this.reads = stage ? JSON.parse(document.getElementById("array-reads")?.textContent || "{}") : {};
    if (stage && this.states.length) this.show(Number(stage.dataset.at));
  }

  /** @param {number} at */
  show(at) {
    const last = this.states.length - 1;
    this.at = Math.max(0, Math.min(at, last));
    const state = this.states[this.at];
    const picture = document.querySelector(".array-picture");
    if (!state || !picture) return;
    picture.classList.toggle("backward", state.pass === "backward");
    const [data, grads, now] = [new Set(state.data), new Set(state.grads), new Set(state.now)];
    for (const node of /** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll(".array-node"))) {
      const id = node.dataset.array ?? "";
      node.classList.toggle("has-data", data.has(id));
      node.classList.toggle("has-grad", grads.has(id));
      node.classList.toggle("now", now.has(id));
    }
    const active = state.active;
    for (const flow of /** @type {NodeListOf<SVGElement>} */ (picture.querySelectorAll(".flow"))) {
      flow.classList.toggle("lit", this.at > 0 && flow.dataset.to === active && (state.pass === "forward" || now.has(flow.dataset.from ?? "")));
    }
    for (const frame of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".array-frame"))) {
      frame.hidden = Number(frame.dataset.frame) !== this.at;
    }
    const where = document.getElementById("array-where");
    if (where) where.textContent = `frame ${this.at + 1} of ${last + 1}`;
    const scrubber = /** @type {HTMLInputElement | null} */ (document.getElementById("array-scrubber"));
    if (scrubber) scrubber.value = String(this.at);
    this.reveal();
  }

  /** Whether the page shows whole arrays. */
  get isShown() {
    return this.states.length > 0 && document.getElementById("array-stage") !== null;
  }

  /** Go some frames on. @param {number} by */
  move(by) {
    this.show(this.at + by);
  }

  /** Bring the cards of this frame into view, in the middle where they were not. */
  reveal() {
    const room = document.querySelector(".array-scroll");
    const boxes = [...(room?.querySelectorAll(".array-node.now .card") ?? [])].map((card) => card.getBoundingClientRect());
    if (!room || !boxes.length) return;
    const view = room.getBoundingClientRect();
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    if (top < view.top || bottom > view.bottom) room.scrollTop += Math.min((top + bottom - view.top - view.bottom) / 2, top - view.top - 8);
    if (left < view.left || right > view.right) room.scrollLeft += Math.min((left + right - view.left - view.right) / 2, left - view.left - 8);
  }

  /** @param {Event} event */
  #click(event) {
    const button = event.target instanceof Element ? event.target.closest("[data-go]") : null;
    if (!(button instanceof HTMLElement)) return;
    const steps = { first: 0, back: this.at - 1, forward: this.at + 1, last: this.states.length - 1 };
    this.show(steps[/** @type {keyof typeof steps} */ (button.dataset.go)]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (!this.states.length || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!(target instanceof Element) || target.closest("input, select, textarea, .cm-editor, [contenteditable]")) return;
    const steps = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.states.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.show(steps[/** @type {keyof typeof steps} */ (event.key)]);
  }

  /** Light the cells that the one pointed at came from, and those that it goes to. @param {Event} event */
  #point(event) {
    const picture = document.querySelector(".array-picture");
    if (!picture || !this.states.length) return;
    const cell = event.target instanceof Element ? event.target.closest(".of-data [data-cell]") : null;
    for (const lit of picture.querySelectorAll(".from, .goes, .pointed")) lit.classList.remove("from", "goes", "pointed");
    if (!(cell instanceof SVGElement)) return;
    const [id, place] = (cell.dataset.cell ?? "").split(" ");
    cell.classList.add("pointed");
    const own = this.reads[id];
    own?.args.forEach((arg, slot) => own.cells[Number(place)]?.[slot]?.forEach((at) => light(picture, arg, at, "from")));
    for (const [user, { args, cells }] of Object.entries(this.reads)) {
      if (!args.includes(id)) continue;
      cells.forEach((parts, at) => {
        if (parts.some((read, slot) => args[slot] === id && read.includes(Number(place)))) light(picture, user, at, "goes");
      });
    }
  }
}

/** @param {Element} picture @param {string} id @param {number} at @param {string} look */
function light(picture, id, at, look) {
  picture.querySelector(`.of-data [data-cell="${id} ${at}"]`)?.classList.add(look);
}
