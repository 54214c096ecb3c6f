// node grains.mjs TRACE_JS: reads traces from standard input, a JSON text on each line, and prints for each and for each
// grain its steps as in tests/data/grains.jsonl, what they are called, and what cards show at each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Trace } = await import(pathToFileURL(process.argv[2]).href);
const { GRAINS, inWords, placeOf, stepAt } = await import(pathToFileURL(process.argv[3]).href);

const plain = (x) => (x === null || Number.isFinite(x) ? x : String(x));

function stepped(trace, grain) {
  trace.stepBy(grain);
  return trace.steps.map((step) => {
    const lit = step.frames.map((at) => trace.lit(at, step.slot).changed);
    return {
      step: step.slot === null ? step.frames : `${step.frame}:${step.slot}`,
      words: inWords(trace, step, grain),
      place: placeOf(trace.steps, stepAt(trace.steps, step.frame, step.slot)),
      changed: [...new Set(lit.flat())].sort(),
      grads: Object.fromEntries(trace.nodes.map(({ id }) => [id, plain(trace.shown(id, step.frame, step.slot).grad)])),
    };
  });
}

for (const text of readFileSync(0, "utf8").trim().split("\n")) {
  const trace = new Trace(text);
  trace.fold(new Set());
  console.log(JSON.stringify(Object.fromEntries([...GRAINS.keys()].map((grain) => [grain, stepped(trace, grain)]))));
}
