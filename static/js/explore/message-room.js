/** Reserved space for messages below the editor, so that they do not shift the layout; more for long ones. */

/** Keep `--message` of `desk` equal to the height of the message. @param {HTMLElement} desk @param {HTMLElement} message */
export function giveRoom(desk, message) {
  const measure = () => {
    desk.style.removeProperty("--message");
    if (!message.hasChildNodes()) return;
    const usual = Number.parseFloat(getComputedStyle(desk).getPropertyValue("--message"));
    const height = message.offsetHeight + 1; // a pixel for the border
    if (height > usual) desk.style.setProperty("--message", `${height}px`);
  };
  new MutationObserver(measure).observe(message, { childList: true });
  window.addEventListener("resize", measure);
  measure();
}
