// node grains.mjs TRACE_JS GRAINS_JS EXPLANATION_JS: reads traces from standard input, on each line a trace and the steps of
// its picture as JSON, and prints for each and for each grain its steps as in tests/data/grains.jsonl, what they are called,
// what the card of a closed box says, and what cards show at each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Trace } = await import(pathToFileURL(process.argv[2]).href);
const { placeOf, stepAt } = await import(pathToFileURL(process.argv[3]).href);
const { boxSlots } = await import(pathToFileURL(process.argv[4]).href);

const SLOTS = ["title", "words", "results", "args", "own", "wrong"].map((name) => `box.${name}`);
const plain = (x) => (x === null || Number.isFinite(x) ? x : String(x));

function stepped(trace, grain) {
  trace.stepBy(grain);
  return trace.steps.map((step) => {
    const lit = step.frames.map((at) => trace.lit(at, step.slot).changed);
    return {
      step: step.slot === null ? step.frames : `${step.frame}:${step.slot}`,
      words: step.words ?? "",
      box: step.box ? Object.fromEntries(SLOTS.map((slot) => [slot, boxSlots(trace, step, step.box)(slot)])) : {},
      place: placeOf(trace.steps, stepAt(trace.steps, step.frame, step.slot)),
      changed: [...new Set(lit.flat())].sort(),
      grads: Object.fromEntries(trace.nodes.map(({ id }) => [id, plain(trace.shown(id, step.frame, step.slot).grad)])),
    };
  });
}

for (const text of readFileSync(0, "utf8").trim().split("\n")) {
  const given = JSON.parse(text);
  const trace = new Trace(given.trace);
  trace.take(given.steps);
  console.log(JSON.stringify(Object.fromEntries(Object.keys(given.steps.joined).map((grain) => [grain, stepped(trace, grain)]))));
}
