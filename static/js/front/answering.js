/** The graph whose leaves are dragged: the server computes, here its texts and widths are placed. */

/** @typedef {{texts: Record<string, string>, widths: Record<string, number>}} GraphAnswer */

/** Answer every drag of a leaf, one request at a time; of those that wait the last counts. */
export function answerDrags() {
  const box = /** @type {HTMLElement | null} */ (document.getElementById("answering"));
  const sliders = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-leaf]"));
  if (!box || !sliders.length) return;
  let [leaf, was] = ["", ""]; // the leaf that is dragged, and where it was before
  let isAsking = false;
  let isBehind = false;

  const ask = async () => {
    isBehind = isAsking;
    if (isAsking) return;
    isAsking = true;
    const query = new URLSearchParams([...sliders].map((each) => [each.dataset.leaf ?? "", each.value]));
    if (leaf) for (const [name, text] of [["moved", leaf], ["was", was]]) query.set(name, text);
    try {
      const answer = await fetch(`/front?${query}`);
      if (answer.ok) place(box, await answer.json());
    } finally {
      isAsking = false;
      if (isBehind) ask();
    }
  };
  for (const slider of sliders) {
    const begin = () => ([leaf, was] = [slider.dataset.leaf ?? "", slider.value]);
    slider.addEventListener("pointerdown", begin);
    slider.addEventListener("focus", () => leaf === slider.dataset.leaf || begin());
    slider.addEventListener("input", ask);
  }
  if ([...sliders].some((slider) => slider.valueAsNumber !== Number(slider.defaultValue))) ask(); // a browser may restore its fields
}

/** @param {HTMLElement} box @param {GraphAnswer} answer */
function place(box, { texts, widths }) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-text]"))) element.textContent = texts[element.dataset.text ?? ""];
  for (const edge of /** @type {NodeListOf<SVGElement>} */ (box.querySelectorAll("[data-width]"))) edge.setAttribute("stroke-width", String(widths[edge.dataset.width ?? ""]));
  for (const word of box.querySelectorAll("[data-tense]")) word.textContent = "moved";
}
