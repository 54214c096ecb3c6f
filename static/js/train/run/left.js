/** The step at which this tab left the page: while a run plays, the address is behind. Without storage it has to do. */

const KEY = "gradlens.left";

/** Keep it. @param {number} step */
export function leave(step) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ search: location.search, step }));
  } catch {
    // Then the address says where to begin.
  }
}

/** The step, after a reload or on the way back; null after anything else. @returns {number | null} */
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
