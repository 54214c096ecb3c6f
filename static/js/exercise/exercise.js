/** The page of an exercise without a reload at every answer: the form is sent, and the answer's `main` takes the place of
 * the present one. Both fields of the question that is asked show the same text. */
import { announce } from "../common/elements.js";
import { copy } from "../common/link.js";
import { forgetRun, keepRun, keptRun } from "./kept-run.js";

const SHOWN = 2000; // milliseconds for which a button shows that it copied

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (form.id !== "answers" || button?.hasAttribute("formaction")) return;
  event.preventDefault();
  const before = document.activeElement?.getAttribute("name") ?? "";
  const fields = new FormData(form, button);
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (fields)) });
    if (!answer.ok) throw new Error(answer.statusText);
    renew(await answer.text(), before, button);
  } catch {
    form.requestSubmit ? HTMLFormElement.prototype.submit.call(form) : undefined;
  }
});

/** Put the new page in place of the old one, and the focus where it was.
 * @param {string} html @param {string} before name of the field that had the focus @param {HTMLElement | null} button */
function renew(html, before, button) {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  const main = document.querySelector("main");
  if (!next || !main) return;
  main.replaceWith(document.adoptNode(next));
  const reply = next.querySelector(".reply");
  const hints = next.querySelectorAll(".hint.shown");
  const isHint = button?.getAttribute("value") === "hint";
  announce((isHint ? hints[hints.length - 1] : (reply ?? next.querySelector(".notice")))?.textContent ?? "");
  const onCard = /^q\d+$/.test(before);
  const card = onCard ? current(next)?.dataset.mirror : "";
  const field = card ? next.querySelector(`input[name="${card}"]`) : (next.querySelector("#line") ?? next.querySelector("#answer, #name"));
  const again = isHint ? next.querySelector(".hint button") : null;
  keepRun();
  const target = /** @type {HTMLElement | null} */ (again ?? field ?? next.querySelector("#answer"));
  target?.focus({ preventScroll: true });
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) target.select();
  show(next);
}

/** Scroll the card of the question into view where the picture is broader than its room. @param {ParentNode} within */
function show(within) {
  const paper = within.querySelector(".paper");
  const card = within.querySelector(".value.asked");
  if (!paper || !card || paper.scrollWidth <= paper.clientWidth) return;
  const [box, room] = [card.getBoundingClientRect(), paper.getBoundingClientRect()];
  paper.scrollLeft += box.left + box.width / 2 - room.left - room.width / 2;
}

/** The field of the question in the panel. @param {ParentNode} within @returns {HTMLInputElement | null} */
const current = (within) => within.querySelector("#answer");

document.addEventListener("input", (event) => {
  const typed = /** @type {HTMLInputElement} */ (event.target);
  const asked = current(document);
  if (!asked) return;
  const twin = typed === asked ? document.querySelector(`input[name="${asked.dataset.mirror}"]`) : asked;
  if (typed === asked || typed.name === asked.dataset.mirror) /** @type {any} */ (twin ?? {}).value = typed.value;
  keepRun();
});

document.addEventListener("click", async (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-copy], #copy-link");
  if (!(button instanceof HTMLElement)) return;
  const from = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(button.dataset.copy ?? ""));
  const text = from ? from.value : location.origin + (button.dataset.href ?? "");
  const label = button.querySelector("[data-label]") ?? button;
  const words = label.textContent;
  label.textContent = (await copy(text)) ? "Copied" : "The browser does not allow copying";
  announce(label.textContent);
  window.setTimeout(() => (label.textContent = words), SHOWN);
});

/** Bring back what a reload has taken. */
async function bringBack() {
  const fields = keptRun();
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("answers"));
  if (!fields || !form) return keepRun();
  fields.set("act", "go:0"); // judges nothing
  const answer = await fetch(form.action, { method: "POST", body: fields }).catch(() => null);
  if (!answer?.ok) return;
  renew(await answer.text(), "", null);
  const ask = document.querySelector(".ask");
  if (!ask || document.querySelector("input[name=lines]")) return;
  const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: "Begin again" });
  const note = Object.assign(document.createElement("p"), { className: "notice", textContent: "Your answers are back. " });
  button.addEventListener("click", forgetRun);
  note.append(button);
  ask.prepend(note);
}

show(document);
bringBack();
document.documentElement.dataset.ready = "true";
