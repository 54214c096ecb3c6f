// node slots.mjs TRACE_JS EXPLANATION_JS: reads the trace of a page from standard input and prints for each
// frame the slots of a gradient that the program writes.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [{ Trace }, { slots }] = await Promise.all(process.argv.slice(2).map((path) => import(pathToFileURL(path).href)));
const trace = new Trace(readFileSync(0, "utf8"));
trace.frames.forEach((_, at) => {
  const value = slots(trace, at);
  const all = ["line", "source", "adds", "before", "after", "due", "wrong", "fine", "gives", "amount", "arithmetic", "function", "held"];
  const names = all.map((name) => `written.${name}`);
  console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, value(name) ?? null]))));
});
