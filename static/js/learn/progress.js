/** What has been read of the course, kept in this browser alone. */

/** @typedef {{slug: string, step: number, end?: boolean, time?: number}} Place  end: the lesson has been read to its end;
 * time: in milliseconds since 1970 */
/** @typedef {{read: Record<string, true>, at: Place | null}} Progress */

const KEY = "seegrad-learn";

/** @returns {Progress} */
export function kept() {
  try {
    const { read, at } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const isPlace = typeof at?.slug === "string" && Number.isInteger(at.step);
    return { read: { ...read }, at: isPlace ? { slug: at.slug, step: at.step, end: at.end === true, time: Number(at.time) || 0 } : null };
  } catch {
    return { read: {}, at: null }; // no storage, or not ours
  }
}

/** @param {Place} at */
export function keep(at) {
  const { read } = kept();
  if (at.end) read[at.slug] = true;
  write(JSON.stringify({ read, at: { ...at, time: Date.now() } }));
}

export function forget() {
  write(null);
}

/** @param {string | null} text */
function write(text) {
  try {
    if (text === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
  } catch {
    // Without storage, nothing is remembered.
  }
}
