/** The current picture with its trace, viewport, minimap and tooltip, kept at the same frame. */
import { at, toggle } from "../common/elements.js";
import { Arrays } from "./arrays.js";
import { makeButtons } from "./card-buttons.js";
import { Contributions } from "./contributions.js";
import { DEFAULT } from "./grains.js";
import { moveFrom, Places } from "./moves.js";
import { boxOf, Picture } from "./picture.js";
import { Trace } from "./trace.js";
import { READABLE, Viewport } from "./viewport.js";

/** @typedef {import("./editor.js").Mark} Mark */
/** @typedef {{onChoose: (id: string | null) => void, onGroups: (open: string[]) => void}} Listeners
 *   callbacks for the selected Value, or none, and for a change of the open groups */

const PHONE = "(max-width: 600px)"; // where texts are larger; the same as in `explore.css`
const FEW = 20; // Values of a graph whose texts are all to be legible
const WIDE = 560; // width in pixels of a canvas, below which every graph has to be legible, and texts may be smaller
const LEGIBLE = { wide: 9 / 10.5, narrow: 8 / 10.5, phone: 8 / 12, large: 7.5 / 17 }; // the scales at which the smallest text of a picture is 9 pixels high, or nearly 8
const COMFORTABLE = 0.87; // initial scale of a picture that does not fit
const [LARGER, SMALLER] = [1.25, 0.8]; // zoom factors

export class Stage {
  /** @param {import("./minimap.js").Minimap} minimap @param {import("./picture.js").Tooltip} tooltip @param {Listeners} listeners */
  constructor(minimap, tooltip, listeners) {
    this.minimap = minimap;
    this.tooltip = tooltip;
    this.listeners = listeners;
    /** @type {Trace | null} null where nothing is drawn */ this.trace = null;
    /** @type {Picture | null} */ this.picture = null;
    /** @type {Contributions | null} null where edges show none */ this.contributions = null;
    /** @type {Viewport | null} */ this.viewport = null;
    /** @type {Viewport | null} of the picture before */ this.earlier = null;
    /** @type {string | null} the program of the picture whose view the next one takes over */ this.placed = null;
    /** Whether the picture before was one of the same program. */ this.isSame = false;
    /** @type {string | null} */ this.chosen = null;
    /** @type {{id: string, tried: string | null} | null} a Value to bring into view, and the box that was opened for it */ this.sought = null;
    /** The name of the grain of steps. */ this.grain = DEFAULT;
    /** @type {string | null} the group that has the focus once it is open or closed */ this.focusNext = null;
    /** @type {{group: string, point: {x: number, y: number} | null} | null} the group that was clicked, and where in the canvas */ this.turned = null;
    /** @type {Places | null} in the picture before */ this.before = null;
    /** @type {Record<string, () => void>} */ this.keys = {};
    this.arrays = new Arrays(this);
    this.#listenToTools();
  }

  /** Load the picture of the server's response, if any. @returns {Trace | null} */
  load() {
    const source = document.getElementById("trace");
    return this.#draw(source && new Trace(source.textContent ?? ""));
  }

  /** Load another picture of the same trace, whose numbers and words stay. @returns {Trace | null} */
  redraw() {
    return this.#draw(this.trace, this.viewport?.size);
  }

