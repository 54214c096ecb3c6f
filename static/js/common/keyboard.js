/** Keyboard shortcuts of a whole page, which give way to the keys of the focused control. */

/** Controls that a space presses. */
const PRESSED = "button, a, summary, label, input, [role=button]";
/** Fields that use every key themselves. */
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select";

/**
 * @param {Record<string, () => void>} keys by `KeyboardEvent.key`
 * @param {HTMLElement} scrubber the one field on which the shortcuts work too: they move it
 */
export function listenToKeys(keys, scrubber) {
  document.addEventListener("keydown", (event) => {
    if (isTakenUp(event)) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (!keys[event.key] || (target !== scrubber && isTaken(target, event.key))) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** Escape, in fields too. @param {(target: HTMLElement) => void} onEscape */
export function listenToEscape(onEscape) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isTakenUp(event)) onEscape(/** @type {HTMLElement} */ (event.target));
  });
}

/** Whether a key is the browser's, or a part of the page has used it. @param {KeyboardEvent} event */
const isTakenUp = (event) => event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;

/** Whether the focused element has a use of its own for a key. @param {HTMLElement} target @param {string} key */
function isTaken(target, key) {
  if (target.closest("dialog, [data-keys=own]") || target.matches(FIELDS)) return true;
  return key === " " ? target.closest(PRESSED) !== null : target.matches("input[type=radio]") && key.startsWith("Arrow");
}
