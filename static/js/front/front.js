/**
 * The front page: a visitor who comes back goes on where they were. The name of the site in the header leads here with
 * `#home`, and stays.
 */
import { latest } from "../common/drafts.js";

const link = latest()?.link;
const line = document.getElementById("go-on");
if (link && location.hash !== "#home") location.replace(link);
else if (link && line) {
  line.hidden = false;
  line.querySelector("a")?.setAttribute("href", link);
}
