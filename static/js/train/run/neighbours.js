/**
 * The kernels of the networks around the present one, with a neuron more or less in a hidden layer. They are fetched together
 * once this browser trains the run, on a line that has room for them, so that they can be trained while the server is away.
 */
import { Kernel } from "./kernel.js";
import { Machine, unpacked } from "./machine.js";
import { Run } from "./run.js";
import { fetchJson, pathTo } from "./server.js";
import { Server } from "./stream.js";

/** @typedef {import("./machine.js").Packed} Packed */
/** @typedef {import("./types.js").Setup} Setup */

const CALM = 1500; // milliseconds for which the run itself has the line
const MOST = 16; // kernels that are kept
const ROOM = 2; // Mbit/s of a line, as far as the browser knows it, below which nothing is fetched ahead

/** Retries say nothing. */
const quietly = () => {};

export class Neighbours {
  constructor() {
    /** The run that they are around, as a query. */ this.around = "";
    /** @type {Map<string, Packed>} by the query of their run */ this.packed = new Map();
    this.fetching = new AbortController();
    /** Called when one more is at hand. */ this.onFetch = () => {};
  }

  /** Fetch those of a run. @param {Run} run @param {Packed | null} [own] the kernel of the run itself, at its first step */
  async gather(run, own = null) {
    const { layers: present, spec, query } = run.setup;
    if (query === this.around) return;
    this.fetching.abort();
    const { signal } = (this.fetching = new AbortController());
    this.around = query;
    if (own) this.#keep(queryOf(run, present), own);
    await new Promise((then) => setTimeout(then, CALM));
    if (!isRoomy() || spec.initial || signal.aborted || !(run.source instanceof Kernel)) return;
    const { inputs } = run.source.machine.packed;
    const found = await fetchJson(pathTo("kernels", query), signal, quietly).catch(() => null);
    if (!found || signal.aborted) return;
    const pool = await unpacked(found.pool);
    for (const { layers, ...packed } of found.kernels) this.#keep(queryOf(run, layers), { ...pooled(packed, pool), settings: packed.settings, inputs, parts: packed.parts?.map((/** @type {any} */ part) => ({ ...part, ...pooled(part, pool) })) });
  }

  /** @param {string} query @param {Packed} packed */
  #keep(query, packed) {
    this.packed.set(query, packed);
    for (const oldest of this.packed.keys()) if (this.packed.size > MOST) this.packed.delete(oldest);
    this.onFetch();
  }

  /** Whether a run with other layers can be trained without the server. @param {Run | null} run @param {number[]} layers */
  has(run, layers) {
    return run !== null && this.packed.has(queryOf(run, layers));
  }

  /** The run with other layers, trained here; null if its kernel is not at hand. @param {Run} run @param {number[]} layers @returns {Promise<Run> | null} */
  take(run, layers) {
    const packed = this.packed.get(queryOf(run, layers));
    return packed ? runOf(run, layers, packed) : null;
  }
}

/** @param {Run} run @param {number[]} layers @param {Packed} packed */
async function runOf(run, layers, packed) {
  const { setup } = run;
  const count = layers.slice(1).reduce((sum, size, i) => sum + size * (layers[i] + 1), 0);
  const query = queryOf(run, layers);
  /** @type {Setup} */ const next = { ...setup, spec: { ...setup.spec, layers }, query, layers, parameter_count: count, preset: null, edits: [] };
  const machine = await Machine.start(packed, next);
  return new Run(next, [], new Kernel(machine, { first: 0, last: next.steps }, new Server(query, next)));
}

/** @param {Run} run @param {number[]} layers */
function queryOf(run, layers) {
  const params = new URLSearchParams(run.setup.query);
  params.set("layers", layers.join("-"));
  return String(params);
}

/** Code and memory of a kernel that stand in a pool with those of others, each made when it is needed.
 * @param {{code: [number, number], memory: [number, number, number][], layout: import("./machine.js").Layout}} places @param {Uint8Array<ArrayBuffer>} pool */
function pooled({ code: [from, size], memory: spans, layout }, pool) {
  const code = () => pool.slice(from, from + size);
  const memory = () => {
    const whole = new Uint8Array(layout.size);
    for (const [address, start, length] of spans) whole.set(pool.subarray(start, start + length), address);
    return whole;
  };
  return { code, memory, layout };
}

/** Whether the line has room for more than the run. Browsers that do not say so are taken to have it. */
function isRoomy() {
  const { connection } = /** @type {{connection?: {downlink?: number, saveData?: boolean}}} */ (navigator);
  return !connection?.saveData && (connection?.downlink ?? ROOM) >= ROOM;
}
