/**
 * Types of the data exchanged with the server and between modules. No code.
 *
 * @typedef {{x: number[], y: number, test: boolean, row?: number}} Sample  row: its place in the data, of those split into training and test
 *
 * @typedef {{
 *   spec: Record<string, any>, query: string, edits?: import("./run.js").Edit[], changes?: {step: number, words: string}[], parameter_count: number, inputs: number, input_names: string[], outputs: number, no: number, threshold: number,
 *   kind: "classes" | "regression", classes: number, class_names: string[], scales: [number, number][], order: number[], steps: number, steps_per_epoch: number,
 *   layers: number[], activations: string[], samples: Sample[],
 *   bounds: [number, number, number, number] | null, grid: number, map: number, limit: number, map_limits: number[],
 *   preset: {name: string, title: string, watch: string} | null, map_kind: "line" | "plane" | "samples",
 *   segments: import("./segments.js").Segment[],
 *   opening: {most: number, message: string, parts: {part: string, words: string}[]},
 * }} Setup  the constants of a run; no: the target for "not this class"; threshold: the largest single output that means it
 *
 * @typedef {Record<string, string>} Texts  controls of the form by name
 * @typedef {Setup & {controls: Texts, fitted?: Texts, fitted_says?: string}} Fitted  fitted: the controls adjusted to a changed one, and in words
 *
 * @typedef {{
 *   step: number, loss: number | string, penalty: number | string, accuracy?: number | null, test_loss?: number | string | null,
 *   test_accuracy?: number | null, train_loss?: number | string | null, train_accuracy?: number | null, learning_rate: number | string, parameters: (number | string)[],
 *   gradient?: (number | string)[] | null, norms?: {layer: number, weights: number | string, gradients: number | string, updates: number | string | null}[] | null,
 *   predictions?: (number | string)[][] | null, batch?: number[] | null, grid?: string | null,
 *   curve?: (number | string)[][] | null, maps?: string | null, losses_from?: number, losses?: (number | string)[] | null,
 *   test_losses?: (number | string | null)[] | null, accuracies?: (number | null)[] | null, penalties?: (number | string)[] | null, activations?: number[][] | null,
 *   grid_change?: string, maps_change?: string, curve_levels?: (number | null)[][], late?: number,
 * }} Answer  a state as the server writes it, whole or lean
 *
 * @typedef {{
 *   grid: Uint8Array | null, curve: Float64Array[] | null, maps: Uint8Array | null, isRough: boolean,
 * }} Pictures  null: unseen; isRough: the parameters and norms are rounded
 *
 * @typedef {{
 *   step: number, loss: number, penalty: number, accuracy: number | null, wholeLoss: number | null, wholeAccuracy: number | null, testLoss: number | null, testAccuracy: number | null,
 *   rate: number, parameters: Float64Array, gradient: Float64Array | null,
 *   norms: {layer: number, weights: number, gradients: number, updates: number | null}[], predictions: number[][] | null, activations: number[][] | null,
 *   batch: number[] | null, bytes: number,
 * } & Pictures} Snapshot  a state as the page draws it; wholeLoss, wholeAccuracy: over all training data, null where the step's are; updates: of the step before, null where unseen; activations: counts in bins, by layer
 *
 * @typedef {{from: number, losses: ArrayLike<number>, tests: ArrayLike<number> | null, accuracies: ArrayLike<number> | null, penalties?: ArrayLike<number> | null}} Log
 *   the metrics of steps from `from` on; nan where missing
 *
 * @typedef {{every: number | "fast", fps: number}} Speed  steps per frame, frames per second
 * @typedef {Speed & {see: string}} Look  see: what the page shows, such as "plot,maps"
 *
 * @typedef {{
 *   onSnapshot: (snapshot: Snapshot, log: Log | null) => boolean, onLog: (log: Log) => void, onDone: () => void, onProblem: (words: string | null) => void,
 *   onRefused: (error: Error) => void, onPace: (words: string | null) => void,
 * }} Listener  onSnapshot: whether the page keeps up with drawing
 *
 * @typedef {{
 *   start: (from: number, look: Look, listener: Listener) => void, stop: () => void,
 *   state: (step: number, losses: boolean, signal?: AbortSignal) => Promise<{snapshot: Snapshot, log: Log | null}>,
 * }} Source  a source of states: the server, or this browser
 */
export {};
