/**
 * The port of a page, `window.seegrad`: how a lesson around it, or a test, moves the page and hears of it. Each page's entry
 * module makes one and says how it is moved; what it leaves out does nothing.
 */

/** @typedef {"back" | "forward"} Way */
/** @typedef {{turn: string, point: string | null, picture: null}} Told  turn: the page has written this address, by itself or by its
 *   reader; point: its reader points at a Value, or no longer; picture: it has drawn another picture */
/**
 * @typedef {{
 *   turn?: () => void, fixed?: string[], step?: (way: Way) => void, light?: (id: string | null) => void, fit?: (least: number) => void,
 *   seek?: (line: string) => void,
 * }} Moves  turn: show what the address now says; fixed: parameters that take effect when the page is loaded
 */

export class PagePort {
  /** @param {Moves} [moves] */
  constructor(moves = {}) {
    this.moves = moves;
    /** @type {Map<keyof Told, ((detail: any) => void)[]>} */ this.listeners = new Map();
    Object.assign(window, { seegrad: this });
  }

  /** Turn to an address in place; false if it has to be loaded. @param {string} address */
  go(address) {
    const { turn } = this.moves;
    if (!turn || !this.#isInPlace(new URL(address, location.origin))) return false;
    history.replaceState({ seegrad: true }, "", address);
    this.tell("turn", address);
    turn();
    return true;
  }

  /** @param {URL} goal */
  #isInPlace({ pathname, searchParams }) {
    const here = new URLSearchParams(location.search);
    const isSame = (/** @type {string} */ name) => here.getAll(name).join() === searchParams.getAll(name).join();
    return pathname === location.pathname && (this.moves.fixed ?? []).every(isSame);
  }

  /** Step through the frames, or the run. @param {Way} way */
  step(way) {
    this.moves.step?.(way);
  }

  /** Light up a Value, as if it were pointed at. @param {string | null} id null: none */
  light(id) {
    this.moves.light?.(id);
  }

  /** Bring the whole picture into view, or, where it would be smaller than a scale, its active part. @param {number} [least] */
  fit(least = 0) {
    this.moves.fit?.(least);
  }

  /** Unfold the program, and show the line that begins with a text. @param {string} line */
  seek(line) {
    this.moves.seek?.(line);
  }

  /** @template {keyof Told} E @param {E} event @param {(detail: Told[E]) => void} listener */
  on(event, listener) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  /** For the page itself. @template {keyof Told} E @param {E} event @param {Told[E]} detail */
  tell(event, detail) {
    for (const listener of this.listeners.get(event) ?? []) listener(detail);
  }
}

/** The port of the page in a window; null for a page without one, or of the browser's own.
 * @param {Window | null} there @returns {PagePort | null} */
export function portOf(there) {
  try {
    return /** @type {any} */ (there)?.seegrad ?? null;
  } catch {
    return null;
  }
}
