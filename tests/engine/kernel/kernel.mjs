// node kernel.mjs CODE MEMORY STEPS SIZE: trains in Node's own WebAssembly engine and prints the
// SHA-256 of the first SIZE bytes of memory.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [code, memory, steps, size] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(code));
const bytes = new Uint8Array(instance.exports.memory.buffer);
bytes.set(readFileSync(memory));
instance.exports.train(Number(steps));
console.log(createHash("sha256").update(bytes.subarray(0, Number(size))).digest("hex"));
