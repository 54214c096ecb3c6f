/** The names of curves on a chart, each beside the end of its curve, and apart from each other. */

const APART = 12; // pixels between two names
const GAP = 5; // pixels from a curve's end to its name
export const LONG = 22; // characters of a name

/** @typedef {{name: string, colour: string, x: number, y: number}} End  in pixels of the canvas */

/**
 * @param {CanvasRenderingContext2D} context @param {End[]} ends @param {{left: number, top: number, width: number, height: number}} box
 * @param {{font: string, ground: string, scale: number}} look the scale is that of the canvas to CSS pixels
 */
export function drawNames(context, ends, box, { font, ground, scale }) {
  context.save();
  Object.assign(context, { font, strokeStyle: ground, lineWidth: 3 * scale, lineJoin: "round", textBaseline: "middle", textAlign: "left" });
  for (const { name, colour, x, y } of spread(ends, box, APART * scale)) {
    const words = name.length > LONG ? `${name.slice(0, LONG - 1)}…` : name;
    const left = Math.min(x + GAP * scale, box.left + box.width - context.measureText(words).width);
    context.strokeText(words, left, y);
    context.fillStyle = colour;
    context.fillText(words, left, y);
  }
  context.restore();
}

/** Ends in the order of their heights, moved to be `apart`, within the box if they fit. @param {End[]} ends @param {{top: number, height: number}} box @param {number} apart */
function spread(ends, { top, height }, apart) {
  const sorted = ends.map((end) => ({ ...end })).sort((a, b) => a.y - b.y);
  let least = top + apart / 2;
  for (const end of sorted) {
    end.y = Math.max(end.y, least);
    least = end.y + apart;
  }
  let most = top + height - apart / 2;
  for (const end of sorted.reverse()) {
    end.y = Math.min(end.y, most);
    most = end.y - apart;
  }
  return sorted;
}
