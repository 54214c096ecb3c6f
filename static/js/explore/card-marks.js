/** Marks on the cards of the picture: a small plate on the upper edge of a card, with a word or two. */

/** @typedef {{words: string, look: string}} Mark */

const HEIGHT = 15;
const LETTER = 6.4; // width in picture units
const SVG = "http://www.w3.org/2000/svg";

export class CardMarks {
  /** @param {import("./tools.js").Bench} bench @param {string} look the class of these marks */
  constructor({ stage }, look) {
    this.stage = stage;
    this.look = look;
    /** @type {Map<string, SVGElement[]>} the plates of a Value, by its id */ this.plates = new Map();
  }

  /** Have these marks and no others of this look. @param {Map<string, Mark>} marks by the id of the Value */
  put(marks) {
    this.clear();
    const { picture } = this.stage;
    for (const [id, mark] of marks) {
      const cards = (picture?.cards.get(id) ?? []).filter(({ element }) => element.matches(".value, .group"));
      this.plates.set(id, cards.map(({ element }) => element.appendChild(this.#plate(element, mark))));
    }
  }

  clear() {
    for (const plates of this.plates.values()) for (const plate of plates) plate.remove();
    this.plates.clear();
  }

  /** @param {Element} element @param {Mark} mark */
  #plate(element, { words, look }) {
    const across = Number(element.querySelector("rect.card")?.getAttribute("width") ?? 0);
    const width = words.length * LETTER + 10;
    const plate = part("g", { class: `mark ${this.look} ${look}`, "aria-hidden": "true" }); // the section says the same
    const text = part("text", { x: across / 2, y: -1 });
    text.textContent = words;
    plate.append(part("rect", { x: (across - width) / 2, y: 3 - HEIGHT, width, height: HEIGHT, rx: HEIGHT / 2 }), text);
    return plate;
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function part(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return /** @type {SVGElement} */ (element);
}
