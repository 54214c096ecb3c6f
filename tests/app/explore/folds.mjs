// node folds.mjs TRACE_JS EXPLANATION_JS: reads the trace of a page and the steps of its picture from standard input, each
// on a line, and prints the steps, and for each closed formula the slots of its step.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [trace_js, explanation_js] = process.argv.slice(2);
const [{ Trace }, { slots }] = await Promise.all([trace_js, explanation_js].map((path) => import(pathToFileURL(path).href)));
const [json, known] = readFileSync(0, "utf8").trim().split("\n");
const trace = new Trace(json);
trace.take(JSON.parse(known));
const steps = trace.steps.map(({ frame }) => frame);
console.log(JSON.stringify(steps));
for (const at of steps.filter((step) => trace.foldAt(step))) {
  const value = slots(trace, at);
  console.log(JSON.stringify(["title", "args", "count"].map((name) => value(`fold.${name}`))));
  console.log(JSON.stringify(trace.lit(at).sources));
}
