/**
 * Cards of the picture as buttons. Without scripts a card is an image with a name; here it opens the card of its Value
 * beside the picture, and closes it again. Its frame is the button, as the name of one that held the texts of the card
 * would have to repeat them: "no gradient yet" is a dot there.
 */

/** Make a button of every card. @param {SVGSVGElement} svg */
export function makeButtons(svg) {
  for (const card of svg.querySelectorAll(".value")) {
    const frame = card.querySelector("rect.card");
    if (!frame) continue;
    const name = card.getAttribute("aria-label") ?? "";
    for (const attribute of ["role", "tabindex", "aria-label"]) card.removeAttribute(attribute);
    for (const [attribute, text] of [["role", "button"], ["tabindex", "0"], ["aria-label", name], ["aria-pressed", "false"]]) {
      frame.setAttribute(attribute, text);
    }
    for (const part of card.children) if (part.localName === "text") part.setAttribute("aria-hidden", "true");
  }
}

/** The part of a card that has its name, and the focus. @param {SVGGElement} card @returns {SVGElement} */
export function named(card) {
  return card.querySelector("[role=button]") ?? card;
}

/** Say which cards are chosen. @param {SVGSVGElement} svg @param {SVGGElement[]} chosen */
export function press(svg, chosen) {
  for (const button of svg.querySelectorAll("[aria-pressed=true]")) button.setAttribute("aria-pressed", "false");
  for (const card of chosen) {
    const button = named(card);
    if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", "true");
  }
}
