/** Reads the queries on standard input, and writes each again. */
import { readFileSync } from "node:fs";
import { addressQuery, read } from "../../static/js/explore/address.js";

const queries = JSON.parse(readFileSync(0, "utf8"));
const found = await Promise.all(queries.map(async (/** @type {string} */ query) => {
  const goal = await read(query);
  return { frame: goal.frame, leaves: [...goal.leaves.keys()], query: String(addressQuery({ ...goal, program: goal.program ?? "" })) };
}));
process.stdout.write(JSON.stringify(found));
