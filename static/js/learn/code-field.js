/** A program's field with the editor of Explore over it: numbers of lines, colours, Tab. The textarea stays the form's field. */

const ROWS = 24; // lines that a program may have before its classes are folded
const MOST = 20_000; // letters of a paste

/** Put the code editor over a textarea in an `.editor` box; if it cannot be loaded, the textarea stays.
 * @param {HTMLTextAreaElement} area @param {() => void} onRun called at Ctrl+Enter
 * @returns {Promise<{show: (text: string) => void, seek: (line: number) => void}>} show: replaces the text; seek: brings a line into view */
export async function codeField(area, onRun) {
  const root = /** @type {HTMLElement} */ (area.closest(".editor"));
  const plain = { show: (/** @type {string} */ text) => void (area.value = text), seek: () => {} };
  const { modules = "", words = "" } = root.dataset;
  for (const href of modules.split(" ")) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  const found = await import("../editor/code-editor.js").catch(() => null);
  if (!found) return plain;
  const host = Object.assign(document.createElement("div"), { className: "code" });
  area.before(host);
  const code = new found.CodeEditor(host, {
    text: area.value, first: area.value, selection: [0, 0], rows: ROWS, most: MOST, words,
    takes: () => true, onRun, onLine: () => {},
    onChange: (/** @type {string} */ text) => {
      if (area.value === text) return;
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    },
  });
  root.style.setProperty("--digits", String(String(area.value.split("\n").length).length));
  root.dataset.code = "true";
  area.addEventListener("input", () => {
    if (code.text !== area.value) code.replace(area.value, "restore");
  });
  return {
    show(text) {
      area.value = text;
      code.replace(text, "restore");
    },
    seek(line) {
      const from = area.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      code.showLine(from);
    },
  };
}
