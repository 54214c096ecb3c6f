// node folds.mjs TRACE_JS EXPLANATION_JS OPEN: reads the trace of a page from standard input and prints the steps
// where the group OPEN is open, and for each closed formula the slots of its step.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [trace_js, explanation_js, open] = process.argv.slice(2);
const [{ Trace }, { slots }] = await Promise.all([trace_js, explanation_js].map((path) => import(pathToFileURL(path).href)));
const trace = new Trace(readFileSync(0, "utf8"));
trace.fold(new Set([open]));
const steps = trace.steps.map(({ frame }) => frame);
console.log(JSON.stringify(steps));
for (const at of steps.filter((step) => trace.foldAt(step))) {
  const value = slots(trace, at);
  console.log(JSON.stringify(["title", "args", "count"].map((name) => value(`fold.${name}`))));
  console.log(JSON.stringify(trace.lit(at).sources));
}
