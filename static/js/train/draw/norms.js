/** The chart of each layer's norms over the steps, with line labels. */

/** @typedef {import("../run/store.js").Snapshots} Snapshots */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {{data: string, grad: string, line: string, mute: string}} Colours */
/** @typedef {{colour: string, dash: number[], name: string, points: [number, number][]}} Line  points of step and norm */

const DASHES = [[], [6, 3], [2, 3], [9, 3, 2, 3]]; // by layer
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 30, 8, 18];
const APART = 11; // minimum pixels between labels
const TICKS = 4;

/** Each layer's weights in blue, gradients in orange, on a log scale.
 * @param {HTMLCanvasElement} canvas @param {Snapshots} snapshots @param {number} steps @param {Colours} colours */
export function drawNorms(canvas, snapshots, steps, colours) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = canvas.getContext("2d");
  const kept = [...snapshots.kept.values()].filter(({ norms }) => norms.length).sort((a, b) => a.step - b.step);
  if (!context || !width || !kept.length) return;
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  context.scale(devicePixelRatio, devicePixelRatio);
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  const lines = linesOf(kept, colours);
  const [low, high] = decadesAround(lines);
  const x = (/** @type {number} */ step) => LEFT + (step / steps) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ norm) => TOP + (1 - (Math.log10(norm) - low) / (high - low)) * (height - TOP - BOTTOM);
  drawAxes(context, { low, high, steps, width, height, x, y }, colours);
  for (const line of lines) drawLine(context, line, x, y);
  nameLines(context, lines, height - BOTTOM, x, y);
}

/** @param {Snapshot[]} kept @param {Colours} colours @returns {Line[]} */
function linesOf(kept, colours) {
  return kept[0].norms.flatMap(({ layer }, i) =>
    /** @type {const} */ ([["weights", colours.data, "w"], ["gradients", colours.grad, "g"]]).map(([key, colour, letter]) => ({
      colour,
      dash: DASHES[i % DASHES.length],
      name: `${letter}${layer}`,
      points: kept.map((snapshot) => /** @type {[number, number]} */ ([snapshot.step, snapshot.norms[i]?.[key]])).filter(([, norm]) => norm > 0 && Number.isFinite(norm)),
    })),
  );
}

/** Whole powers of ten around all norms. @param {Line[]} lines @returns {[number, number]} */
function decadesAround(lines) {
  let [low, high] = [Infinity, -Infinity];
  for (const { points } of lines) for (const [, norm] of points) [low, high] = [Math.min(low, norm), Math.max(high, norm)];
  if (low > high) return [-1, 1];
  const first = Math.floor(Math.log10(Math.max(low, 1e-12)));
  return [first, Math.max(first + 1, Math.ceil(Math.log10(high)))];
}

/** @param {CanvasRenderingContext2D} context
 * @param {{low: number, high: number, steps: number, width: number, height: number, x: (step: number) => number, y: (norm: number) => number}} plane
 * @param {Colours} colours */
function drawAxes(context, { low, high, steps, width, height, x, y }, colours) {
  context.strokeStyle = colours.line;
  context.fillStyle = colours.mute;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let power = low; power <= high; power += Math.ceil((high - low) / TICKS)) {
    const top = Math.round(y(10 ** power)) + 0.5;
    context.beginPath();
    context.moveTo(LEFT, top);
    context.lineTo(width - RIGHT, top);
    context.stroke();
    context.fillText(power < -3 || power > 3 ? `1e${power}` : String(Number(`1e${power}`)), LEFT - 5, top);
  }
  context.textBaseline = "bottom";
  context.textAlign = "center";
  for (const step of [0, Math.round(steps / 2), steps]) context.fillText(String(step), x(step), height - 2);
}

/** @param {CanvasRenderingContext2D} context @param {Line} line @param {(step: number) => number} x @param {(norm: number) => number} y */
function drawLine(context, { colour, dash, points }, x, y) {
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.6;
  context.setLineDash(dash);
  context.beginPath();
  for (const [step, norm] of points) context.lineTo(x(step), y(norm));
  context.stroke();
  context.setLineDash([]);
  if (points.length !== 1) return;
  context.beginPath();
  context.arc(x(points[0][0]), y(points[0][1]), 2.5, 0, 2 * Math.PI);
  context.fill();
}

/** Label the ends of the lines, without overlap.
 * @param {CanvasRenderingContext2D} context @param {Line[]} lines @param {number} lowest
 * @param {(step: number) => number} x @param {(norm: number) => number} y */
function nameLines(context, lines, lowest, x, y) {
  const ends = lines.flatMap(({ colour, name, points }) => {
    const end = points[points.length - 1];
    return end ? [{ colour, name, left: x(end[0]) + 4, top: y(end[1]) }] : [];
  });
  ends.sort((a, b) => a.top - b.top);
  let free = 0;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const [i, { colour, name, left, top }] of ends.entries()) {
    const room = lowest - (ends.length - 1 - i) * APART; // leave room for the labels below
    const at = Math.max(Math.min(top, room), free);
    free = at + APART;
    context.fillStyle = colour;
    context.fillText(name, left, at);
  }
}

/** Add the legend below the chart. @param {HTMLCanvasElement} canvas @param {string} [id] */
export function nameNorms(canvas, id = "norms-words") {
  if (!canvas.isConnected || document.getElementById(id)) return;
  const words = Object.assign(document.createElement("p"), { className: "words", id });
  words.textContent = "Over the steps, on a log scale. w1, w2 …: weights of layer 1, 2 …; g1, g2 …: their gradients.";
  canvas.after(words);
}
