/** The pictures of a lesson, drawn by the reader's own engine where it computes the same. */
import { at } from "../common/elements.js";
import { engine, keepEngine, send } from "./own-engine.js";

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {{steps: Record<string, {address: string, code: string, ids: Record<string, string>}>, yours: string[], ours: string[]}} Own */

const PATIENCE = 4000; // milliseconds until the lesson's own pictures are shown instead

/** Let the steps name the states of the reader's engine, if there is one. @param {Step[]} steps @param {string} slug of the lesson */
export async function drawByOwn(steps, slug) {
  markPieces();
  const { text, done, isShown } = engine();
  if (!text || !done.length) return;
  offerSwitch(isShown);
  if (!isShown) return;
  const late = new Promise((done) => window.setTimeout(done, PATIENCE, null));
  const answer = await Promise.race([send(`/learn/${slug}/own`).catch(() => null), late]);
  if (!answer?.ok) return;
  /** @type {Own} */ const own = await answer.json();
  for (const step of steps) take(step, own);
  say(own);
}

/** @param {Step} step @param {Own} own */
function take(step, { steps }) {
  const found = steps[step.number];
  if (!found) return;
  step.address = found.address;
  step.beside = { ...step.beside, code: found.code };
  Object.assign(step.element.dataset, { address: found.address, code: found.code });
  step.element.classList.add("by-own");
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (step.element.querySelectorAll("[data-node]"))) {
    element.dataset.node = found.ids[element.dataset.node ?? ""] ?? element.dataset.node;
  }
}

/** @param {Own} own */
function say({ steps, ours }) {
  const count = Object.keys(steps).length;
  if (!count) return void (at("own-note").hidden = true);
  const rest = ours.length ? ` Seegrad’s pieces in it: ${ours.join("; ")}.` : "";
  at("own-words").textContent = `Your own engine draws ${count === 1 ? "one picture" : `${count} pictures`} of this lesson, marked ◆.${rest}`;
}

/** @param {boolean} isShown */
function offerSwitch(isShown) {
  at("own-note").hidden = false;
  at("own-words").textContent = isShown ? "Your own engine draws pictures of this lesson." : "The pictures are drawn by Seegrad’s Value.";
  at("own-switch").textContent = isShown ? "Use Seegrad’s" : "Use your engine";
  at("own-switch").addEventListener("click", () => {
    keepEngine({ isShown: !isShown });
    location.reload();
  });
}

/** Say which pieces are written. */
function markPieces() {
  const { done } = engine();
  for (const piece of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".build[data-piece]"))) {
    const isDone = done.includes(piece.dataset.piece ?? "");
    piece.classList.toggle("done", isDone);
    const mark = piece.querySelector(".piece-mark");
    if (mark && isDone) mark.textContent = "Done.";
  }
}
