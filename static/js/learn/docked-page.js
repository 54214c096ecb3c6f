/**
 * A page of this server in an iframe beside the text, moved through its port, or loaded. The page itself knows nothing of
 * lessons.
 */
import { portOf } from "../common/page-port.js";
import { offerParts, showPart } from "./parts.js";
import { SHEET } from "./sheet.js";

/** @typedef {{
 *   onReady: () => void, onTurn: () => void, onKey: (event: KeyboardEvent) => void, onPoint: (id: string | null) => void,
 *   onForward: () => boolean,
 * }} Listeners  onTurn: the page has turned to another address, by itself or by its reader; onPoint: a Value is pointed at;
 *   onForward: whether a step forward is held, as a question asks for what it would show */
/** @typedef {{label: string, initial: string}} Leaf */
/** @typedef {import("./steps.js").Step} Step */

const USER_EVENTS = ["pointerdown", "keydown", "input", "change", "wheel"]; // by which a reader acts on the page
const AHEAD = ["ArrowRight", "PageDown", "End"];
const OWN_KEYS = "input:not(#scrubber), textarea, select, dialog, [data-keys=own]";
const READABLE = 0.4; // scale from which a lesson shows a picture as a whole
const SMALL = 0.27; // the same on a phone, where it can be pinched
const LONG = 9; // lines of a program from which it has a column of its own
const MARKS = 100; // steps of a slider whose range the lesson gives
const PHONE = 560; // pixels of width below which a graph is drawn from top to bottom, and above from left to right: the room is wide

export class DockedPage {
  /** @param {string} kind @param {Listeners} listeners */
  constructor(kind, listeners) {
    this.kind = kind;
    this.listeners = listeners;
    this.frame = document.createElement("iframe");
    this.frame.title = `The live picture: ${TITLES[kind] ?? "a page of the reference"}`;
    this.frame.addEventListener("load", () => this.#dock());
    /** The address that the lesson asks for. */ this.goal = "";
    /** @type {Step["beside"] | null} how the lesson arranges the page */ this.beside = null;
    /** @type {string | null} that address, as the page writes it itself */ this.settled = null;
    /** Whether the reader has acted on the page since. */ this.isTouched = false;
    this.isReady = false;
    /** Whether the lesson itself loads another page. */ this.isLeaving = false;
    /** @type {Map<string, string>} leaves that are dragged, before the page writes its address */ this.dragged = new Map();
    document.documentElement.addEventListener("themechange", () => this.#applyTheme());
  }

  get #window() {
    return this.frame.contentWindow;
  }

  get #port() {
    return portOf(this.#window);
  }

  get #document() {
    return this.frame.contentDocument;
  }

  /** The address that the page shows now. */
  get address() {
    const place = this.#window?.location;
    return place ? place.pathname + place.search : this.goal;
  }

  /** Show the state of a step. @param {Pick<Step, "address" | "beside">} step @param {HTMLElement} room of the iframe */
  drive({ address, beside }, room) {
    this.goal = this.kind === "explore" ? directed(address, room.clientWidth) : address;
    this.beside = beside;
    this.settled = null;
    this.isTouched = false;
    this.dragged.clear();
    if (!this.frame.isConnected) {
      this.frame.src = this.goal;
      room.append(this.frame);
    } else if (this.isReady) this.#follow();
  }

  /** Show what the reader has made of a state again. @param {string} address */
  restore(address) {
    this.isTouched = true;
    if (!this.#port?.go(address)) this.#window?.location.replace(address);
  }

  /** Turn to the goal: in place, or by loading it. */
  #follow() {
    const there = this.#window;
    this.#shape();
    this.#arrange();
    if (!there || this.address === this.goal) return;
    if (this.#port?.go(this.goal)) return;
    this.isLeaving = true;
    there.location.replace(this.goal);
  }

  /** Give a long program of the lesson a column of its own, and a small screen the part that the step is about. */
  #shape() {
    const root = this.#document?.documentElement;
    if (!root) return;
    const query = new URLSearchParams(this.goal.split("?")[1]);
    root.classList.toggle("long-program", query.has("packed") || (query.get("program") ?? "").split("\n").length >= LONG);
    root.classList.toggle("without-cure", this.beside?.without === "cure");
    showPart(root, this.beside?.part ?? "");
  }

