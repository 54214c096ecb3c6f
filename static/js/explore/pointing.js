/**
 * A Value that is pointed at lights up wherever it stands: its node, its text in the program, its terms in formulas, its
 * lines in the unrolled program. Elements with `data-value` name their Value; nodes of the picture have their own names.
 */

/** @typedef {import("./trace.js").Trace} Trace */

const NAMED = "[data-value], #picture [data-node], #picture [data-of]";

export class Pointing {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, editor, onPoint }) {
    this.stage = stage;
    this.editor = editor;
    this.onPoint = onPoint;
    /** @type {string | null} */ this.id = null;
    for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (event) => this.#from(event.target));
    document.addEventListener("pointerleave", () => this.#point(null));
    document.addEventListener("focusout", () => this.light(null));
    editor.whenLoaded((code) => code.onPoint((offset) => this.#inText(offset)));
  }

  load() {
    this.id = null;
  }

  /** @param {EventTarget | null} target */
  #from(target) {
    if (!(target instanceof Element)) return;
    if (target.closest(".code")) return this.onPoint(null);
    const found = /** @type {HTMLElement | SVGElement | null} */ (target.closest(NAMED));
    const { value, node, of } = found?.dataset ?? {};
    this.#point(value ?? node ?? of ?? null);
  }

  /** @param {string | null} id that the reader points at */
  #point(id) {
    this.onPoint(id);
    this.light(id);
  }

  /** @param {number | null} offset in the program's text; null: the pointer has left it */
  #inText(offset) {
    const { stage, editor } = this;
    const isCurrent = stage.trace && editor.text === stage.trace.program;
    this.light(offset === null || !isCurrent ? null : this.#valueAt(offset), false);
  }

  /** The Value with the shortest text around a place; of several from one place, the active one or the last.
   * @param {number} offset */
  #valueAt(offset) {
    const { trace, picture } = this.stage;
    const { code } = this.editor;
    if (!trace || !code) return null;
    const active = trace.frames[picture?.at ?? 0]?.node;
    let best = Infinity;
    /** @type {string | null} */ let found = null;
    for (const { id, span } of trace.nodes) {
      if (!span) continue;
      const { from, to } = code.rangeOf(span);
      if (offset < from || offset > to || to - from > best || (to - from === best && found === active)) continue;
      best = to - from;
      found = id;
    }
    return found;
  }

  /** @param {string | null} id @param {boolean} [marksText] whether its text is marked too */
  light(id, marksText = true) {
    if (id === this.id) return;
    this.id = id;
    for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
    const { trace, picture } = this.stage;
    const span = id === null ? null : trace?.origin(id) ?? null;
    const isCurrent = trace !== null && this.editor.text === trace.program;
    this.editor.code?.point(marksText && isCurrent ? span : null);
    if (id === null || !picture || !trace?.byId.has(id)) return;
    const terms = document.querySelectorAll(`[data-value="${CSS.escape(id)}"]`);
    for (const element of [...picture.elements(id), ...terms]) element.classList.add("lit");
  }
}
