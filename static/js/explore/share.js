/** The menu Share: the line that embeds the page, an exercise, and print. */
import { keepHref } from "./address.js";
import { at } from "../common/elements.js";
import { copy } from "../common/link.js";
import { Menu } from "../common/menu.js";

const [WIDTH, HEIGHT] = [760, 560]; // pixels of an iframe
const SHOWN = 2000; // milliseconds for which an entry shows that it was copied

/** @typedef {import("./tools.js").Bench} Bench */

export class Share {
  /** @param {Bench} bench */
  constructor({ query, say }) {
    const menu = new Menu(/** @type {HTMLDetailsElement} */ (at("share-menu")));
    const prints = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-print]"));
    const writers = [...prints].map((anchor) => keepHref(anchor, () => `/${anchor.dataset.print}?${query()}&frames=all`));
    /** Write the links anew. */
    this.write = () => writers.forEach((write) => write());
    copyEntry(at("share-embed"), () => iframe(`${location.origin}/embed?${query()}`), say, () => menu.close());
  }
}

/** The line for another page. @param {string} address */
function iframe(address) {
  const source = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${source}" width="${WIDTH}" height="${HEIGHT}" title="A computation graph, step by step" loading="lazy"></iframe>`;
}

/** Copy a text at each press of an entry of the menu, which says so and closes.
 * @param {HTMLElement} entry @param {() => string} text @param {(words: string) => void} say @param {() => void} close */
function copyEntry(entry, text, say, close) {
  const label = entry.querySelector("b") ?? entry;
  const words = label.textContent ?? "";
  entry.addEventListener("click", async () => {
    const done = await copy(text());
    label.textContent = done ? "Copied" : "The browser does not allow copying";
    say(done ? `${words}: copied.` : `${words} could not be copied.`);
    window.setTimeout(() => {
      label.textContent = words;
      if (done) close();
    }, SHOWN);
  });
}
