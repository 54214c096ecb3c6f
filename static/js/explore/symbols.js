/** Names as formulas set them, as in `engine/trace/symbols.py`: x₁ for `x1`, a dot for `*`. */

/** @typedef {[element: "mi" | "mn" | "mo", text: string, subscript: string]} Token */

const TOKEN = /([A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*)|([0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?)|( *(?:\*\*|[-+*\/]) *)|([^A-Za-z_\u0080-\u{10ffff}0-9*\/+-]+)/gu;
const NUMBERED = /^([A-Za-zα-ωΑ-Ω]+)_?([0-9]+)$/;
const NUMBER = /^-[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?$/;
const PARAMETER = /(?<!\w)(?:l([0-9]+)\.)?n([0-9]+)\.(w[0-9]+|b)(?!\w)/g;
const ALONE = new RegExp(`^${PARAMETER.source}$`);
const SPACE = "http://www.w3.org/1998/Math/MathML";
/** @type {Record<string, string>} */ const SIGNS = { "*": "·", "-": "−" };

/** The elements of a name or an expression. @param {string} name @returns {Token[]} */
export function tokens(name) {
  if (NUMBER.test(name)) return [["mn", name.replaceAll("-", "−"), ""]];
  return Array.from(name.matchAll(TOKEN), ([text, word, number, sign]) => {
    if (sign) return ["mo", SIGNS[sign.trim()] ?? sign.trim(), ""];
    if (number) return ["mn", number.replaceAll("-", "−"), ""];
    const numbered = word && NUMBERED.exec(word);
    return numbered ? ["mi", numbered[1], numbered[2]] : ["mi", text, ""];
  });
}

/** Replace an element of a formula by the elements of a name. @param {Element} element @param {string} name */
export function setName(element, name) {
  element.replaceWith(...tokens(name).map(([kind, text, subscript]) => {
    const main = made(kind, text);
    if (!subscript) return main;
    const pair = document.createElementNS(SPACE, "msub");
    pair.append(main, made("mn", subscript));
    return pair;
  }));
}

/** @param {string} kind @param {string} text */
function made(kind, text) {
  const element = document.createElementNS(SPACE, kind);
  element.textContent = text;
  return element;
}

/** A name with the parameters of networks by their last part: `w0` for `l0.n1.w0`. @param {string} name */
export function brief(name) {
  return name.replaceAll(PARAMETER, "$3");
}

/** The neuron of a network's parameter: "neuron 1, layer 0"; "" for any other name. @param {string} name */
export function owner(name) {
  const found = ALONE.exec(name);
  if (!found) return "";
  return `neuron ${found[2]}${found[1] ? `, layer ${found[1]}` : ""}`;
}
