/** The button that copies the page's link, with or without the browser's permission to use the clipboard. */

const SAID = 2000; // milliseconds that the button says how it went

/** Copy the link at each click, and say on the button how it went.
 * @param {HTMLElement} button whose words stand in `[data-said]` @param {() => string} link of the moment
 * @param {(text: string) => void} announce to screen readers */
export function copyOnClick(button, link, announce) {
  button.addEventListener("click", async () => {
    const done = await copy(link());
    const words = button.querySelector("[data-said]");
    if (!words) return;
    words.textContent = done ? "Copied" : "Copy it from the address bar";
    words.classList.add("said");
    announce(done ? "The link is copied." : "The link could not be copied. It stands in the address bar.");
    window.setTimeout(() => {
      words.textContent = "Copy link";
      words.classList.remove("said");
    }, SAID);
  });
}

/** @param {string} text @returns {Promise<boolean>} whether it is in the clipboard */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
