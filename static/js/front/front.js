/**
 * The front page: a visitor who comes back goes on where they were. The name of the site in the header leads here with
 * `#home`, and stays.
 */
import { latest } from "../common/drafts.js";
import { kept } from "../learn/progress.js";

/** @returns {string | undefined} the address at which this browser was last */
function lastPlace() {
  const draft = latest();
  const { at } = kept();
  if (!at || (draft && draft.at > (at.time ?? 0))) return draft?.link;
  return `/learn/${encodeURIComponent(at.slug)}?step=${at.step}`;
}

const link = lastPlace();
const line = document.getElementById("go-on");
if (link && location.hash !== "#home") location.replace(link);
else if (link && line) {
  line.hidden = false;
  line.querySelector("a")?.setAttribute("href", link);
}
