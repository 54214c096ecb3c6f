// Standard input: [fps, [[time, step, late], …]] gives the words on the pace of a stream after each event;
// {keepsUp: [[frame, fps, carried], …]} whether this browser is quick enough to train;
// {speed, rounds: [missed, …]} the speeds that are asked for, at first and after each round of 20 events, or of 10 of which none is missed.
import { readFileSync } from "node:fs";
import { Carried, keepsUp } from "../../../static/js/train/run/carried.js";
import { EventRate } from "../../../static/js/train/run/event-rate.js";

const asked = JSON.parse(readFileSync(0, "utf-8"));

function words([fps, events]) {
  const carried = new Carried({ every: 1, fps });
  return events.map((event) => {
    carried.note(...event);
    return carried.words;
  });
}

function rates({ speed, rounds }) {
  const rate = new EventRate(speed);
  const found = [rate.asked];
  for (const missed of rounds) {
    const before = rate.asked;
    for (let i = 0; i < (missed ? 20 : 10); i += 1) {
      const changes = rate.changes(i >= missed);
      if (changes !== (JSON.stringify(rate.asked) !== JSON.stringify(before))) throw new Error("a change is not said");
    }
    found.push(rate.asked);
  }
  return found;
}

const kinds = { keepsUp: ({ keepsUp: all }) => all.map(([frame, fps, carried]) => keepsUp(frame, { every: 1, fps }, carried)), rounds: rates };
const kind = Object.keys(kinds).find((name) => name in asked);
console.log(JSON.stringify(kind ? kinds[kind](asked) : words(asked)));
