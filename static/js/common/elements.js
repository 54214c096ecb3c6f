/** Elements of the page by their id. A control may be hidden by the address, and then is not there at all. */

/** The element, or one that nobody sees, so that nothing needs to ask whether it is there.
 * @template {keyof HTMLElementTagNameMap} T @param {string} id @param {T} tag @returns {HTMLElementTagNameMap[T]} */
export function find(id, tag) {
  const found = document.getElementById(id);
  if (found && found.localName === tag) return /** @type {HTMLElementTagNameMap[T]} */ (found);
  return document.createElement(tag);
}

/** @param {string} id @returns {HTMLElement} */
export const at = (id) => document.getElementById(id) ?? document.createElement("div");

/** @param {string} id @param {string} type @param {(event: any) => void} listener */
export function on(id, type, listener) {
  document.getElementById(id)?.addEventListener(type, listener);
}

/** Writing what stands there already would be work for nothing. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The JSON of a data block; null where there is none. @param {string} id @returns {any} */
export function data(id) {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? JSON.parse(text) : null;
}

/** A button that is pressed or not; its state now. @param {HTMLElement} button */
export function toggle(button) {
  const pressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(pressed));
  return pressed;
}
