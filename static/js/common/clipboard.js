/** The button that copies the page's link, with a fallback for browsers that deny clipboard access. */

const SAID = 2000; // milliseconds for which the button shows the result

/** Copy the link at each click and show the result on the button.
 * @param {HTMLElement} button with its label in `[data-said]` @param {() => string} link the current link
 * @param {(text: string) => void} announce to screen readers */
export function copyOnClick(button, link, announce) {
  button.addEventListener("click", async () => {
    const done = await copy(link());
    const words = button.querySelector("[data-said]");
    if (!words) return;
    words.textContent = done ? "Copied" : "Copy it from the address bar";
    words.classList.add("said");
    announce(done ? "Link copied." : "The link could not be copied. Copy it from the address bar.");
    window.setTimeout(() => {
      words.textContent = "Copy link";
      words.classList.remove("said");
    }, SAID);
  });
}

/** @param {string} text @returns {Promise<boolean>} whether it was copied */
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
