/** A message below a text has its place there, so that nothing moves when it comes; a long one gets more. */

/** Keep `--message` of `desk` as tall as the message in it needs. @param {HTMLElement} desk @param {HTMLElement} message */
export function giveRoom(desk, message) {
  const measure = () => {
    desk.style.removeProperty("--message");
    if (!message.hasChildNodes()) return;
    const usual = Number.parseFloat(getComputedStyle(desk).getPropertyValue("--message"));
    const height = message.offsetHeight + 1; // a pixel for the line around the text
    if (height > usual) desk.style.setProperty("--message", `${height}px`);
  };
  new MutationObserver(measure).observe(message, { childList: true });
  window.addEventListener("resize", measure);
  measure();
}
