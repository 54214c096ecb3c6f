/** Reads cases on standard input, and writes the sentences on what differs in each. */
import { readFileSync } from "node:fs";
import { differences } from "../../../static/js/learn/differences.js";

const words = (/** @type {(string | Record<string, string>)[]} */ sentence) => sentence.map((word) => (typeof word === "string" ? word : Object.values(word)[0])).join("");
const cases = JSON.parse(readFileSync(0, "utf8"));
const told = await Promise.all(cases.map((/** @type {any} */ { lesson, here, leaves, last, settled }) =>
  differences(lesson, here, { leaves: new Map(Object.entries(leaves)), lastFrame: last }, settled)));
process.stdout.write(JSON.stringify(told.map((sentences) => sentences.map(words))));
