/** The page of the reader's engine: the text is kept in this browser, and the editor of Explore lies over it. */
import { at } from "../common/elements.js";
import { codeField } from "./code-field.js";
import { engine, forgetEngine, keepEngine, send } from "./own-engine.js";
import { listenToQuestions } from "./questions.js";

const { stage = "" } = /** @type {HTMLElement} */ (at("main")).dataset;
const area = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("program"));

/** Say which pieces are done, and how many lines the engine has. */
function show() {
  const { text, done } = engine();
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-piece]"))) {
    const isDone = done.includes(item.dataset.piece ?? "");
    item.classList.toggle("done", isDone);
    const mark = item.querySelector(".piece-mark");
    if (mark) mark.textContent = isDone ? "done" : "";
  }
  const lines = text.split("\n").filter((line) => line.trim()).length;
  at("engine-words").textContent = text ? `Your engine has ${lines} lines, kept in this browser.` : "";
  at("engine-forget").hidden = !text;
}

/** A piece has passed. */
function mark() {
  const passed = /** @type {HTMLElement | null} */ (document.querySelector(".reply [data-done]"))?.dataset.done;
  const { done } = engine();
  if (passed && !done.includes(passed)) keepEngine({ done: [...done, passed] });
  show();
}

/** @param {HTMLTextAreaElement} field */
async function begin(field) {
  const isAnswer = document.querySelector(".reply > *") !== null || performance.getEntriesByType("navigation").length === 0;
  const code = await codeField(field, () => /** @type {HTMLElement | null} */ (document.querySelector("button[value=check]"))?.click());
  field.addEventListener("input", () => {
    keepEngine({ text: field.value });
    show();
  });
  const { text } = engine();
  if (isAnswer) keepEngine({ text: field.value });
  else if (text) {
    const answer = stage === "moons" ? null : await send(`/learn/engine/${stage}`, { act: "start" }).catch(() => null);
    code.show(answer?.ok ? await answer.text() : text);
    keepEngine({ text: field.value });
  }
  code.seek(placeToBegin(field.value));
  field.form?.setAttribute("data-ready", "true");
}

/** The line of the first `pass`, else the first. @param {string} text */
const placeToBegin = (text) => Math.max(text.split("\n").findIndex((line) => line.trim() === "pass"), 0) + 1;

at("engine-forget").addEventListener("click", () => {
  forgetEngine();
  location.reload();
});
document.addEventListener("htmx:after:swap", mark);
listenToQuestions();
if (area) begin(area).then(mark);
else mark();