  /** @param {Trace | null} trace @param {Viewport["size"] | null} [size] of the canvas, if it is as large as before
   * @returns {Trace | null} */
  #draw(trace, size = null) {
    this.chosen = null;
    const svg = /** @type {SVGSVGElement | null} */ (document.querySelector("#canvas > svg"));
    this.before = this.turned && this.picture && new Places(this.picture.svg);
    this.trace = svg && trace;
    if (svg) makeButtons(svg);
    this.trace?.take(JSON.parse(at("picture-steps").textContent ?? ""));
    this.trace?.stepBy(this.grain);
    this.picture = svg && this.trace && new Picture(svg, this.trace);
    this.contributions = svg?.classList.contains("contributions") && this.trace ? new Contributions(svg) : null;
    if (!svg || !this.picture) {
      this.turned = null;
      this.minimap.clear();
      return null;
    }
    this.tooltip.load(this.picture);
    this.earlier = this.viewport;
    this.isSame = this.trace?.program === this.placed;
    this.placed = this.trace?.program ?? null;
    this.viewport = new Viewport(at("canvas"), svg, this.picture.width, this.picture.height, () => this.minimap.draw(), size);
    this.#listenToPicture(svg);
    return this.trace;
  }

  /** The frame at which the server drew the picture. */
  get drawnAt() {
    return Number(this.picture?.svg.dataset.frame ?? this.trace?.last);
  }

  /** The slot of the one contribution that the server drew. @returns {number | null} */
  get drawnSlot() {
    const { slot } = this.picture?.svg.dataset ?? {};
    return slot === undefined ? null : Number(slot);
  }

  /** Set the view of a new picture; a view moved by the visitor is preserved. */
  place() {
    const { picture, viewport: now, earlier } = this;
    if (!picture || !now) return;
    if (this.#placeTurned()) return this.minimap.load(picture, now);
    now.measure();
    const isKept = this.isSame || earlier?.view.moved || now.fitScale < this.#least;
    if (earlier && isKept && !this.#wasWhole && !earlier.view.fitted) now.restore(earlier.view);
    else this.#begin();
    this.#follow();
    this.minimap.load(picture, now);
    if (this.sought) this.#bring();
  }

  /** Show the whole picture, or, where it would be smaller than a scale, its active part. @param {number} least */
  fit(least) {
    if (this.arrays.isShown) return this.arrays.fit(least);
    const { viewport } = this;
    viewport?.measure();
    if (viewport && viewport.fitScale >= least) viewport.fit();
    else if (this.#isFollowing) this.#reveal();
  }

  /** Fill the canvas, whose size has changed, or return to a view before.
   * @param {import("./viewport.js").View | null} [view] */
  fill(view = null) {
    const { picture, viewport } = this;
    if (!picture || !viewport) return;
    viewport.measure();
    if (view && !view.fitted) viewport.restore(view);
    else this.#begin();
    this.minimap.draw();
  }

  /** Show the whole picture, or, where that would be too small to read, the active part of it. */
  #begin() {
    const { picture, viewport } = this;
    if (!picture || !viewport) return;
    const box = picture.activeBox() ?? { x: 0, y: 0, width: 0, height: 0 };
    if (viewport.fitScale >= (this.#wasWhole ? READABLE : this.#least)) viewport.fit();
    else viewport.centre(box.x + box.width / 2, box.y + box.height / 2, false, Math.max(COMFORTABLE, this.#least), this.#wasWhole);
  }

  /** What the server is told of the room for a picture on a phone; null on a wide page, and where a window is presented. */
  get narrowRoom() {
    const { width, height } = this.viewport?.room ?? { width: 0, height: 0 };
    const isPage = matchMedia(PHONE).matches && !document.body.classList.contains("presenting");
    return isPage && Math.min(width, height) >= 100 ? `${Math.round(width)}x${Math.round(height)}` : null;
  }

  /** Whether a phone shows a part of a picture that would be larger in the other direction. */
  get isCramped() {
    return this.narrowRoom !== null && !this.arrays.isShown && (this.viewport?.fitScale ?? 1) < this.#least;
  }

  /** Whether the picture before, of the same program, was shown as a whole, or would have been with room for it. */
  get #wasWhole() {
    return this.isSame && (this.earlier?.view.whole ?? false);
  }

  /** The smallest scale at which a picture is shown as a whole. */
  get #least() {
    if (this.picture?.svg.querySelector(".large")) return LEGIBLE.large;
    if (matchMedia(PHONE).matches) return LEGIBLE.phone;
    if ((this.viewport?.size.width ?? 0) < WIDE) return LEGIBLE.narrow;
    return (this.trace?.nodes.length ?? 0) <= FEW ? LEGIBLE.wide : READABLE;
  }

  /** After a group was opened or closed: it stays under the pointer, and the others move as little as they can. */
  #placeTurned() {
    const { picture, viewport: now, earlier, before, turned } = this;
    this.turned = null;
    if (!picture || !now || !earlier || !before || !turned) return false;
    const [old, box] = [before.groups.get(turned.group), new Places(picture.svg).groups.get(turned.group)];
    if (!old || !box) return false;
    now.hold(earlier.view, old, box, turned.point);
    moveFrom(picture.svg, before, earlier.view, now.view);
    return true;
  }

  /** Load new numbers of the same graph. @returns {Trace | null} null if the response is of another one */
  renew() {
    const text = document.getElementById("trace")?.textContent;
    const next = text ? new Trace(text) : null;
    if (!next || !this.picture || !this.trace?.sameShape(next)) return null;
    next.take(this.trace.known);
    next.stepBy(this.grain);
    this.trace = next;
    this.picture.renew(next);
    this.contributions?.renew();
    this.tooltip.renew();
    return next;
  }

  /** @param {import("./grains.js").Step} step */
  show(step) {
    this.picture?.show(step);
    this.contributions?.show(step);
    this.tooltip.renew();
    this.minimap.draw();
    this.#follow();
  }

  /** Mark the picture as outdated by the text. @param {boolean} isStale */
  setStale(isStale) {
    const shown = isStale && this.trace !== null;
    at("main").toggleAttribute("data-stale", shown);
    at("stale-mark").hidden = !shown;
  }

  /** Reset the view with the next picture, whose shape will differ. */
  forgetView() {
    this.turned = this.placed = null;
    if (this.viewport) this.viewport.view.fitted = true;
  }

  /** The source of the selected Value, or else of the active one. @returns {Mark | null} */
  get mark() {
    const { trace, picture, chosen } = this;
    if (!trace || !picture) return null;
    const span = chosen ? trace.origin(chosen) : trace.source(picture.at);
    const callee = chosen ? null : trace.callee(picture.at);
    return span ? { span, callee, look: chosen ? "chosen" : trace.frames[picture.at].pass } : null;
  }

  /** @param {string | null} id */
  choose(id) {
    if (id === null && this.chosen === null) return;
    this.chosen = id;
    this.picture?.choose(id);
    this.listeners.onChoose(id);
  }

  /** Choose a Value, open the boxes that hide it, and bring it into view. @param {string} id */
  seek(id) {
    this.choose(id);
    this.sought = { id, tried: null };
    this.#bring();
  }

  /** Open the box that hides the Value that is sought, with those around it; false if none does, or it stays closed. */
  #uncover() {
    const { trace, picture, sought } = this;
    const box = picture?.hiddenIn.get(sought?.id ?? "")?.dataset.group;
    if (!trace || !sought || !box || box === sought.tried) return false;
    sought.tried = box;
    const open = this.#openGroups.add(box);
    const [user = ""] = trace.users(sought.id);
    let home = trace.byId.get(sought.id)?.group ?? trace.byId.get(user)?.group ?? null; // a leaf is drawn beside its users
    for (; home; home = trace.groupOf.get(home)?.parent ?? null) open.add(home);
    this.listeners.onGroups([...open]);
    return true;
  }

  /** Bring the Value that is sought into view, at a scale at which it can be read. */
  #bring() {
    const id = this.sought?.id ?? "";
    if (this.#uncover()) return;
    this.sought = null;
    const [element] = this.picture?.elements(id) ?? [];
    const { viewport } = this;
    if (!element || !viewport) return;
    const box = boxOf(element);
    if (viewport.view.scale >= READABLE) viewport.reveal(box);
    else viewport.centre(box.x + box.width / 2, box.y + box.height / 2, true, COMFORTABLE);
  }

  /** The ids of the groups that are drawn open. @returns {Set<string>} */
  get #openGroups() {
    const clusters = /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll("#picture .cluster"));
    return new Set([...clusters].map((cluster) => cluster.dataset.group ?? ""));
  }

  /** Restore the focus to the group that was opened or closed. */
  restoreFocus() {
    if (!this.focusNext) return;
    const name = CSS.escape(this.focusNext);
    const part = /** @type {SVGGElement | null} */ (document.querySelector(`#picture [data-close="${name}"], #picture [role=button][data-group="${name}"]`));
    part?.focus({ preventScroll: true });
    this.focusNext = null;
  }

  get #isFollowing() {
    return at("follow").getAttribute("aria-pressed") === "true";
  }

  /** Keep the active part in view, unless the whole picture is. */
  #follow() {
    if (this.#isFollowing && !this.viewport?.view.fitted) this.#reveal();
  }

  #reveal() {
    const box = this.picture?.activeBox();
    if (box) this.viewport?.follow(box, this.picture?.coreBox());
  }

  #listenToTools() {
    for (const [id, keys, move] of /** @type {[string, string, () => void][]} */ ([
      ["zoom-in", "+=", () => this.viewport?.zoom(LARGER)],
      ["zoom-out", "-", () => this.viewport?.zoom(SMALLER)],
      ["fit", "0", () => this.viewport?.fit(true)],
    ])) {
      at(id).addEventListener("click", move);
      for (const key of keys) this.keys[key] = move;
    }
    at("follow").addEventListener("click", () => {
      if (toggle(at("follow"))) this.#reveal();
    });
  }

  /** @param {SVGSVGElement} svg */
  #listenToPicture(svg) {
    svg.parentElement?.addEventListener("click", (event) => this.#pick(/** @type {Element} */ (event.target), event));
    svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.#pick(/** @type {Element} */ (event.target));
    });
  }

  /** @param {Element} target @param {MouseEvent | null} [click] */
  #pick(target, click = null) {
    const part = /** @type {SVGGElement | null} */ (target.closest(".close, .group, .value, .op"));
    if (!part) return this.choose(null);
    if (part.dataset.close) return this.#turnGroup(part.dataset.close, false, click);
    if (part.dataset.group) return this.#turnGroup(part.dataset.group, true, click);
    const id = part.dataset.node ?? part.dataset.of ?? null;
    this.choose(id === this.chosen ? null : id);
  }

  /** @param {string} group @param {boolean} isOpen @param {MouseEvent | null} click */
  #turnGroup(group, isOpen, click) {
    const open = this.#openGroups;
    if (isOpen) open.add(group);
    else open.delete(group);
    this.focusNext = group;
    this.turn(group, click);
    this.listeners.onGroups([...open]);
  }

  /** Keep a group in place in the next picture, in which it is open or closed. @param {string} group @param {MouseEvent | null} click */
  turn(group, click) {
    const canvas = at("canvas").getBoundingClientRect();
    this.turned = { group, point: click && { x: click.clientX - canvas.left, y: click.clientY - canvas.top } };
  }
}
