// node contributions.mjs TRACE_JS CONTRIBUTIONS_JS: reads from standard input, as JSON, the trace of a page, the uses of
// each edge, the steps of the picture and the frames, and prints for some frames what has come along each edge; last, the caption's samples.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [{ Trace }, { Contributions }] = await Promise.all(process.argv.slice(2).map((path) => import(pathToFileURL(path).href)));
const { json, edges, steps, frames } = JSON.parse(readFileSync(0, "utf8"));
const trace = new Trace(json);
trace.take(steps);
const shown = new Contributions({ querySelectorAll: () => [] }, trace);
for (const at of frames) {
  shown.step = { frame: at, frames: [at], slot: null };
  const found = edges.map((uses) => shown.carried(uses));
  console.log(JSON.stringify(found.map((each) => each && [each.count, each.amount === null ? null : Object.is(each.amount, -0) ? "-0" : String(each.amount), each.level, each.isNew])));
}
console.log(JSON.stringify(shown.samples()));
