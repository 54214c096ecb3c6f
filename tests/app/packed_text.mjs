/** Packs the texts and unpacks the packed ones on standard input. */
import { readFileSync } from "node:fs";
import { pack, unpack } from "../../static/js/explore/packed-text.js";

const { packed, texts } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify({ packed: texts.map(pack), unpacked: packed.map(unpack) }));
