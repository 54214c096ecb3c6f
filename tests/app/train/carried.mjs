// Prints the words on the pace of a stream after each event; standard input: [fps, [[time, step, late], …]].
import { readFileSync } from "node:fs";
import { Carried } from "../../../static/js/train/run/carried.js";

const [fps, events] = JSON.parse(readFileSync(0, "utf-8"));
const carried = new Carried({ every: 1, fps });
const words = events.map((event) => {
  carried.note(...event);
  return carried.words;
});
console.log(JSON.stringify(words));
