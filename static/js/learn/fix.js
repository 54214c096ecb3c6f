/** The page of a class to fix: the editor of Explore lies over its field. */
import { codeField } from "./code-field.js";

const area = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("program"));
if (area) codeField(area, () => /** @type {HTMLElement | null} */ (document.querySelector("button[value=check]"))?.click()).then(() => area.form?.setAttribute("data-ready", "true"));
