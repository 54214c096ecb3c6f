/** What waits for the first picture, so that it never delays it. */

const LONGEST = 4000; // milliseconds that an answer is waited for

/** Call `then` once the first picture is painted. @param {boolean} isRequested whether the picture is still to come from the
 * server; otherwise it came with the page @param {() => void} then */
export function afterFirstPicture(isRequested, then) {
  const painted = () => Promise.race([new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)), after(LONGEST)]).then(() => after(0)).then(then);
  if (!isRequested) painted();
  else Promise.race([new Promise((done) => document.addEventListener("htmx:finally:request", done, { once: true })), after(LONGEST)]).then(painted);
}

/** @param {number} milliseconds */
const after = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
