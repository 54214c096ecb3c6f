/** The step at which this tab left the page, in session storage: the address lags behind during playback. */

const KEY = "gradlens.left";

/** Save the step. @param {number} step */
export function leave(step) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ search: location.search, step }));
  } catch {
    // Without storage, the step of the address is used.
  }
}

/** The saved step after a reload or back navigation, else null. @returns {number | null} */
export function left() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (visit?.type !== "reload" && visit?.type !== "back_forward") return null;
  try {
    const { search, step } = Object(JSON.parse(sessionStorage.getItem(KEY) ?? "null"));
    return search === location.search && Number.isInteger(step) ? step : null;
  } catch {
    return null;
  }
}
