/** The run of an exercise outlives a reload: its form is kept in this tab, and sent again to have the page back. */

const PREFIX = "seegrad-exercise:";

/** @returns {HTMLFormElement | null} */
const form = () => /** @type {HTMLFormElement | null} */ (document.getElementById("answers"));

/** @param {HTMLFormElement} of */
const keyOf = (of) => PREFIX + (of.getAttribute("action") ?? "");

/** Keep what the form holds. */
export function keepRun() {
  const now = form();
  try {
    if (now) sessionStorage.setItem(keyOf(now), JSON.stringify([...new FormData(now)]));
  } catch {
    // A full or forbidden storage keeps nothing.
  }
}

/** What was kept of this exercise, if it is not what the page shows. @returns {URLSearchParams | null} */
export function keptRun() {
  const now = form();
  if (!now) return null;
  try {
    const kept = new URLSearchParams(JSON.parse(sessionStorage.getItem(keyOf(now)) ?? "[]"));
    const shown = new FormData(now);
    if (!kept.get("token") || kept.get("token") === shown.get("token")) return null;
    for (const name of ["lines", "name"]) {
      const text = String(shown.get(name) ?? "");
      if (text.length > (kept.get(name) ?? "").length) kept.set(name, text); // a set has gone on meanwhile
    }
    return kept;
  } catch {
    return null;
  }
}

/** Begin the exercise anew. */
export function forgetRun() {
  const now = form();
  if (now) sessionStorage.removeItem(keyOf(now));
  location.assign(now?.getAttribute("action") ?? location.href);
}
