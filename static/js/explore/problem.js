/** The error message below the program. */

export class Problem {
  /** @param {HTMLElement} desk the container of editor and message @param {HTMLElement} box */
  constructor(desk, box) {
    this.box = box;
    giveRoom(desk, box);
  }

  clear() {
    this.box.replaceChildren();
  }

  /** Show a message without a report. @param {string} text @returns {HTMLElement} the message */
  showText(text) {
    const message = Object.assign(document.createElement("div"), { className: "failure", textContent: text });
    this.box.replaceChildren(message);
    return message;
  }

  /** Show a message with a retry button; a no-op if it is already shown.
   * @param {string} text @param {() => void} again */
  offerAgain(text, again) {
    if (this.box.querySelector(".failure")?.firstChild?.nodeValue === text) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "again", textContent: "Try again" });
    button.addEventListener("click", again);
    this.showText(text).append(" ", button);
  }

  /** The server's report of an error in the program. @param {HTMLElement} report */
  show(report) {
    this.box.replaceChildren(report);
  }

  /** @returns {HTMLElement | null} the current report */
  get report() {
    return this.box.querySelector(".report");
  }
}

/** Reserve space for long messages, so that they do not shift the layout: keep `--message` of `desk` equal to their height.
 * @param {HTMLElement} desk @param {HTMLElement} message */
function giveRoom(desk, message) {
  const measure = () => {
    const usual = Number.parseFloat(getComputedStyle(desk).getPropertyValue("--usual"));
    const height = message.hasChildNodes() ? message.offsetHeight + 1 : 0; // a pixel for the border
    if (height > usual) desk.style.setProperty("--message", `${height}px`);
    else desk.style.removeProperty("--message");
  };
  new MutationObserver(measure).observe(message, { childList: true });
  window.addEventListener("resize", measure);
  measure();
}
