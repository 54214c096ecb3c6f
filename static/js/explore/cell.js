/** The page below a notebook's cell: picture, explanation and player of a file that asks nobody for anything. */
import { FilmPage } from "./film-page.js";

const page = new FilmPage();
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-frame]:is(button)"))) {
  button.addEventListener("click", () => page.player.jump(Number(button.dataset.frame)));
}
page.start();
page.fit();
document.documentElement.dataset.ready = "true";
