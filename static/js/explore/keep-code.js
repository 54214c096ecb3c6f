/** The offer to keep the code of a text that is refused: the button replaces the text, which can be undone. */

/** @param {import("./editor.js").Editor} editor @param {(words: string) => void} say */
export function offerKeptCode(editor, say) {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest("[data-keep-code]")) : null;
    if (!button) return;
    event.preventDefault();
    editor.replace(button.dataset.keepCode ?? "");
    say("The code is kept. Undo brings the whole text back.");
  });
}