  /** Bring the line that the step is about into view, and give sliders the ranges of its sentences. */
  #arrange() {
    if (!this.beside || this.isTouched) return;
    const { code, place, ranges } = this.beside;
    if (code) this.#port?.seek(code);
    if (place) this.#scrollTo(place);
    for (const row of this.#rows) {
      const slider = row.querySelector("input");
      const range = ranges[row.querySelector("label")?.textContent?.trim() ?? ""];
      if (!range || !slider) continue;
      const { value } = slider;
      Object.assign(slider, { min: String(range[0]), max: String(range[1]), step: String((range[1] - range[0]) / MARKS) });
      slider.value = value;
    }
  }

  /** Bring a heading of the sections to their top. @param {string} words that it begins with */
  #scrollTo(words) {
    const panel = this.#document?.querySelector(".panel");
    const heading = [...(panel?.querySelectorAll(".lens[open] h3") ?? [])].find((each) => each.textContent?.startsWith(words));
    if (panel && heading) panel.scrollTop += heading.getBoundingClientRect().top - panel.getBoundingClientRect().top - 12;
  }

  /** @returns {NodeListOf<HTMLElement> | HTMLElement[]} */
  get #rows() {
    return this.#document?.querySelectorAll("#leaves .leaf") ?? [];
  }

  /** Bring the whole picture into view, where it can be read as a whole. @param {boolean} [isForced] however small it gets */
  fit(isForced = false) {
    const least = this.frame.clientWidth < PHONE ? SMALL : READABLE;
    this.#port?.fit(isForced ? 0 : least);
  }

  /** Step through the frames of the page. @param {"back" | "forward"} way */
  step(way) {
    this.isTouched = true;
    this.#port?.step(way);
  }

  /** Light up a Value. @param {string | null} id */
  light(id) {
    if (this.isReady) this.#port?.light(id);
  }

  /** The leaves of the picture by their keys. @returns {Map<string, Leaf>} */
  get leaves() {
    return new Map([...this.#rows].map((row) => [row.dataset.key ?? "", { label: row.querySelector("label")?.textContent?.trim() ?? "", initial: row.dataset.default ?? "" }]));
  }

  /** The place of the last frame, from 0. */
  get lastFrame() {
    return Number(/** @type {HTMLInputElement | null} */ (this.#document?.getElementById("scrubber"))?.max ?? 0);
  }

  /** Mark on the sliders where the lesson has them. @param {Map<string, string>} numbers of the lesson by leaf */
  mark(numbers) {
    for (const row of this.#rows) {
      const { key = "" } = row.dataset;
      const number = numbers.get(key);
      row.classList.toggle("marked", number !== undefined);
      explain(row, number);
      const slider = row.querySelector("input");
      if (number === undefined || !slider) continue;
      const [least, most] = [Number(slider.min), Number(slider.max)];
      row.style.setProperty("--mark", String((Number(number) - least) / (most - least || 1)));
    }
  }

  /** A document has arrived in the iframe: dress it, listen to it, and show it once it is ready. */
  #dock() {
    const [there, page] = [this.#window, this.#document];
    if (!there || !page || page.URL === "about:blank") return;
    const { documentElement: root } = page;
    root.classList.add("docked");
    this.#shape();
    this.#applyTheme();
    const sheet = Object.assign(page.createElement("link"), { rel: "stylesheet", href: SHEET });
    const isDressed = new Promise((done) => {
      sheet.addEventListener("load", done);
      sheet.addEventListener("error", done);
    });
    page.head.append(sheet);
    page.getElementById("program-panel")?.setAttribute("open", ""); // small screens close it
    offerMore(page);
    offerParts(page, this.kind);
    this.#listen(there, page);
    Promise.all([isDressed, this.#port && whenReady(root)]).then(() => this.#arrive());
  }

  #arrive() {
    this.isReady = true;
    this.isLeaving = false;
    if (!this.isTouched) this.#follow();
    this.#arrange();
    this.fit();
    this.listeners.onReady();
    this.listeners.onTurn();
  }

  /** The colours that the reader has chosen. */
  #applyTheme() {
    const root = this.#document?.documentElement;
    if (!root) return;
    const { theme } = document.documentElement.dataset;
    if (theme) root.dataset.theme = theme;
    root.dispatchEvent(new Event("themechange"));
  }

  /** @param {Window} there @param {Document} page */
  #listen(there, page) {
    const port = this.#port;
    port?.on("turn", () => this.#hear());
    port?.on("point", this.listeners.onPoint);
    port?.on("picture", () => {
      if (!this.isTouched) this.fit();
      this.#arrange();
    });
    for (const name of USER_EVENTS) there.addEventListener(name, (event) => this.#touch(event), { capture: true, passive: true });
    // Over the picture, the wheel scrolls the lesson; with Ctrl, and by fingers, it zooms.
    there.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !(/** @type {Element} */ (event.target).closest(".panel, .program, .side, .spec, dialog"))) event.stopImmediatePropagation();
    }, { capture: true, passive: true });
    for (const name of ["click", "keydown"]) there.addEventListener(name, (event) => this.#hold(event), { capture: true });
    there.addEventListener("keydown", this.listeners.onKey);
    there.addEventListener("pagehide", () => {
      this.isReady = false;
      this.isTouched ||= !this.isLeaving; // the reader has followed a link
      this.frame.classList.remove("shown");
    });
  }

  /** Keep the player before a frame that a question asks for. @param {Event} event by the reader */
  #hold(event) {
    const target = /** @type {Element} */ (event.target);
    const { key = "" } = /** @type {KeyboardEvent} */ (event);
    const goesOn = key ? AHEAD.includes(key) && !target.closest?.(OWN_KEYS) : target.closest?.("#forward, #play");
    if (!event.isTrusted || !goesOn || !this.listeners.onForward()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** The page has written its address. */
  #hear() {
    this.dragged.clear();
    if (!this.isTouched) this.settled = this.address;
    this.listeners.onTurn();
  }

  /** @param {Event} event by the reader */
  #touch(event) {
    if (!event.isTrusted) return;
    this.isTouched = true;
    const input = /** @type {HTMLInputElement} */ (event.target);
    const row = event.type === "input" ? /** @type {HTMLElement | null} */ (input.closest?.("#leaves .leaf")) : null;
    if (!row || !Number.isFinite(input.valueAsNumber)) return;
    this.dragged.set(row.dataset.key ?? "", input.value);
    this.listeners.onTurn();
  }
}

/** @type {Record<string, string>} */
const TITLES = { explore: "Explore", train: "Train" };

/** @param {HTMLElement} root of a page */
const whenReady = (root) => new Promise((done) => {
  const isReady = () => root.dataset.ready === "true";
  if (isReady()) return done(null);
  const wait = new MutationObserver(() => {
    if (!isReady()) return;
    wait.disconnect();
    done(null);
  });
  wait.observe(root, { attributes: true });
});

/** An address of Explore with the direction of the graph that suits the room, unless it names one.
 * @param {string} address @param {number} width of the room in pixels */
function directed(address, width) {
  if (/[?&]direction=/.test(address)) return address;
  return `${address}${address.includes("?") ? "&" : "?"}direction=${width < PHONE ? "TB" : "LR"}`;
}

/** The button that unfolds all of the page. @param {Document} page */
function offerMore(page) {
  const room = page.querySelector(".player .pace");
  if (!room) return;
  const button = Object.assign(page.createElement("button"), { type: "button", className: "button dock-more" });
  button.append(Object.assign(page.createElement("span"), { textContent: "All controls" }));
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    const isOpen = page.documentElement.classList.toggle("unfolded");
    button.setAttribute("aria-pressed", String(isOpen));
  });
  room.append(button);
}

/** A line below a slider on its mark. @param {HTMLElement} row of a leaf @param {string | undefined} number of the lesson */
function explain(row, number) {
  let line = row.querySelector(".lesson-mark");
  if (number === undefined) return line?.remove();
  if (!line) {
    line = Object.assign(row.ownerDocument.createElement("small"), { className: "lesson-mark" });
    row.append(line);
  }
  line.textContent = `The mark is the lesson’s ${String(Number(number)).replace("-", "−")}.`;
}
