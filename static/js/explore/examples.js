/** The menu of examples. */
import { listenToEscape } from "../common/keyboard.js";

const MARGIN = 8; // pixels between the list and the edge of the window

/** Position the list when it opens, and close it on a click elsewhere or Escape. */
export function listenToExamples() {
  for (const name of ["resize", "scroll"]) window.addEventListener(name, place, { capture: true, passive: true });
  document.addEventListener("toggle", (event) => {
    if (/** @type {Element} */ (event.target).matches(".more")) place();
  }, { capture: true });
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (!document.querySelector(".more[open]")?.contains(target) || target.closest(".more li")) close();
  });
  listenToEscape(close);
}

function close() {
  document.querySelector(".more[open]")?.removeAttribute("open");
}

/** Below its button, else above, else beside it; as tall as the window allows. */
function place() {
  const list = /** @type {HTMLElement | null} */ (document.querySelector(".more[open] ul"));
  const chip = list?.parentElement?.firstElementChild?.getBoundingClientRect();
  if (!list || !chip) return;
  list.style.maxHeight = `${window.innerHeight - 2 * MARGIN}px`;
  const { offsetWidth: width, offsetHeight: height } = list;
  const [isBelow, isAbove] = [chip.bottom + 14 + height <= window.innerHeight, chip.top >= height + 14];
  const left = isBelow || isAbove ? chip.left : chip.right + 6;
  const top = isBelow ? chip.bottom + 6 : isAbove ? chip.top - 6 - height : (window.innerHeight - height) / 2;
  list.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`;
  list.style.top = `${top}px`;
}
