/** Playback speeds: the options of the select as steps per frame and frames per second. */

/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Speed} Speed */

const STREAM = 4e6; // approximate maximum bandwidth of a stream in bytes per second
const [MOST, LEAST] = [60, 5]; // frames per second
const TEXT = 1.34; // overhead of base64
const NUMBER = 18; // characters per number

/** The approximate size of a state in bytes. @param {Setup} setup */
function sizeOf({ inputs, outputs, layers, grid, map, parameter_count: parameters }) {
  const neurons = layers.reduce((sum, count) => sum + count, 0);
  const pictures = inputs === 2 ? TEXT * (grid ** 2 * outputs + map ** 2 * neurons) : 10_000;
  return pictures + NUMBER * parameters;
}

/** "1,60" is one step per frame and 60 frames per second. Large states lower the frame rate to fit the
 * bandwidth, with more steps per frame instead. @param {string} text @param {Setup} setup @returns {Speed} */
export function speedOf(text, setup) {
  const [every, wanted] = (text || "1,60").split(",");
  const most = Math.max(LEAST, Math.min(MOST, Math.floor(STREAM / sizeOf(setup))));
  if (every === "fast") return { every, fps: most };
  const fps = Math.min(Number(wanted), most);
  return { every: Math.max(1, Math.round((Number(every) * Number(wanted)) / fps)), fps };
}
