/** Own rows from a file: chosen with a button, or dropped on the settings. */

/** @typedef {import("./form.js").Form} Form */

const MOST = 2 ** 20; // bytes; longer tables exceed the limits of a run anyway

/** @param {Form} form */
export function wireRowsFile(form) {
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById("rows-file"));
  input?.addEventListener("change", async () => {
    await read(form, input.files?.[0]);
    input.value = ""; // the same file can be chosen again after it was edited
  });
  form.form.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  form.form.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    read(form, file);
  });
}

/** @param {Form} form @param {File | undefined} file */
async function read(form, file) {
  if (!file) return;
  if (file.size > MOST) return form.refuse("rows", `${file.name} has ${file.size.toLocaleString("en")} bytes; choose a table of at most ${MOST.toLocaleString("en")}.`);
  form.setRows((await file.text()).replace(/^\ufeff/, "").trim());
}
