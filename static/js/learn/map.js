/** The map of the course: what has been read, where the reader is, and what can be read next. */
import { at } from "../common/elements.js";
import { forget, kept } from "./progress.js";

/** @typedef {{element: HTMLElement, slug: string, number: number, after: string[]}} Entry */

const entries = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-slug]")]).map((element) => {
  const { slug = "", number = "", after = "" } = element.dataset;
  return /** @type {Entry} */ ({ element, slug, number: Number(number), after: after.split(" ").filter(Boolean) });
});
const goOn = /** @type {HTMLAnchorElement} */ (at("go-on"));
const first = { href: goOn.href, words: goOn.textContent ?? "" };
const whole = at("progress-words").textContent ?? "";
/** @type {Record<string, string>} what a mark says to those who do not see it */
const SAYS = { read: "read", here: "you are here", ready: "ready to read" };

function show() {
  const { read, at: place } = kept();
  const last = entries.find(({ slug }) => slug === place?.slug);
  const here = place?.end ? entries.find(({ slug, number }) => number > (last?.number ?? 0) && !read[slug]) ?? last : last;
  const step = here === last ? place?.step ?? 1 : 1;
  for (const { element, slug, after } of entries) {
    const look = slug === here?.slug ? "here" : read[slug] ? "read" : after.every((name) => read[name]) ? "ready" : "";
    element.classList.remove(...Object.keys(SAYS));
    if (look) element.classList.add(look);
    const mark = element.querySelector(".mark");
    mark?.replaceChildren(...(look ? [Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: `, ${SAYS[look]}` })] : []));
  }
  const count = entries.filter(({ slug }) => read[slug]).length;
  goOn.href = here ? `/learn/${here.slug}?step=${step}` : first.href;
  goOn.textContent = here ? `Go on: lesson ${here.number}, step ${step}` : first.words;
  at("start-anew").hidden = !here;
  at("forget").hidden = !place && !count;
  at("progress-words").textContent = count ? `${count} of ${entries.length} read; ${whole.charAt(0).toLowerCase()}${whole.slice(1)}` : whole;
}

at("forget").addEventListener("click", () => {
  forget();
  show();
  goOn.focus();
});
window.addEventListener("pageshow", show); // and when the back button brings the page as it was
show();
