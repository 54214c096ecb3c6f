// node sentence.mjs TRACE_JS LEAVES_JS: reads the traces of pages from standard input, a JSON text on
// each line, and prints for each the sentence on its first leaf, and from which frame on it is there.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

let words = "";
const paragraph = { replaceChildren: (...parts) => (words = parts.map((part) => part.textContent ?? part).join("")) };
globalThis.document = { getElementById: () => paragraph, createElement: () => ({}), querySelectorAll: () => [] };

const [{ Trace }, { Sentence }] = await Promise.all(process.argv.slice(2).map((path) => import(pathToFileURL(path).href)));

for (const text of readFileSync(0, "utf8").trim().split("\n")) {
  const [sentence, trace] = [new Sentence(), new Trace(text)];
  const said = trace.frames.map((_, frame) => {
    sentence.show(trace, { frame, frames: [frame], slot: null });
    return words;
  });
  console.log(JSON.stringify([said.at(-1), said.findIndex((text) => text !== "")]));
}
