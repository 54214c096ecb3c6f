/** Elements of the page: by id, their texts and states, and the live region. Controls that the address hides are not in
 * the document. */

const PAUSE = 400; // milliseconds of debounce; announcements within it are joined

/** The element, or a detached substitute, so that callers need no check for its presence.
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

/** Set the text of an element only if it changes, to avoid layout, and in its text node, as a new one makes the browser match
 * the style sheets' `:has()` anew all over the page. @param {Element} element @param {string} text */
export function write(element, text) {
  const { firstChild: only } = element;
  if (text && only instanceof Text && !only.nextSibling) {
    if (only.data !== text) only.data = text;
  } else if (element.textContent !== text) element.textContent = text;
}

/** A new element with properties, attributes where a name has a dash, and children.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} [properties] @param {(Node | string)[]} children @returns {HTMLElementTagNameMap[T]} */
export function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else Object.assign(element, { [name]: value });
  }
  element.append(...children);
  return element;
}

/** The JSON of a data block; null if it is missing. @param {string} id @returns {any} */
export function data(id) {
  const text = document.getElementById(id)?.textContent?.trim();
  return text ? JSON.parse(text) : null;
}

/** Toggle a button; returns its new state. @param {HTMLElement} button */
export function toggle(button) {
  const pressed = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(pressed));
  return pressed;
}

/** Set a button to play or pause. @param {HTMLElement} button @param {boolean} playing */
export function showPlaying(button, playing) {
  const words = playing ? "Pause" : "Play";
  button.classList.toggle("playing", playing);
  const word = button.querySelector("[data-word]");
  if (word) word.textContent = words;
  button.setAttribute("aria-label", words);
}

/** @type {number | undefined} */ let timer;
/** @type {Map<string, string>} */ const pending = new Map();

/** Announce to screen readers; debounced: only the last of several quick messages on a topic.
 * @param {string} text @param {string} about the topic */
export function announce(text, about = text) {
  pending.set(about, text);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    write(at("announcer"), [...pending.values()].join(" "));
    pending.clear();
  }, PAUSE);
}

/** Whether the page uses the one-column layout; same breakpoint as in `explore.css`. */
export const isNarrow = () => matchMedia("(max-width: 900px)").matches;
