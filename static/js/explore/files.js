/** Programs in files: `.py` as it is, `.ipynb` as its code cells; dropped on the editor or opened by the button. */
import { at, find } from "../common/elements.js";
import { programOf } from "./notebook.js";

const MOST = 20_000_000; // bytes of a file that is read; notebooks hold pictures beside their code

export class Files {
  /** @param {import("./editor.js").Editor} editor
   * @param {(message: string) => void} onRefuse called with the reason why a file is not read
   * @param {(message: string) => void} onOpen called once its program is in the editor */
  constructor(editor, onRefuse, onOpen) {
    this.editor = editor;
    this.onRefuse = onRefuse;
    this.onOpen = onOpen;
    const input = find("file", "input");
    at("open-file").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      this.#read(input.files?.[0]);
      input.value = ""; // the same file may be opened again
    });
    for (const name of ["dragenter", "dragover", "dragleave", "drop"]) {
      document.addEventListener(name, (event) => this.#drag(/** @type {DragEvent} */ (event)));
    }
  }

  /** Take a file over the editor; anywhere else a browser would leave the page for it. @param {DragEvent} event */
  #drag(event) {
    const { dataTransfer: moved, type } = event;
    if (!moved?.types.includes("Files")) return;
    event.preventDefault();
    const isOver = event.target instanceof Node && at("program-panel").contains(event.target) && type !== "dragleave";
    this.editor.root.classList.toggle("dropping", isOver && type !== "drop");
    if (type === "dragover") moved.dropEffect = isOver ? "copy" : "none";
    if (type === "drop" && isOver) this.#read(moved.files[0]);
  }

  /** @param {File | undefined} file */
  #read(file) {
    if (!file) return;
    const { name, size } = file;
    if (!/\.(py|ipynb)$/i.test(name)) return this.onRefuse(`${name} is neither a .py nor an .ipynb file. ${KEPT}`);
    if (size > MOST) return this.onRefuse(`${name} has ${inBytes(size)}; files of up to ${inBytes(MOST)} are read. ${KEPT}`);
    const reader = new FileReader();
    reader.addEventListener("load", () => this.#take(name, String(reader.result)));
    reader.addEventListener("error", () => this.onRefuse(`${name} cannot be read. ${KEPT}`));
    reader.readAsText(file);
  }

  /** @param {string} name @param {string} text of the file */
  #take(name, text) {
    const { editor } = this;
    const { program, refusal } = /\.ipynb$/i.test(name) ? programOf(text) : { program: text, refusal: "" };
    if (refusal) return this.onRefuse(`${name} ${refusal} ${KEPT}`);
    const size = new TextEncoder().encode(program).length;
    if (size > editor.most) {
      return this.onRefuse(`The program in ${name} has ${inBytes(size)}; the limit is ${inBytes(editor.most)}. ${KEPT}`);
    }
    editor.replace(program);
    this.onOpen(`${name} is open.`);
  }
}

const KEPT = "Your program is unchanged.";

/** @param {number} size */
const inBytes = (size) => `${size.toLocaleString("en")} bytes`;
