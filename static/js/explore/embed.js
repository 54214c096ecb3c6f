/**
 * The page for an iframe: picture, explanation and player. It keeps nothing in the browser, writes no address, and asks
 * the server for another page only where a box is opened, in place of this one in the history.
 */
import { addressQuery, read } from "./address.js";
import { Contributions } from "./contributions.js";
import { FilmPage } from "./film-page.js";
import { DEFAULT } from "./grains.js";
import { pack } from "./packed-text.js";
import { PagePort } from "../common/page-port.js";

const page = new FilmPage((step) => contributions?.show(step));
const { canvas, picture, player, svg, trace } = page;
const contributions = svg.classList.contains("contributions") ? new Contributions(svg) : null;

/** @param {string | null} id of a Value */
function light(id) {
  for (const element of svg.querySelectorAll(".lit")) element.classList.remove("lit");
  if (id !== null && trace.byId.has(id)) for (const element of picture.elements(id)) element.classList.add("lit");
}

/** Open or close a box: the server draws another picture at this frame. @param {string} group @param {boolean} isOpen */
async function turn(group, isOpen) {
  const clusters = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll(".cluster"));
  const open = new Set([...clusters].map((cluster) => cluster.dataset.group ?? ""));
  if (isOpen) open.add(group);
  else open.delete(group);
  const [goal] = await Promise.all([read(location.search), pack(trace.program)]);
  const { slot } = player.step;
  if (trace.grain !== DEFAULT) goal.lenses.set("by", slot === null ? trace.grain : `${trace.grain}:${slot}`);
  location.replace(`/embed?${addressQuery({ ...goal, program: trace.program, frame: player.at, open: [...open].join() })}`);
}

/** @param {Event} event */
function pick(event) {
  const part = /** @type {SVGGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-close], [data-group]:not(.cluster)"));
  if (!part) return;
  event.preventDefault();
  event.stopPropagation();
  if (part.dataset.close) turn(part.dataset.close, false);
  else turn(part.dataset.group ?? "", true);
}

/** In an upright frame a long row is drawn from top to bottom, unless the address names a direction: by another page.
 * @returns {boolean} whether that comes */
function stand() {
  const isUpright = canvas.clientHeight > canvas.clientWidth && picture.width > picture.height;
  const isCut = (page.fitting?.isCut ?? false) && !new URLSearchParams(location.search).has("direction");
  if (isUpright && isCut) location.replace(`${location.search}&direction=TB`);
  return isUpright && isCut;
}

trace.stepBy(canvas.dataset.grain ?? DEFAULT);
svg.addEventListener("click", pick);
svg.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === " ") pick(event);
});
page.start();
page.fit();
if (!stand()) document.documentElement.dataset.ready = "true";
new PagePort({ step: (way) => player.move(way === "back" ? -1 : 1), light, fit: () => page.fitting?.fit() });
