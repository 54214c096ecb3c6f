// node frames.mjs TRACE_JS: reads traces from standard input, a JSON text on each line, and prints
// for each what its frames show: data, gradient, how the card is lit, their texts and the right gradient of a wrong one, by Value.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Trace } = await import(pathToFileURL(process.argv[2]).href);

function card(trace, id, at) {
  const { data, grad, dataText, gradText, due } = trace.shown(id, at);
  const { changed, sources } = trace.lit(at);
  const lit = changed.includes(id) ? "changed" : sources.includes(id) ? "source" : "";
  return [plain(data), plain(grad), lit, dataText, gradText, due?.[2] ?? ""];
}

function plain(x) {
  if (x === null || Number.isFinite(x)) return x;
  return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

function frames(text) {
  const trace = new Trace(text);
  const cards = (at) => trace.nodes.map(({ id }) => [id, card(trace, id, at)]);
  return trace.frames.map((_, at) => Object.fromEntries(cards(at)));
}

for (const text of readFileSync(0, "utf8").trim().split("\n")) console.log(JSON.stringify(frames(text)));
