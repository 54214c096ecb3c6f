/** The page From Python: each button copies the lines beside it. */
import { copy } from "../common/link.js";

const SHOWN = 2000; // milliseconds for which a button shows the result

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  const words = button.querySelector("[data-label]");
  button.addEventListener("click", async () => {
    const lines = button.parentElement?.querySelector("code")?.textContent ?? "";
    const done = await copy(lines);
    if (!words) return;
    words.textContent = done ? "Copied" : "Select and copy";
    window.setTimeout(() => (words.textContent = "Copy"), SHOWN);
  });
}
