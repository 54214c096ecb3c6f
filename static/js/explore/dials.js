/**
 * Dials: a slider whose places are numbers that the server has computed. Each place has texts, places of marks in the
 * plot, and the text of its parameter in the address; nothing is computed between them.
 */

/** @typedef {{says: Record<string, string>, places: Record<string, [number, number]>, to: string}} Point */

/** @param {(name: string, to: string) => void} onTurn called with the parameter's name and text */
export function listenToDials(onTurn) {
  document.addEventListener("input", ({ target }) => {
    const dial = target instanceof HTMLInputElement ? /** @type {HTMLElement | null} */ (target.closest("[data-dial]")) : null;
    if (!dial || !(target instanceof HTMLInputElement)) return;
    /** @type {Point[]} */ const points = JSON.parse(dial.dataset.points ?? "[]");
    const point = points[Number(target.value)];
    if (!point) return;
    show(dial, point);
    target.setAttribute("aria-valuetext", point.says.h ?? "");
    onTurn(dial.dataset.dial ?? "", point.to);
  });
  // A slider that was moved keeps its place when the section is filled again, whatever its attribute says.
  document.addEventListener("htmx:after:swap", () => {
    const sliders = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-dial] input[type=range]"));
    for (const slider of sliders) slider.value = slider.defaultValue;
  });
}

/** @param {HTMLElement} dial @param {Point} point */
function show(dial, { says, places }) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (dial.querySelectorAll("[data-says]"))) {
    element.textContent = says[element.dataset.says ?? ""] ?? "";
  }
  for (const mark of /** @type {NodeListOf<SVGElement>} */ (dial.querySelectorAll("[data-place]"))) {
    const place = places[mark.dataset.place ?? ""];
    mark.setAttribute("visibility", place ? "visible" : "hidden");
    if (!place) continue;
    mark.setAttribute("cx", String(place[0]));
    mark.setAttribute("cy", String(place[1]));
  }
}
