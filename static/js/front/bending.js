/** The boundary of a run at the steps of a slider; it bends once by itself when it comes into view. */

const PACE = 110; // milliseconds between two steps
const FIRST = 500;
const LEVELS = 36; // the signs of an output, of which the first half lies below the threshold
const SURE = 0.75; // opacity of a class at full confidence
const LINE = 5;

export function bend() {
  const box = /** @type {HTMLElement | null} */ (document.getElementById("bending"));
  const canvas = box?.querySelector("canvas");
  const slider = /** @type {HTMLInputElement | null | undefined} */ (box?.querySelector("input"));
  if (!box || !canvas || !slider) return;
  const { steps = "", losses = "", levels = "", columns = "1" } = box.dataset;
  const [all, texts, grids] = [steps, losses, levels].map((text) => text.split(","));

  const show = () => {
    const place = Number(slider.value);
    for (const [name, text] of [["step", all[place]], ["loss", texts[place]]]) {
      const element = box.querySelector(`[data-bend="${name}"]`);
      if (element) element.textContent = text;
    }
    slider.setAttribute("aria-valuetext", `step ${all[place]}, loss ${texts[place]}`);
    draw(canvas, [...grids[place]].map(height), Number(columns));
  };
  let isTouched = false;
  for (const name of ["pointerdown", "keydown"]) slider.addEventListener(name, () => (isTouched = true));
  slider.addEventListener("input", show);
  document.documentElement.addEventListener("themechange", show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  canvas.hidden = false;
  show();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;

  const end = Number(slider.defaultValue);
  const play = (place = 0) => {
    if (isTouched || place > end) return;
    slider.value = String(place);
    show();
    window.setTimeout(() => play(place + 1), place ? PACE : FIRST);
  };
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    play();
  });
  seen.observe(canvas);
}

/** Draw the outputs and the line between the classes.
 * @param {HTMLCanvasElement} canvas @param {number[]} heights from −1 to 1, row by row @param {number} columns */
function draw(canvas, heights, columns) {
  const pen = canvas.getContext("2d");
  const rows = heights.length / columns;
  const { color, borderTopColor, backgroundColor, outlineColor } = getComputedStyle(canvas);
  const [above, below, zero] = [color, borderTopColor, backgroundColor].map(rgb);
  const small = new OffscreenCanvas(columns, rows);
  const brush = small.getContext("2d");
  if (!pen || !brush) return;
  const image = brush.createImageData(columns, rows);
  for (const [at, height] of heights.entries()) {
    const [side, share] = [height > 0 ? above : below, Math.abs(height) * SURE];
    image.data.set([0, 1, 2].map((k) => zero[k] + share * (side[k] - zero[k])).concat(255), 4 * at);
  }
  brush.putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = true;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(small, 0.5, 0.5, columns - 1, rows - 1, 0, 0, canvas.width, canvas.height);
  const [across, down] = [canvas.width / (columns - 1), canvas.height / (rows - 1)];
  pen.beginPath();
  for (const [[x, y], [u, v]] of segments(heights, columns)) {
    pen.moveTo(x * across, y * down);
    pen.lineTo(u * across, v * down);
  }
  Object.assign(pen, { strokeStyle: outlineColor, lineWidth: LINE, lineCap: "round" });
  pen.stroke();
}

/** The pieces of the line of height 0, cell by cell. @param {number[]} heights @param {number} columns */
function* segments(heights, columns) {
  for (let y = 0; y + 1 < heights.length / columns; y++) {
    for (let x = 0; x + 1 < columns; x++) {
      const corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
      const cut = corners.flatMap(([i, j], k) => {
        const [u, v] = corners[(k + 1) % 4];
        const [here, there] = [heights[columns * j + i], heights[columns * v + u]];
        if (here > 0 === there > 0) return [];
        const share = here / (here - there);
        return [[i + share * (u - i), j + share * (v - j)]];
      });
      for (let k = 0; k + 1 < cut.length; k += 2) yield [cut[k], cut[k + 1]];
    }
  }
}

/** The output of a sign, from −1 to 1: a square, as near the line small steps count. @param {string} sign */
function height(sign) {
  const root = (2 * Number.parseInt(sign, LEVELS)) / (LEVELS - 1) - 1;
  return root * Math.abs(root);
}

/** @param {string} colour as the browser resolves it */
const rgb = (colour) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
