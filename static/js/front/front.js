/**
 * The front page: a graph that answers a drag, a boundary that bends, and the way back for a visitor who has been here.
 */
import { bend } from "./bending.js";
import { answerDrags } from "./answering.js";
import { carry, latest } from "../common/drafts.js";
import { kept } from "../learn/progress.js";

/** Go where this browser was last; null if it has been nowhere. @returns {(() => void) | null} */
function wayBack() {
  const last = latest();
  const { at } = kept();
  if (last && last.draft.at > (at?.time ?? 0)) return () => location.replace(carry(last.kind, last.draft));
  return at && (() => location.replace(`/learn/${encodeURIComponent(at.slug)}?step=${at.step}`));
}

answerDrags();
bend();
const go = wayBack();
const line = document.getElementById("go-on");
if (go && line) {
  line.hidden = false;
  line.addEventListener("click", (event) => {
    event.preventDefault();
    go();
  });
}
document.documentElement.dataset.ready = "true";
