/**
 * What the visitor typed, kept in this browser: for this tab until it is loaded again, and for the
 * next visit once the tab is closed. Each page writes an entry of its own, so that pages that are
 * open at the same time do not write over each other's. Without storage the address is all there is.
 */

/**
 * @typedef {{
 *   id: string, writer: string, link: string, typed: string, isOpen: boolean, words: string, at: number,
 *   place?: string, carried?: boolean,
 * }} Draft  link: the address of what is shown; typed: what the fields hold; isOpen: it is not shown yet, being new
 *   or refused; writer: the page that wrote it; place: what the tab's address was about
 */

const PREFIX = "gradlens.draft.";
const MOST = 5; // entries for each kind of page
const OFFERED = 3;
const AGE = 30 * 24 * 3600 * 1000; // milliseconds that an entry is kept
const WORDS = 44; // characters that name an entry
const TYPED = "textarea, input[type=text], input[type=number]"; // fields, unlike sliders, that are typed in

/** Characters that an address may have: servers refuse longer ones. */
export const LONGEST = 60_000;

/** A name that no other page has. */
const fresh = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

export class Drafts {
  /** @param {string} kind of the page @param {(search: string) => string} place what an address is about, whatever is seen of it */
  constructor(kind, place) {
    this.kind = kind;
    this.place = place;
    this.writer = fresh();
    this.id = this.writer;
    this.before = ""; // who wrote what this page took over
  }

  /** Keep what is typed. @param {string} link @param {string} typed @param {boolean} isOpen @param {string} words that name it */
  keep(link, typed, isOpen, words) {
    const there = read("localStorage", this.#key(this.id));
    if (there && there.writer !== this.writer && there.writer !== this.before) this.id = fresh(); // the tab was doubled
    const short = words.length > WORDS ? `${words.slice(0, WORDS - 1)}…` : words;
    /** @type {Draft} */
    const draft = { id: this.id, writer: this.writer, link, typed, isOpen, words: short, at: Date.now() };
    write("sessionStorage", PREFIX + this.kind, { ...draft, place: this.place(location.search) });
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

  /** What was typed when this tab showed the same last: after a reload or on the way back, and when it is gone on with.
   * A link, to an example for one, means what it says. @returns {Draft | null} */
  returning() {
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const draft = read("sessionStorage", PREFIX + this.kind);
    if (!draft || draft.place !== this.place(location.search)) return null;
    if (visit?.type === "navigate" && !draft.carried) return null;
    write("sessionStorage", PREFIX + this.kind, { ...draft, carried: false });
    this.id = draft.id;
    this.before = draft.writer;
    return draft;
  }

  /** Show a draft again: what was shown when it was left, and what was typed. @param {Draft} draft */
  goOn(draft) {
    const link = draft.link.length > LONGEST ? location.pathname : draft.link;
    const place = this.place(new URL(link, location.href).search);
    write("sessionStorage", PREFIX + this.kind, { ...draft, place, carried: true });
    location.assign(link);
  }

  /** A line that offers what was typed at earlier visits, until something else is typed. What the page shows is not offered.
   * @param {string} link @param {string} typed */
  offer(link, typed) {
    const key = (/** @type {{link: string, typed: string}} */ draft) => `${this.place(new URL(draft.link, location.href).search)} ${draft.typed}`;
    const known = new Set([key({ link, typed })]);
    const drafts = entries(this.kind).map(({ draft }) => draft).filter((draft) => !known.has(key(draft)) && known.add(key(draft)));
    if (!drafts.length) return;
    const line = Object.assign(document.createElement("section"), { className: "offer" });
    line.setAttribute("aria-label", "What you typed");
    const forget = button("Forget", "offer-forget", () => {
      for (const { key } of entries(this.kind)) remove(key);
      line.remove();
    });
    forget.title = "Remove it from this browser";
    const chips = drafts.slice(0, OFFERED).map((draft) => button(draft.words, "chip", () => this.goOn(draft)));
    line.append(Object.assign(document.createElement("p"), { textContent: "Go on with what you typed" }), ...chips, forget);
    document.addEventListener("input", (event) => {
      if (event.target instanceof Element && event.target.matches(TYPED)) line.remove();
    });
    document.body.append(line);
  }
}

/** @param {string} text @param {string} className @param {() => void} onClick */
function button(text, className, onClick) {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent: text });
  made.addEventListener("click", onClick);
  return made;
}

/** All entries of a kind, or of all kinds, the newest first. Old ones go. @param {string} kind */
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

/** Whether there was room. @param {"localStorage" | "sessionStorage"} storage @param {string} key @param {Draft} draft */
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
    // Then it stays.
  }
}
