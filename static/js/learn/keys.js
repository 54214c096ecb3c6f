/** The keys of a lesson, which hold in the text and in the picture. */

/** Fields that handle every key themselves. */
const FIELDS = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, dialog, .code, [data-keys=own], [contenteditable=true]";
const RADIO = "input[type=radio], input[type=range]";

/** The listener of these keys, by `KeyboardEvent.key`, letters in lower case; one that returns false leaves the key to others.
 * @param {Record<string, () => boolean | void>} keys */
export const listener = (keys) => (/** @type {KeyboardEvent} */ event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const target = /** @type {Element} */ (event.target);
  if (!Object.hasOwn(keys, key) || target.closest?.(FIELDS)) return;
  if (key.startsWith("Arrow") && target.matches?.(RADIO)) return;
  if (keys[key]() !== false) event.preventDefault();
};
