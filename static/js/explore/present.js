/**
 * The presentation: picture and explanation fill the window, and the screen where the browser allows it. Keys and
 * clickers step; the player is hidden until something moves.
 */
import { at } from "../common/elements.js";
import { showProgress } from "./progress.js";

/** @typedef {import("./trace.js").Trace} Trace */

const AWAKE = 2500; // milliseconds for which the player stays after the last movement
const [SMALLER, SMALLEST] = [0.9, 0.4]; // factors of the size of the text
const [SUPPOSED, OTHER] = [16 / 9, 1.12]; // width over height of a window, and the factor from which it is another shape
const STILL = 3; // pixels: less is no movement

/** The keys of a presentation, those of a clicker among them, with the step that each takes. */
const STEPS = new Map([
  ["ArrowRight", 1], ["ArrowDown", 1], ["PageDown", 1], [" ", 1], ["Enter", 1],
  ["ArrowLeft", -1], ["ArrowUp", -1], ["PageUp", -1], ["Backspace", -1],
  ["Home", -Infinity], ["End", Infinity],
]);

export class Present {
  /** @param {import("./tools.js").Bench} bench */
  constructor({ stage, player, query, onTurn, onShape, say }) {
    this.stage = stage;
    this.player = player;
    this.onTurn = onTurn;
    this.say = say;
    /** Another direction may suit the window, and larger cards a presentation. */
    this.redraw = () => {
      this.drawnFor = innerWidth / innerHeight;
      stage.forgetView();
      onShape();
    };
    /** Width over height of the window that the picture was drawn for; what the server takes it to be at first. */ this.drawnFor = SUPPOSED;
    /** @type {import("./viewport.js").View | null} the view to return to */ this.before = null;
    /** @type {HTMLElement | null} what had the focus */ this.from = null;
    /** @type {number | undefined} */ this.timer = undefined;
    this.links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("a[data-present]")]);
    for (const link of this.links) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return link.setAttribute("href", `/?${query()}&present=on`);
        event.preventDefault();
        this.#begin(link);
      });
    }
    at("leave").addEventListener("click", () => this.#leave());
    window.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    window.addEventListener("pointermove", (event) => this.#move(event));
    window.addEventListener("pointerdown", () => this.#wake());
    window.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && target.closest("#player > *, #leave")) this.#wake();
    });
    window.addEventListener("resize", () => this.#fitWindow());
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement) this.#leave();
    });
  }

  get isOn() {
    return document.body.classList.contains("presenting");
  }

  /** Its text in the address. */
  get text() {
    return this.isOn ? "on" : null;
  }

  /** @param {string | null} text of an address */
  take(text) {
    this.#turn(text === "on");
  }

  /** After a new result: nothing is presented without a picture. @param {Trace | null} trace */
  load(trace) {
    for (const link of this.links) link.hidden = !trace;
    if (!trace) this.#leave();
    else requestAnimationFrame(() => this.#fitWindow()); // once the frame is there
  }

  /** Draw for a window of another shape. */
  #fitWindow() {
    const ratio = innerWidth / innerHeight / this.drawnFor;
    if (this.isOn && this.stage.trace && Math.max(ratio, 1 / ratio) > OTHER) this.redraw();
  }

  /** @param {Trace} trace */
  show(trace) {
    if (!this.isOn) return;
    showProgress(at("progress"), trace, this.player.step);
    fitWords(at("explanation"), at("explanation-room"));
  }

  /** @param {HTMLElement} from */
  #begin(from) {
    if (!this.stage.trace) return;
    const menu = from.closest("details");
    this.from = menu?.querySelector("summary") ?? from;
    if (menu) menu.open = false;
    this.#turn(true);
    this.onTurn();
    this.redraw();
    at("player").focus({ preventScroll: true });
    this.say("Presentation. Arrow keys step, Escape leaves.");
    document.documentElement.requestFullscreen?.().catch(() => {}); // refused: the window will do
  }

  #leave() {
    if (!this.isOn) return;
    this.#turn(false);
    this.onTurn();
    if (this.stage.trace) this.redraw();
    if (document.fullscreenElement) void document.exitFullscreen();
    this.from?.focus({ preventScroll: true });
    this.from = null;
  }

  /** @param {boolean} isOn */
  #turn(isOn) {
    const { body } = document;
    const { stage } = this;
    if (isOn && !this.before && stage.viewport) this.before = { ...stage.viewport.view };
    const wasOn = this.isOn;
    body.classList.toggle("presenting", isOn);
    body.classList.remove("awake", "dark-screen");
    at("progress").hidden = at("leave").hidden = !isOn;
    if (isOn === wasOn) return;
    at("explanation").style.removeProperty("--shrink");
    stage.fill(isOn ? null : this.before);
    if (!isOn) this.before = null;
    this.player.onFrame(this.player.at); // the explanation has another size
  }

  /** Before all other listeners, which do not hear the keys of a presentation. @param {KeyboardEvent} event */
  #key(event) {
    if (!this.isOn || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = STEPS.get(event.key);
    const act = event.key === "Escape" ? () => this.#leave()
      : event.key === "." || event.key === "b" ? () => document.body.classList.toggle("dark-screen")
        : by === undefined || this.#isPressed(event) ? null : () => this.#step(by);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Whether a key presses the control that has the focus. @param {KeyboardEvent} event */
  #isPressed(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    return (event.key === "Enter" || event.key === " ") && target.closest("button, select, [role=button]") !== null;
  }

  /** @param {number} by */
  #step(by) {
    document.body.classList.remove("dark-screen");
    this.player.move(by);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (Math.hypot(event.movementX, event.movementY) >= STILL) this.#wake();
  }

  /** Show the player for a while. */
  #wake() {
    if (!this.isOn) return;
    document.body.classList.add("awake");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (at("player").matches(":hover, :focus-within:not(:focus)")) return this.#wake();
      document.body.classList.remove("awake");
    }, AWAKE);
  }
}

/** Make the text smaller until it fits its room, whose size never changes: stepping moves no node.
 * @param {HTMLElement} words @param {HTMLElement} room */
function fitWords(words, room) {
  let shrink = 1;
  words.style.removeProperty("--shrink");
  while ((words.offsetHeight > room.clientHeight || words.scrollWidth > room.clientWidth) && shrink > SMALLEST) {
    shrink *= SMALLER;
    words.style.setProperty("--shrink", shrink.toFixed(3));
  }
}
