/** The breakpoints of the page: set in the editor's margin and on the card of a Value, listed beside the player. */
import { at, write } from "../common/elements.js";
import { framesOf, next, parsed, reached } from "./breakpoints.js";
import { placeOf } from "./grains.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./grains.js").Step} Step */

export class Stops {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, editor, onTurn, say }) {
    this.stage = stage;
    this.player = player;
    this.editor = editor;
    this.onTurn = onTurn;
    this.say = say;
    /** @type {Map<string, Set<number>>} the frames that reach each stop */ this.all = new Map();
    /** @type {Map<string, string>} what the Values of stops are called */ this.names = new Map();
    player.onArrive = (step) => this.#arrive(step);
    editor.whenLoaded((code) => {
      code.listenToStops((line) => this.#toggle(`line:${line}`), (lines) => this.#move(lines));
      code.showStops(this.#lines);
    });
    document.addEventListener("click", ({ target }) => this.#click(target));
    document.addEventListener("htmx:after:swap", () => this.#mark());
  }

  /** The stops, as in the address. */
  get text() {
    return [...this.all.keys()].join() || null;
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.all = new Map(parsed(text).map((stop) => [stop, new Set()]));
    this.names = new Map();
    if (this.stage.trace) this.load(this.stage.trace);
  }

  /** After a new result: a stop stays at its Value, wherever that is now. @param {Trace | null} trace */
  load(trace) {
    if (!trace) return this.#list();
    const kept = [...this.all.keys()].flatMap((stop) => this.#now(trace, stop) ?? []);
    this.all = new Map(kept.map((stop) => [stop, framesOf(trace, stop)]));
    this.names = new Map(kept.map((stop) => [stop, this.#name(trace, stop)]));
    this.#list();
  }

  /** The stop in another trace; null if its Value is gone. @param {Trace} trace @param {string} stop */
  #now(trace, stop) {
    const [kind, id] = stop.split(":");
    const name = this.names.get(stop);
    if (kind === "line" || (trace.byId.has(id) && (name === undefined || trace.name(id) === name))) return stop;
    const same = trace.nodes.filter((node) => node.name === name);
    return same.length === 1 ? `value:${same[0].id}` : null;
  }

  /** @param {Trace} trace @param {string} stop */
  #name(trace, stop) {
    const [kind, which] = stop.split(":");
    return kind === "line" ? `line ${which}` : trace.name(which);
  }

  get #lines() {
    return [...this.all.keys()].filter((stop) => stop.startsWith("line:")).map((stop) => Number(stop.slice(5)));
  }

  /** @param {string} stop */
  #toggle(stop) {
    const { trace } = this.stage;
    if (!trace) return;
    const isNew = !this.all.delete(stop);
    if (isNew) this.all.set(stop, framesOf(trace, stop));
    this.names.set(stop, this.#name(trace, stop));
    this.#list();
    this.onTurn();
    const none = isNew && !this.all.get(stop)?.size ? ", which no frame reaches" : "";
    this.say(`${isNew ? "Breakpoint" : "No breakpoint"} at ${this.names.get(stop)}${none}.`);
  }

  /** Lines have moved with an edit. @param {number[]} lines */
  #move(lines) {
    const moved = lines.map((line) => `line:${line}`);
    if (moved.join() === this.#lines.map((line) => `line:${line}`).join()) return;
    const values = [...this.all].filter(([stop]) => stop.startsWith("value:"));
    this.all = new Map([...moved.map((stop) => /** @type {[string, Set<number>]} */ ([stop, new Set()])), ...values]);
    for (const stop of moved) this.names.set(stop, `line ${stop.slice(5)}`);
    this.#list();
  }

  /** Whether to pause at a step. @param {Step} step */
  #arrive(step) {
    const { trace } = this.stage;
    const found = trace ? reached(trace, this.all, placeOf(trace.steps, step)) : [];
    if (trace && found.length) this.#tell(`Stopped at ${trace.place(step)}: ${found.map((stop) => this.#cause(stop)).join(", ")}.`);
    return found.length > 0;
  }

  /** @param {string} stop */
  #cause(stop) {
    return stop.startsWith("line:") ? this.names.get(stop) : `${this.names.get(stop)} changes`;
  }

  /** Go to the next step that reaches a stop, or to the end. */
  #run() {
    const { trace } = this.stage;
    if (!trace) return;
    const place = next(trace, this.all, placeOf(trace.steps, this.player.step));
    const step = trace.steps.at(place) ?? trace.steps[0]; // -1: the last
    this.player.jump(step.frame, step.slot);
    if (place < 0 || !this.#arrive(step)) this.#tell(`No breakpoint ahead: this is the last ${trace.place(step).split(" ")[0]}.`);
  }

  /** @param {string} words */
  #tell(words) {
    write(at("stop-message"), words);
    this.say(words);
  }

  /** @param {EventTarget | null} target */
  #click(target) {
    const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-stop], #next-stop")) : null;
    if (!button) return;
    if (button.dataset.stop) this.#toggle(button.dataset.stop);
    else this.#run();
    if (!button.isConnected) (document.querySelector("#stops:not([hidden]) button") ?? at("player")).focus();
  }

  /** List the stops, and mark them in the editor and on the card. */
  #list() {
    at("stops").hidden = this.all.size === 0;
    write(at("stop-message"), "");
    at("stop-list").replaceChildren(...[...this.all.keys()].map((stop) => chip(stop, this.#cause(stop) ?? stop)));
    this.editor.code?.showStops(this.#lines);
    this.#mark();
  }

  #mark() {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#value-card [data-stop]"))) {
      button.setAttribute("aria-pressed", String(this.all.has(button.dataset.stop ?? "")));
    }
  }
}

/** A stop of the list, with a button that removes it. @param {string} stop @param {string} words */
function chip(stop, words) {
  const [item, button] = [document.createElement("li"), document.createElement("button")];
  Object.assign(button, { type: "button", textContent: "×", title: "Remove" });
  button.dataset.stop = stop;
  button.setAttribute("aria-label", `Remove the breakpoint: ${words}`);
  item.append(words, button);
  return item;
}
