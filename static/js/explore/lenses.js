/** The lenses: the texts of the address beside program, leaves, scene, frame and view, each held by one part of the page. */
import { LENSES } from "./address.js";

/**
 * @typedef {{readonly text: string | null, take: (text: string | null) => void}} Lens  text: its parameter, null without
 *   one; take: shows that of another address
 */

export class Lenses {
  /** @param {Record<string, Lens>} parts by the name of their parameter */
  constructor(parts) {
    this.parts = parts;
  }

  /** @returns {Map<string, string>} */
  get state() {
    const pairs = LENSES.map((name) => /** @type {[string, string]} */ ([name, this.parts[name]?.text ?? ""]));
    return new Map(pairs.filter(([, text]) => text));
  }

  /** @param {Map<string, string>} texts of an address */
  take(texts) {
    for (const [name, part] of Object.entries(this.parts)) part.take(texts.get(name) ?? null);
  }
}
