// Standard input: [fps, [[time, step, late], …]] gives the words on the pace of a stream after each event;
// {keepsUp: [[frame, fps, carried], …]} whether this browser is quick enough to train.
import { readFileSync } from "node:fs";
import { Carried, keepsUp } from "../../../static/js/train/run/carried.js";

const asked = JSON.parse(readFileSync(0, "utf-8"));

function words([fps, events]) {
  const carried = new Carried({ every: 1, fps });
  return events.map((event) => {
    carried.note(...event);
    return carried.words;
  });
}

const found = asked.keepsUp ? asked.keepsUp.map(([frame, fps, carried]) => keepsUp(frame, { every: 1, fps }, carried)) : words(asked);
console.log(JSON.stringify(found));
