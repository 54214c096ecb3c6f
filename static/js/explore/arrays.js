/**
 * The picture of whole arrays: its frames by classes, the cells that a cell came from and goes to, and the cell that is
 * chosen. Player, timeline and the tools of the view are those of every picture.
 */
import { at } from "../common/elements.js";
import { READABLE, Viewport } from "./viewport.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {{pass: string, active: string, data: string[], grads: string[], now: string[]}} State  the arrays known in a frame,
 *   the one whose operation it is, and those that stand out */
/** @typedef {Record<string, {args: string[], cells: number[][][]}>} Reads  by array: for each of its cells those of its arguments */

const NARROW = 560; // width in pixels of a canvas that is one of a phone
const LEAST = 0.75; // scale of a picture there that can be read

export class Arrays {
  /** @param {Stage} stage whose view moves this picture too */
  constructor(stage) {
    window.addEventListener("resize", () => requestAnimationFrame(() => this.viewport?.view.moved || this.fit()));
    this.stage = stage;
    this.program = "";
    this.onTurn = () => {}; // the address has changed
    this.at = 0;
    /** @type {State[]} */ this.states = [];
    /** @type {Reads} */ this.reads = {};
    /** @type {Record<string, number>} the cells of a sample, by array of the batch */ this.batch = {};
    /** @type {string | null} the cell that is chosen, as in the address */ this.cell = null;
    /** @type {string | null} the label of the link along the batch that was followed */ this.walked = null;
    /** @type {SVGSVGElement | null} */ this.svg = null;
    /** @type {Viewport | null} */ this.viewport = null;
    /** @type {string | null} the cards of the picture whose view the next one takes over */ this.placed = null;
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement && target.id === "array-cell") this.choose(target.value.trim() || null);
    });
    document.addEventListener("pointerover", (event) => this.#point(event));
    document.addEventListener("htmx:after:swap", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.ctx.sourceElement !== at("array-frames")) return;
      this.show(this.at);
      if (this.walked) /** @type {HTMLElement | null} */ (document.querySelector(`[aria-label="${this.walked}"]`))?.focus({ preventScroll: true });
      this.walked = null;
    });
  }

  /** Take in the arrays of a new result, if it has any. @param {string} program */
  load(program) {
    this.program = program;
    const svg = /** @type {SVGSVGElement | null} */ (document.querySelector("#canvas > .array-picture"));
    const before = this.viewport;
    this.svg = svg;
    this.batch = svg ? JSON.parse(at("array-batch").textContent || "{}") : {};
    this.states = svg ? JSON.parse(at("array-states").textContent || "[]") : [];
    this.reads = svg ? JSON.parse(at("array-reads").textContent || "{}") : {};
    if (before) before.view.fitted = true; // the view of no picture of another kind
    const view = before && { ...before.view };
    this.viewport = null;
    if (!svg) {
      this.placed = null;
      return;
    }
    const { width, height } = svg.viewBox.baseVal;
    this.viewport = this.stage.viewport = new Viewport(at("canvas"), svg, width, height, () => {});
    const cards = [...svg.querySelectorAll(".array-node")].map((card) => card.getAttribute("aria-label")).join();
    const isSame = cards === this.placed;
    this.placed = cards;
    this.at = Number(svg.dataset.frame);
    if (isSame && view?.moved) this.viewport.restore({ ...view, fitted: false });
    else this.fit();
  }

  /** Whether the page shows whole arrays. */
  get isShown() {
    return this.svg !== null;
  }

  /** What the timeline shows of them: each frame is a step. */
  get film() {
    const { states } = this;
    const first = states.findIndex(({ pass }) => pass === "backward");
    const steps = states.map((_, frame) => ({ frame, frames: [frame], slot: null }));
    return { steps, frames: states, last: states.length - 1, firstBackward: first < 0 ? states.length : first, stepOf: (/** @type {number} */ k) => k };
  }

  /** Show the whole picture, or, where it would be too small to read, the cards of this frame. */
  fit(least = (this.viewport?.size.width ?? 0) < NARROW ? LEAST : READABLE) {
    const { viewport } = this;
    if (!viewport) return;
    viewport.measure();
    if (viewport.fitScale >= least) return viewport.fit();
    const box = this.#now();
    if (box) this.#centre(box, least, false);
    else viewport.fit();
  }

  /** Centre the cards of a frame; where these do not fit, that of its operation, as a whole.
   * @param {import("./picture.js").Box} box @param {number} least scale @param {boolean} smooth */
  #centre(box, least, smooth) {
    const { viewport } = this;
    if (!viewport) return;
    const { room } = viewport;
    const fitting = (/** @type {import("./picture.js").Box} */ { width, height }) => Math.min(room.width / width, room.height / height);
    const core = fitting(box) < least ? (this.#around([this.states[this.at]?.active]) ?? box) : box;
    const scale = core === box ? Math.min(fitting(box), 0.9) : Math.min(fitting(core), least);
    viewport.centre(core.x + core.width / 2, core.y + core.height / 2, smooth, scale, true);
  }

  /** Bring the cards of this frame into view: at the scale that the visitor chose, else at one that can be read. */
  #follow() {
    const { viewport } = this;
    const box = this.#now();
    if (!box || !viewport || viewport.view.fitted || at("follow").getAttribute("aria-pressed") !== "true") return;
    if (viewport.view.moved) viewport.reveal(box);
    else this.#centre(box, viewport.size.width < NARROW ? LEAST : READABLE, true);
  }

  /** @param {number} k */
  show(k) {
    const { svg, states } = this;
    const state = states[Math.max(0, Math.min(k, states.length - 1))];
    if (!svg || !state) return;
    this.at = states.indexOf(state);
    svg.classList.toggle("backward", state.pass === "backward");
    const [data, grads, now] = [new Set(state.data), new Set(state.grads), new Set(state.now)];
    for (const node of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(".array-node"))) {
      const id = node.dataset.array ?? "";
      node.classList.toggle("has-data", data.has(id));
      node.classList.toggle("has-grad", grads.has(id));
      node.classList.toggle("now", now.has(id));
    }
    for (const flow of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(".flow"))) {
      flow.classList.toggle("lit", this.at > 0 && flow.dataset.to === state.active && (state.pass === "forward" || now.has(flow.dataset.from ?? "")));
    }
    for (const frame of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".array-frame"))) {
      frame.hidden = Number(frame.dataset.frame) !== this.at;
    }
    this.#mark();
    this.#follow();
  }

  /** The place in the program of this frame's operation. @returns {import("./editor.js").Mark | null} */
  get mark() {
    const frame = /** @type {HTMLElement | null} */ (document.querySelector(`.array-frame[data-frame="${this.at}"]`));
    const span = (frame?.dataset.span ?? "").split(" ").map(Number);
    if (span.length < 4 || !this.states[this.at]) return null;
    return { span: /** @type {[number, number, number, number]} */ (span), callee: null, look: this.states[this.at].pass };
  }

  /** Choose a cell, or none: what the frames say of it comes from the server. @param {string | null} cell */
  choose(cell) {
    this.cell = cell;
    this.onTurn();
    at("array-frames").dispatchEvent(new Event("renew"));
  }

  /** The box around the cards of this frame. */
  #now() {
    return this.#around(this.states[this.at]?.now ?? []);
  }

  /** The box around cards. @param {string[]} ids @returns {import("./picture.js").Box | null} */
  #around(ids) {
    const now = new Set(ids);
    const cards = [...(this.svg?.querySelectorAll(".array-node") ?? [])].filter((node) => now.has(/** @type {SVGElement} */ (node).dataset.array ?? ""));
    const boxes = cards.map((node) => {
      const [x, y] = (node.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];
      const card = node.querySelector(".card");
      return { x, y, right: x + Number(card?.getAttribute("width")), bottom: y + Number(card?.getAttribute("height")) };
    });
    if (!boxes.length) return null;
    const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
    return { x, y, width: Math.max(...boxes.map((box) => box.right)) - x, height: Math.max(...boxes.map((box) => box.bottom)) - y };
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const way = event.target instanceof Element ? event.target.closest("[data-choose]") : null;
    if (way instanceof HTMLElement && this.svg) {
      event.preventDefault();
      this.walked = way.ariaLabel;
      this.choose(way.dataset.choose ?? null);
      return;
    }
    if (!this.svg || !(event.target instanceof Element) || !this.svg.contains(event.target)) return;
    const cell = this.#cellAt(event.target, event);
    if (cell) this.choose(cell === this.cell ? null : cell);
  }

  /** The cell under the pointer: a4.3. @param {Element} target @param {MouseEvent} event */
  #cellAt(target, { clientX, clientY }) {
    const own = target.closest("[data-cell]");
    if (own instanceof SVGElement) return own.dataset.cell?.replace(" ", ".") ?? null;
    const map = /** @type {SVGSVGElement | null} */ (target.closest("[data-map]"));
    const matrix = map?.getScreenCTM();
    if (!map || !matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const [id, columns, across, down, block, apart, cells] = (map.dataset.map ?? "").split(" ");
    const tall = Number(block) * Number(down) + Number(apart); // a matrix of an array of more than two axes
    const row = Math.floor(y / tall) * Number(block) + Math.floor((y % tall) / Number(down));
    const [column, place] = [Math.floor(x / Number(across)), row * Number(columns) + Math.floor(x / Number(across))];
    return column >= 0 && column < Number(columns) && place >= 0 && place < Number(cells) ? `${id}.${place}` : null;
  }

  /** Mark the cell that is chosen, if it is drawn by itself, and its sample in every array of the batch. */
  #mark() {
    const { svg, batch } = this;
    if (!svg) return;
    for (const cell of svg.querySelectorAll(".picked, .sample")) cell.classList.remove("picked", "sample");
    for (const frame of svg.querySelectorAll(".sample-frame")) frame.remove();
    const card = /** @type {HTMLElement | null} */ (document.querySelector(".array-cell[data-of]"));
    const [id, place] = card?.dataset.of?.split(".") ?? [];
    for (const cell of svg.querySelectorAll(`[data-cell="${id} ${place}"]`)) cell.classList.add("picked");
    if (!batch[id]) return;
    const sample = Math.floor(Number(place) / batch[id]);
    for (const cell of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll("[data-cell]"))) {
      const [of, k] = (cell.dataset.cell ?? "").split(" ");
      if (batch[of] && Math.floor(Number(k) / batch[of]) === sample) cell.classList.add("sample");
    }
    for (const map of /** @type {NodeListOf<SVGSVGElement>} */ (svg.querySelectorAll("[data-map]"))) this.#frameSample(map, sample);
  }

  /** Frame the rows of a sample in a map without cells. @param {SVGSVGElement} map @param {number} sample */
  #frameSample(map, sample) {
    const [id, columns, across, down, block, apart] = (map.dataset.map ?? "").split(" ");
    const rows = this.batch[id] / Number(columns);
    const first = sample * rows;
    const y = first * Number(down) + Math.floor(first / Number(block)) * Number(apart);
    const { width, height } = map.viewBox.baseVal;
    if (!(rows >= 1) || y > height) return;
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    frame.setAttribute("class", "sample-frame");
    const size = { x: -1, y: y - 1, width: Math.min(width - 2, Number(columns) * Number(across) + 1), height: rows * Number(down) + 1 };
    for (const [name, value] of Object.entries(size)) frame.setAttribute(name, String(value));
    map.append(frame);
  }

  /** Light the cells that the one pointed at came from, and those that it goes to. @param {Event} event */
  #point(event) {
    const { svg } = this;
    if (!svg) return;
    const cell = event.target instanceof Element ? event.target.closest(".of-data [data-cell]") : null;
    for (const lit of svg.querySelectorAll(".from, .goes, .pointed")) lit.classList.remove("from", "goes", "pointed");
    if (!(cell instanceof SVGElement)) return;
    const [id, place] = (cell.dataset.cell ?? "").split(" ");
    cell.classList.add("pointed");
    const own = this.reads[id];
    own?.args.forEach((arg, slot) => own.cells[Number(place)]?.[slot]?.forEach((at) => light(svg, arg, at, "from")));
    for (const [user, { args, cells }] of Object.entries(this.reads)) {
      if (!args.includes(id)) continue;
      cells.forEach((parts, at) => {
        if (parts.some((read, slot) => args[slot] === id && read.includes(Number(place)))) light(svg, user, at, "goes");
      });
    }
  }
}

/** @param {Element} picture @param {string} id @param {number} at @param {string} look */
function light(picture, id, at, look) {
  picture.querySelector(`.of-data [data-cell="${id} ${at}"]`)?.classList.add(look);
}
