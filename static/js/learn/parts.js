/** The parts of a docked page, of which a small screen shows one: the graph, its program or its sums; a run's results, its network
 * or the sums of one step. */

/** @type {Record<string, [string, string][]>} by the kind of page: the name of each part, and what it is called */
const PARTS = {
  explore: [["graph", "Graph"], ["program", "Code"], ["sums", "Sums"]],
  train: [["results", "Results"], ["network", "Network"], ["frames", "Sums"]],
};

/** Offer the parts on a small screen. @param {Document} page @param {string} kind */
export function offerParts(page, kind) {
  const parts = PARTS[kind];
  if (!parts) return;
  const bar = Object.assign(page.createElement("div"), { className: "dock-parts" });
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Part of the picture");
  for (const [name, words] of parts) {
    const button = Object.assign(page.createElement("button"), { type: "button", textContent: words });
    button.dataset.dock = name;
    button.addEventListener("click", () => showPart(page.documentElement, name));
    bar.append(button);
  }
  page.querySelector(".bench, .lab")?.prepend(bar);
  showPart(page.documentElement, page.documentElement.dataset.dock ?? "");
}

/** Show a part. @param {HTMLElement} root of the page @param {string} part */
export function showPart(root, part) {
  root.dataset.dock = part;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".dock-parts button"))) {
    button.setAttribute("aria-pressed", String(button.dataset.dock === part));
  }
}
