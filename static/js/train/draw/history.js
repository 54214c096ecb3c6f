/** Draw a sparkline of a number over the steps, with a dot at the step shown.
 * @param {HTMLCanvasElement} canvas @param {[number, number][]} history @param {number} step @param {string} colour */
export function drawHistory(canvas, history, step, colour) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const finite = history.filter(([, value]) => Number.isFinite(value));
  if (!finite.length) return;
  const values = finite.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, finite[finite.length - 1][0]);
  const place = (/** @type {[number, number]} */ [at, value]) =>
    /** @type {[number, number]} */ ([3 + (at / last) * (width - 6), height - 4 - ((value - low) / (high - low || 1)) * (height - 8)]);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  for (const point of finite) context.lineTo(...place(point));
  context.stroke();
  const now = finite.findLast(([at]) => at <= step) ?? finite[0];
  context.beginPath();
  context.arc(...place(now), 3.5, 0, 2 * Math.PI);
  context.fill();
}
