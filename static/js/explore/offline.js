/** The player of an exported file: picture, explanation and frames, without a server. */
import { FilmPage } from "./film-page.js";
import { at } from "../common/elements.js";

at("player").hidden = false;
new FilmPage().start();
