/** The link that saves the picture of the frame on show. */

/** Keep a link's address up to date. The page's address is written a moment after a step; whoever takes the picture in
 * between wants that frame too. @param {HTMLElement} anchor @param {() => string} href @returns {() => void} writes it now */
export function keepHref(anchor, href) {
  const write = () => anchor.setAttribute("href", href());
  for (const name of ["pointerdown", "click", "contextmenu", "focus"]) anchor.addEventListener(name, write);
  return write;
}
