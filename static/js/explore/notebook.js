/** Notebooks (nbformat 3 and 4) as programs: their code cells, each after a line `# %%`. */

const MARK = "# %%";

/** The program of a notebook, or the reason why there is none.
 * @param {string} text of an .ipynb file @returns {{program: string, refusal: string}} */
export function programOf(text) {
  let notebook;
  try {
    notebook = JSON.parse(text);
  } catch {
    return refused("is no notebook: it is not JSON.");
  }
  const cells = notebook?.cells ?? notebook?.worksheets?.[0]?.cells;
  if (!Array.isArray(cells)) return refused("is no notebook: it has no cells.");
  const codes = cells.filter((cell) => cell?.cell_type === "code").map(codeOf).filter((code) => code.trim());
  if (!codes.length) return refused("has no code cells.");
  return { program: codes.map((code) => `${MARK}\n${code.trimEnd()}\n`).join("\n"), refusal: "" };
}

/** The text of a cell, a string or a list of lines; format 3 calls it `input`.
 * @param {{source?: unknown, input?: unknown}} cell */
function codeOf({ source, input }) {
  const found = source ?? input ?? "";
  return (Array.isArray(found) ? found.join("") : String(found)).replace(/\r\n?/g, "\n");
}

/** @param {string} refusal */
const refused = (refusal) => ({ program: "", refusal });
