// node notebook.mjs NOTEBOOK_JS: reads the texts of files from standard input, a JSON string on each line,
// and prints for each the program or the refusal as JSON.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { programOf } = await import(pathToFileURL(process.argv[2]).href);
for (const line of readFileSync(0, "utf8").trim().split("\n")) console.log(JSON.stringify(programOf(JSON.parse(line))));
