/** Unpacks the packed texts on standard input, and packs the others. */
import { readFileSync } from "node:fs";
import { pack, packed as known, unpack } from "../../static/js/explore/packed-text.js";

const { packed, texts, without } = JSON.parse(readFileSync(0, "utf8"));
if (without) Object.assign(globalThis, { CompressionStream: undefined, DecompressionStream: undefined }); // as before May 2023
process.stdout.write(JSON.stringify({
  unpacked: await Promise.all(packed.map(unpack)),
  known: texts.map(known),
  packed: await Promise.all(texts.map(pack)),
}));
