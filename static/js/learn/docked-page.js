/**
 * A page of this server in an iframe beside the text, driven through its own back button: its address is replaced, and the
 * page follows it. The page itself knows nothing of lessons.
 */
import { SHEET } from "./sheet.js";

/** @typedef {{
 *   onReady: () => void, onTurn: () => void, onKey: (event: KeyboardEvent) => void, onPoint: (id: string | null) => void,
 * }} Listeners  onTurn: the page has turned to another address, by itself or by its reader; onPoint: a Value is pointed at */
/** @typedef {{label: string, initial: string}} Leaf */

/** The paths of pages that follow their address in place; the others are loaded. */
const FOLLOWING = new Set(["/", "/explore", "/train"]);
/** Parameters of Train that take effect when it is loaded. */
const FIXED = ["hide", "pin", "plane", "space", "scale", "right", "speed", "flat", "tests", "tab"];
const HANDS = ["pointerdown", "keydown", "input", "change", "wheel"]; // by which a reader acts on the page
const NAMED = "[data-value], #picture [data-node], #picture [data-of]";
const WAYS = { back: ["back"], forward: ["forward", "step"] }; // buttons of Explore and Train
const READABLE = 0.42; // scale from which a lesson shows a picture as a whole
const SMALL = 0.28; // the same on a phone, where it can be pinched
const ABOVE = 90; // pixels of the canvas that tools and margins take
const LONG = 9; // lines of a program from which it has a column of its own
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
    /** @type {string | null} that address, as the page writes it itself */ this.settled = null;
    /** Whether the reader has acted on the page since. */ this.isTouched = false;
    this.isReady = false;
    /** Whether the lesson itself loads another page. */ this.isLeaving = false;
    /** @type {Map<string, string>} leaves that are dragged, before the page writes its address */ this.dragged = new Map();
    document.documentElement.addEventListener("themechange", () => this.#dress());
  }

  get #window() {
    return this.frame.contentWindow;
  }

  get #document() {
    return this.frame.contentDocument;
  }

  /** The address that the page shows now. */
  get address() {
    const place = this.#window?.location;
    return place ? place.pathname + place.search : this.goal;
  }

  /** Show a state. @param {string} address @param {HTMLElement} room of the iframe */
  drive(address, room) {
    this.goal = this.kind === "explore" ? directed(address, room.clientWidth) : address;
    this.settled = null;
    this.isTouched = false;
    this.dragged.clear();
    if (!this.frame.isConnected) {
      this.frame.src = this.goal;
      room.append(this.frame);
    } else if (this.isReady) this.#follow();
  }

  /** Turn to the goal: in place, or by loading it. */
  #follow() {
    const there = this.#window;
    this.#shape();
    if (!there || this.address === this.goal) return;
    if (!follows(there.location, this.goal)) {
      this.isLeaving = true;
      return there.location.replace(this.goal);
    }
    there.history.replaceState({ seegrad: true }, "", this.goal);
    there.dispatchEvent(new PopStateEvent("popstate", { state: there.history.state }));
  }

  /** Give a long program of the lesson a column of its own. */
  #shape() {
    const program = new URLSearchParams(this.goal.split("?")[1]).get("program") ?? "";
    this.#document?.documentElement.classList.toggle("long-program", program.split("\n").length >= LONG);
  }

  /** Bring the whole picture into view, where it can be read as a whole. @param {boolean} [isForced] however small it gets */
  fit(isForced = false) {
    const page = this.#document;
    const [canvas, picture] = [page?.getElementById("canvas"), page?.querySelector("#canvas > svg")];
    if (!page || !canvas || !(picture instanceof (page.defaultView ?? window).SVGSVGElement)) return;
    const { width, height } = picture.viewBox.baseVal;
    if (!isForced && Math.min(canvas.clientWidth / width, (canvas.clientHeight - ABOVE) / height) < (canvas.clientWidth < PHONE ? SMALL : READABLE)) return reveal(page);
    page.getElementById("fit")?.click();
    picture.style.transition = "none";
  }

  /** Step through the frames of the page. @param {"back" | "forward"} way */
  step(way) {
    this.isTouched = true;
    for (const id of WAYS[way]) this.#document?.getElementById(id)?.click();
  }

  /** Light up a Value, as if it were pointed at. @param {string | null} id */
  light(id) {
    const page = this.#document;
    if (!page?.body || !this.isReady) return;
    let pointer = /** @type {HTMLElement | null} */ (page.getElementById("dock-pointer"));
    if (!pointer) {
      pointer = Object.assign(page.createElement("i"), { id: "dock-pointer", hidden: true });
      page.body.append(pointer);
    }
    if (id === null) return void page.dispatchEvent(new PointerEvent("pointerleave"));
    pointer.dataset.value = id;
    pointer.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  }

  /** The leaves of the picture by their keys. @returns {Map<string, Leaf>} */
  get leaves() {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.#document?.querySelectorAll("#leaves .leaf") ?? []);
    return new Map([...rows].map((row) => [row.dataset.key ?? "", { label: row.querySelector("label")?.textContent?.trim() ?? "", initial: row.dataset.default ?? "" }]));
  }

  /** The place of the last frame, from 0. */
  get lastFrame() {
    return Number(/** @type {HTMLInputElement | null} */ (this.#document?.getElementById("scrubber"))?.max ?? 0);
  }

  /** Mark on the sliders where the lesson has them. @param {Map<string, string>} numbers of the lesson by leaf */
  mark(numbers) {
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.#document?.querySelectorAll("#leaves .leaf") ?? [])) {
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
    this.#dress();
    const sheet = Object.assign(page.createElement("link"), { rel: "stylesheet", href: SHEET });
    const isDressed = new Promise((done) => {
      sheet.addEventListener("load", done);
      sheet.addEventListener("error", done);
    });
    page.head.append(sheet);
    page.getElementById("program-panel")?.setAttribute("open", ""); // small screens close it
    offerMore(page);
    this.#listen(there, page);
    Promise.all([isDressed, whenReady(root, FOLLOWING.has(there.location.pathname))]).then(() => this.#arrive());
  }

  #arrive() {
    this.isReady = true;
    this.isLeaving = false;
    if (!this.isTouched) this.#follow();
    this.fit();
    this.listeners.onReady();
    this.listeners.onTurn();
  }

  /** The colours that the reader has chosen. */
  #dress() {
    const root = this.#document?.documentElement;
    if (!root) return;
    const { theme } = document.documentElement.dataset;
    if (theme) root.dataset.theme = theme;
    root.dispatchEvent(new Event("themechange"));
  }

  /** @param {Window} there @param {Document} page */
  #listen(there, page) {
    const { history } = there;
    const write = history.replaceState.bind(history);
    // The back button of the lesson leads out of the lesson, and not through what the reader tried in the picture.
    for (const name of /** @type {const} */ (["replaceState", "pushState"])) {
      history[name] = (state, unused, url) => {
        write(state, unused, url);
        this.#hear();
      };
    }
    for (const name of HANDS) there.addEventListener(name, (event) => this.#touch(event), { capture: true, passive: true });
    // Over the picture, the wheel scrolls the lesson; with Ctrl, and by fingers, it zooms.
    there.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !(/** @type {Element} */ (event.target).closest(".panel, .program, .side, .spec, dialog"))) event.stopImmediatePropagation();
    }, { capture: true, passive: true });
    there.addEventListener("keydown", this.listeners.onKey);
    for (const name of ["pointerover", "focusin"]) page.addEventListener(name, ({ target }) => this.#point(/** @type {Element} */ (target)));
    page.addEventListener("pointerleave", () => this.listeners.onPoint(null));
    page.addEventListener("htmx:after:swap", (event) => {
      const { sourceElement } = /** @type {CustomEvent} */ (event).detail.ctx;
      if (sourceElement?.id === "program-form" && !this.isTouched) this.fit();
    });
    there.addEventListener("pagehide", () => {
      this.isReady = false;
      this.isTouched ||= !this.isLeaving; // the reader has followed a link
      this.frame.classList.remove("shown");
    });
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

  /** @param {Element} target */
  #point(target) {
    const { value, node, of } = /** @type {HTMLElement | null} */ (target.closest?.(NAMED))?.dataset ?? {};
    this.listeners.onPoint(value ?? node ?? of ?? null);
  }
}

/** @type {Record<string, string>} */
/** Whether a page turns to another address in place. @param {Location} here @param {string} goal */
function follows(here, goal) {
  const [path, query] = goal.split("?");
  if (!FOLLOWING.has(path) || here.pathname !== path) return false;
  if (path !== "/train") return true;
  const [a, b] = [new URLSearchParams(here.search), new URLSearchParams(query)];
  return FIXED.every((name) => a.getAll(name).join() === b.getAll(name).join());
}

const TITLES = { explore: "Explore", train: "Train" };

/** Bring the part that is active into view, once the room for the picture is another. @param {Document} page */
function reveal(page) {
  const button = page.getElementById("follow");
  if (button?.getAttribute("aria-pressed") !== "true") return;
  button.click(); // off
  button.click();
}

/** @param {HTMLElement} root of a page @param {boolean} isFollowing whether its scripts say when they are ready */
const whenReady = (root, isFollowing) => new Promise((done) => {
  const isReady = () => !isFollowing || root.dataset.ready === "true";
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
