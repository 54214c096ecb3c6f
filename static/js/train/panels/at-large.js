/** Whether the page shows all settings, tools and tables, or those at hand alone: remembered, but not for small screens. */
import { find, isNarrow } from "../../common/elements.js";

const KEY = "seegrad.train.all";

export function wireAtLarge() {
  const box = find("at-large", "input");
  if (!isNarrow() && kept()) box.checked = true;
  box.addEventListener("change", () => {
    if (!isNarrow()) keep(box.checked);
  });
  box.addEventListener("input", (event) => event.stopPropagation()); // no setting of the run
}

function kept() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

/** @param {boolean} isOpen */
function keep(isOpen) {
  try {
    if (isOpen) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage, it lasts until the page is closed.
  }
}
