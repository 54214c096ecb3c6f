/** Challenges: the server is asked whether the picture that the reader has made meets one. */

/** @typedef {import("./steps.js").Step} Step */

const WAIT = 300; // milliseconds for which a picture has to stand still

export class Challenges {
  /** @param {string} slug of the lesson */
  constructor(slug) {
    this.slug = slug;
    /** @type {number | undefined} */ this.timer = undefined;
  }

  /** The reader has made a picture. @param {Step} step @param {string} address */
  try({ element, number }, address) {
    clearTimeout(this.timer);
    const boxes = [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(".challenge"))];
    if (boxes.length) this.timer = window.setTimeout(() => boxes.forEach((box) => this.#ask(box, number, address)), WAIT);
  }

  /** @param {HTMLElement} box @param {number} step @param {string} address */
  async #ask(box, step, address) {
    const query = new URLSearchParams({ step: String(step), challenge: box.dataset.challenge ?? "0", at: address });
    const answer = await fetch(`/learn/${this.slug}/reached?${query}`).catch(() => null);
    const says = answer?.ok ? await answer.text() : "";
    const said = box.querySelector(".reached");
    if (!says || !said || said.textContent?.includes(textOf(says))) return;
    said.insertAdjacentHTML("beforeend", says);
    box.classList.add("met");
  }
}

/** @param {string} html of this server */
const textOf = (html) => new DOMParser().parseFromString(html, "text/html").body.textContent?.trim() ?? "";
