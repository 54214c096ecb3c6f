/** The link that saves the picture of the current frame. */

/** Keep a link's address up to date, also between a step and the debounced update of the page's address.
 * @param {HTMLElement} anchor @param {() => string} href @returns {() => void} updates it now */
export function keepHref(anchor, href) {
  const write = () => anchor.setAttribute("href", href());
  for (const name of ["pointerdown", "click", "contextmenu", "focus"]) anchor.addEventListener(name, write);
  return write;
}
