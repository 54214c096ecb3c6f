/** Writes every text of every number: `node number_texts.mjs MODULE NUMBERS`.
 *
 * MODULE is the address of the scripts' number texts; NUMBERS a file of doubles, least byte first.
 * Prints what the module exports, then a line a number, its texts as JSON.
 */
import { readFileSync } from "node:fs";

const [module, file] = process.argv.slice(2);
const texts = await import(module);
const { buffer, byteOffset, length } = readFileSync(file);
const numbers = new Float64Array(buffer.slice(byteOffset, byteOffset + length));
const lines = Array.from(numbers, (x) =>
  JSON.stringify({
    short: texts.short(x),
    full: texts.full(x),
    plain: texts.plain(x),
    spoken: texts.spoken(x),
    in_sentence: texts.inSentence(x),
    with_minus: texts.minus(texts.full(x)),
    in_equation: texts.inEquation(x),
    in_parentheses: texts.inEquation(x, true),
    longer: texts.inEquation(x, false, 5),
    brief: texts.brief(x),
    fixed: texts.fixed(x),
    compact: texts.compact(x),
    ...(x <= 1 && (x > 0 || Object.is(x, 0)) ? { percent: texts.percent(x) } : {}),
    ...(Number.isSafeInteger(x) && x >= 0 ? { counted: texts.counted(x, "step") } : {}),
  }),
);
const none = { brief: texts.brief(null), percent: texts.percent(null) };
process.stdout.write([JSON.stringify(Object.keys(texts)), JSON.stringify(none), ...lines].join("\n"));
