/** The questions of a lesson. The server judges; here the hints are counted, from the gentlest to the one with numbers. */
import { offerDragging } from "./order-lines.js";

export function listenToQuestions() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.question"))) {
    show(form);
    offerDragging(form);
    form.addEventListener("click", refuse, { capture: true });
  }
  document.addEventListener("htmx:after:swap", (event) => {
    const { sourceElement } = /** @type {CustomEvent} */ (event).detail.ctx;
    const form = /** @type {Element | null} */ (sourceElement)?.closest?.("form.question");
    if (form instanceof HTMLFormElement) show(form);
  });
}

/** @param {HTMLFormElement} form */
function show(form) {
  const most = Number(form.dataset.hints ?? 0);
  const shown = form.querySelectorAll(".reply .hint").length;
  const button = form.querySelector("button[value=hint]");
  form.classList.toggle("right", form.querySelector(".reply .right") !== null);
  if (!button || !most) return;
  button.textContent = shown >= most ? "No more hints" : shown ? `Hint ${shown + 1} of ${most}` : "Hint";
  button.setAttribute("aria-disabled", String(shown >= most));
}

/** @param {MouseEvent} event on a button that stays focusable when it has nothing more to give */
function refuse(event) {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (button?.getAttribute("aria-disabled") === "true") event.preventDefault();
}
