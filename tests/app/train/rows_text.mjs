// Standard input: [samples, setup], …; standard output: the rows of each, as text.
import { readFileSync } from "node:fs";
import { asRows } from "../../../static/js/train/panels/rows-text.js";

const asked = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(asked.map(([samples, setup]) => asRows(samples, setup))));
