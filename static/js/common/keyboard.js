/** Page-wide keyboard shortcuts, which yield to the keys of the focused control. */

/** Controls activated by the space bar. */
const PRESSED = "button, a, summary, label, input, [role=button]";
/** Fields that handle every key themselves. */
const FIELDS = "input:not([type=radio], [type=checkbox]), textarea, select";

/**
 * @param {Record<string, () => void>} keys by `KeyboardEvent.key`
 * @param {HTMLElement} scrubber the only field where the shortcuts apply too, since they move it
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

/** Listen to Escape, also in fields. @param {(target: HTMLElement) => void} onEscape */
export function listenToEscape(onEscape) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isTakenUp(event)) onEscape(/** @type {HTMLElement} */ (event.target));
  });
}

/** Whether a key belongs to the browser or was already handled. @param {KeyboardEvent} event */
const isTakenUp = (event) => event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;

/** Whether the focused element handles a key itself. @param {HTMLElement} target @param {string} key */
function isTaken(target, key) {
  if (target.closest("dialog, [data-keys=own]") || target.matches(FIELDS)) return true;
  return key === " " ? target.closest(PRESSED) !== null : target.matches("input[type=radio]") && key.startsWith("Arrow");
}
