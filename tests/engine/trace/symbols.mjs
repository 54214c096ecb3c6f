/** node symbols.mjs SYMBOLS_JS: reads a JSON list of names and prints for each its tokens, brief name and owner. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { brief, owner, tokens } = await import(pathToFileURL(process.argv[2]));
const names = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(names.map((name) => ({ tokens: tokens(name), brief: brief(name), owner: owner(name) }))));
