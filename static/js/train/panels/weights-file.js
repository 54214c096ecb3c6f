/** Weights of one's own from a file: the first ones of the run. */
import { pathTo, refusal, versioned } from "../run/server.js";

/** @typedef {import("./form.js").Form} Form */

const MOST = 2 ** 19; // bytes, the limit of the server

/** @param {Form} form @param {(query: string) => Promise<unknown>} open shows a run */
export function wireWeightsFile(form, open) {
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById("weights-file"));
  input?.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (file) await take(form, file, open);
    input.value = ""; // the same file can be chosen again
  });
}

/** @param {Form} form @param {File} file @param {(query: string) => Promise<unknown>} open */
async function take(form, file, open) {
  if (file.size > MOST) return form.refuse("initial", `${file.name} has ${file.size.toLocaleString("en")} bytes; choose weights of at most ${MOST.toLocaleString("en")}.`);
  try {
    const answer = await fetch(versioned(pathTo("weights", form.query())), { method: "POST", body: file });
    if (!answer.ok) throw await refusal(answer);
    await open((await answer.json()).query);
  } catch (error) {
    form.refuse("initial", error instanceof TypeError ? "The server does not respond. Choose the file again once it does." : String(error instanceof Error ? error.message : error));
  }
}
