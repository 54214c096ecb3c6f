/** How fast a run plays: the words of the select as steps and pictures a second. */

/** @typedef {import("./types.js").Setup} Setup */
/** @typedef {import("./types.js").Speed} Speed */

const STREAM = 4e6; // bytes a second that are sent at most, about
const [MOST, LEAST] = [60, 5]; // pictures a second
const TEXT = 1.34; // bytes as text
const NUMBER = 18; // letters of a number

/** About how many bytes a state takes. @param {Setup} setup */
function sizeOf({ inputs, outputs, layers, grid, map, parameter_count: parameters }) {
  const neurons = layers.reduce((sum, count) => sum + count, 0);
  const pictures = inputs === 2 ? TEXT * (grid ** 2 * outputs + map ** 2 * neurons) : 10_000;
  return pictures + NUMBER * parameters;
}

/** "1,60" is a step a picture and 60 pictures a second. What is sent must fit: the larger a state,
 * the fewer a second, and the more steps between two. @param {string} text @param {Setup} setup @returns {Speed} */
export function speedOf(text, setup) {
  const [every, wanted] = (text || "1,60").split(",");
  const most = Math.max(LEAST, Math.min(MOST, Math.floor(STREAM / sizeOf(setup))));
  if (every === "fast") return { every, fps: most };
  const fps = Math.min(Number(wanted), most);
  return { every: Math.max(1, Math.round((Number(every) * Number(wanted)) / fps)), fps };
}
