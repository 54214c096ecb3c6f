/**
 * Drafts of what the visitor typed, in this browser's storage: restored when a tab reloads, offered at
 * the next visit. Each page has its own entry, so that concurrent tabs do not overwrite each other.
 * Without storage, only the address preserves state.
 */

/**
 * @typedef {{
 *   id: string, writer: string, link: string, typed: string, isOpen: boolean, words: string, at: number,
 *   place?: string, entered?: string, left?: string, carried?: boolean, framed?: boolean,
 * }} Draft  framed: written within a lesson; link: the address of the result shown; typed: the contents of the fields; isOpen: not shown yet, because
 *   new or refused; writer: the page that wrote it; place: the identity of the tab's address; entered: that
 *   with which its page began, and left: that before the last one; a reload may lead to either that overtakes a new address
 */

const PREFIX = "seegrad.draft.";
const MOST = 5; // entries per kind of page
const OFFERED = 3;
const AGE = 30 * 24 * 3600 * 1000; // lifetime of an entry in milliseconds
const WORDS = 44; // maximum length of an entry's title
const TYPED = "textarea, input[type=text], input[type=number]"; // text fields, without sliders

/** Maximum length of an address; servers reject longer ones. */
export const LONGEST = 90_000;

/** A unique id. */
const fresh = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

export class Drafts {
  /** @param {string} kind of page @param {(search: string) => string} place the identity of an address, without its view */
  constructor(kind, place) {
    this.kind = kind;
    this.place = place;
    this.writer = fresh();
    this.id = this.writer;
    this.entered = this.here = this.left = place(location.search);
    this.before = ""; // the writer of the draft that this page took over
  }

  /** Save a draft. @param {string} link @param {string} typed @param {boolean} isOpen @param {string} words its title */
  keep(link, typed, isOpen, words) {
    const there = read("localStorage", this.#key(this.id));
    if (there && there.writer !== this.writer && there.writer !== this.before) this.id = fresh(); // a duplicated tab
    const short = words.length > WORDS ? `${words.slice(0, WORDS - 1)}…` : words;
    /** @type {Draft} */
    const draft = { id: this.id, writer: this.writer, link, typed, isOpen, words: short, at: Date.now(), framed: window.parent !== window };
    const here = this.place(location.search);
    if (here !== this.here) [this.left, this.here] = [this.here, here];
    write("sessionStorage", PREFIX + this.kind, { ...draft, place: here, entered: this.entered, left: this.left });
    while (!write("localStorage", this.#key(this.id), draft)) {
      const oldest = entries("").findLast(({ key }) => key !== this.#key(this.id));
      if (!oldest) break;
      remove(oldest.key);
    }
    for (const { key } of entries(this.kind).slice(MOST)) remove(key);
  }

  /** @param {string} id */
  #key(id) {
    return `${PREFIX}${this.kind}.${id}`;
  }

  /** The draft of this tab after a reload, back navigation or `goOn`; null after following a link, which shows
   * exactly its own state. @returns {Draft | null} */
  returning() {
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const draft = read("sessionStorage", PREFIX + this.kind);
    const here = this.place(location.search);
    const isOvertaken = visit?.type === "reload" && (draft?.entered === here || draft?.left === here);
    if (!draft || (draft.place !== here && !isOvertaken && !draft.carried)) return null;
    if (visit?.type === "navigate" && !draft.carried) return null;
    write("sessionStorage", PREFIX + this.kind, { ...draft, carried: false });
    this.id = draft.id;
    this.before = draft.writer;
    return draft;
  }

  /** Resume a draft: the result that was shown, and the contents of the fields. @param {Draft} draft */
  goOn(draft) {
    location.assign(carry(this.kind, draft));
  }

  /** Offer the drafts of earlier visits, except the one shown, until something else is typed.
   * @param {string} link @param {string} typed @param {HTMLElement} [room] of the offer */
  offer(link, typed, room = document.body) {
    const key = (/** @type {{link: string, typed: string}} */ draft) => `${this.place(new URL(draft.link, location.href).search)} ${draft.typed}`;
    const known = new Set([key({ link, typed })]);
    const drafts = entries(this.kind).map(({ draft }) => draft).filter((draft) => !known.has(key(draft)) && known.add(key(draft)));
    if (!drafts.length) return;
    const line = Object.assign(document.createElement("section"), { className: "offer" });
    line.setAttribute("aria-label", "Drafts");
    const forget = button("Discard", "offer-forget", () => {
      for (const { key } of entries(this.kind)) remove(key);
      line.remove();
    });
    forget.title = "Delete the drafts from this browser";
    const chips = drafts.slice(0, OFFERED).map((draft) => button(draft.words, "chip", () => this.goOn(draft)));
    line.append(Object.assign(document.createElement("p"), { textContent: "Continue where you left off" }), ...chips, forget);
    document.addEventListener("input", (event) => {
      if (event.target instanceof Element && event.target.matches(TYPED)) line.remove();
    });
    room.append(line);
  }
}

/** The newest draft of any page with the page's kind, except those of lessons; null if there is none. @returns {{kind: string, draft: Draft} | null} */
export function latest() {
  const found = entries("").find(({ draft }) => !draft.framed);
  return found ? { kind: found.key.slice(PREFIX.length).split(".")[0], draft: found.draft } : null;
}

/** Have the page that opens next in this tab resume a draft. @param {string} kind @param {Draft} draft @returns {string} its address */
export function carry(kind, draft) {
  write("sessionStorage", PREFIX + kind, { ...draft, carried: true });
  return draft.link.length > LONGEST ? `/${kind}` : draft.link;
}

/** @param {string} text @param {string} className @param {() => void} onClick */
function button(text, className, onClick) {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: text });
  made.addEventListener("click", onClick);
  return made;
}

/** All entries of a kind, or of all kinds, newest first; expired ones are deleted. @param {string} kind */
function entries(kind) {
  /** @type {{key: string, draft: Draft}[]} */ const found = [];
  for (const key of keys().filter((key) => key.startsWith(kind ? `${PREFIX}${kind}.` : PREFIX))) {
    const draft = read("localStorage", key);
    if (draft && Date.now() - draft.at < AGE) found.push({ key, draft });
    else remove(key);
  }
  return found.sort((a, b) => b.draft.at - a.draft.at);
}

/** @returns {string[]} */
function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** @param {"localStorage" | "sessionStorage"} storage @param {string} key @returns {Draft | null} */
function read(storage, key) {
  try {
    const draft = JSON.parse(window[storage].getItem(key) ?? "null");
    return typeof draft?.typed === "string" && typeof draft.link === "string" && draft.link.startsWith("/") ? draft : null;
  } catch {
    return null;
  }
}

/** Whether the write succeeded. @param {"localStorage" | "sessionStorage"} storage @param {string} key @param {Draft} draft */
function write(storage, key, draft) {
  try {
    window[storage].setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} key */
function remove(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is unavailable: there is nothing to remove.
  }
}
