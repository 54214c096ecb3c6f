/**
 * The requests of the page, sent by htmx: a program to `POST /graph` for picture and trace; changed leaves to
 * `POST /numbers` for the trace only; `POST /transcript` for the transcript.
 */
import { query } from "./address.js";
import { offerReload, VERSION } from "../common/update-notice.js";

/** @typedef {import("./address.js").State} State */
/** @typedef {import("./address.js").Goal} Goal */
/** @typedef {{requested: State, isReturn: boolean, from: number | null}} Order  the state requested, whether by the back button, and the
 *   frame that was shown then; null where another one is requested */
/** @typedef {{onPicture: (order: Order) => void, onDrawing: (program: string) => void, onNumbers: () => void, onTranscript: () => void, onFailure: () => void}} Answers */

const PASSING = new Set([429, 502, 503, 504]); // transient statuses
const BUSY = "The server is busy. Your text is kept. Trying again…";
const AWAY = "The server cannot be reached. Your text is kept. Trying again…";
const TOO_LARGE = "The program exceeds the server's size limit. Shorten it, or write a loop instead of repeated lines.";
const WAITS = [1000, 8000]; // first and longest delay in milliseconds

export class Requests {
  /**
   * @param {HTMLFormElement} form that posts the program
   * @param {import("./state.js").PageState} state that is requested
   * @param {import("./refusal.js").Refusal} refusal
   * @param {import("./problem.js").Problem} problem
   * @param {import("../common/link.js").Link} address
   * @param {Answers} answers
   */
  constructor(form, state, refusal, problem, address, answers) {
    this.form = form;
    this.state = state;
    this.refusal = refusal;
    this.problem = problem;
    this.address = address;
    this.answers = answers;
    // Invalid text is sent again too, for its report.
    this.retry = new Retry(() => {
      refusal.forget();
      this.send();
    });
    /** @type {Goal | null} the state of the next request, instead of the page's */ this.goal = null;
    /** @type {Order | null} the newest request for a goal */ this.navigation = null;
    for (const [name, listener] of /** @type {[string, (detail: any, event: Event) => void][]} */ ([
      ["config:request", ({ ctx }, event) => this.#prepare(ctx, event)],
      ["finally:request", ({ ctx }) => this.#finish(ctx)],
      ["after:swap", ({ ctx }) => this.#take(ctx)],
      ["response:error", ({ ctx }) => this.#fail(ctx.response)],
      ["error", () => this.#retryLater(AWAY)],
    ])) {
      document.addEventListener(`htmx:${name}`, (event) => listener(/** @type {CustomEvent} */ (event).detail, event));
    }
  }

  /** Send the program, changed or not. */
  send() {
    this.#once(() => {
      this.refusal.hurry();
      this.form.dispatchEvent(new Event("run"));
    });
  }

  /** Request another picture of what is drawn. */
  redraw() {
    this.#once(() => document.getElementById("stage")?.dispatchEvent(new Event("redraw")));
  }

  /** Request a picture for a phone, where the server drew for a wide page. */
  redrawIfCramped() {
    const { stage } = this.state.parts;
    if (!stage.isCramped) return;
    stage.forgetView();
    this.redraw();
  }

  /** Do something once htmx has processed the page. @param {() => void} act */
  #once(act) {
    if (this.form.hasAttribute("data-htmx-powered")) act();
    else document.addEventListener("htmx:after:process", () => this.#once(act), { once: true });
  }

  /** Request the state of an address. @param {Goal} goal */
  go(goal) {
    this.goal = goal;
    this.send();
  }

  /** @param {any} ctx htmx's context of a request @param {Event} event */
  #prepare(ctx, event) {
    const isTyped = ctx.sourceElement === this.form;
    const requested = this.goal ? this.state.of(this.goal) : this.state.wanted(isTyped);
    if (isTyped && this.state.isTooLong(requested.program)) {
      event.preventDefault();
      this.#refuseTooLong();
      return;
    }
    ctx.seegrad = { requested, isReturn: this.goal !== null && this.address.held, from: this.goal ? null : this.state.parts.player.at };
    ctx.request.body = new FormData();
    for (const [key, value] of query(requested)) ctx.request.body.append(key, value);
    // What is presented is drawn for its window.
    const room = this.state.parts.stage.narrowRoom;
    if (requested.lenses.has("present")) ctx.request.body.set("present", `${innerWidth}x${innerHeight}`);
    else if (room) ctx.request.body.set("room", room);
    if (this.goal) this.navigation = ctx.seegrad;
    this.goal = null;
  }

  #refuseTooLong() {
    this.retry.reset();
    this.goal = null;
    this.address.held = false;
    this.refusal.takeTooLong();
  }

  /** @param {any} ctx */
  #finish(ctx) {
    if (this.navigation !== null && ctx.seegrad === this.navigation) this.address.held = false;
  }

  /** @param {any} ctx */
  #take(ctx) {
    if (!ctx.seegrad) return;
    const { sourceElement, response } = ctx;
    const version = response?.headers.get("seegrad-version");
    if (VERSION && version && version !== VERSION) offerReload(() => this.address.write());
    if (sourceElement.id === "leaves") this.answers.onNumbers();
    else if (sourceElement.id === "stage") this.answers.onDrawing(ctx.seegrad.requested.program);
    else if (sourceElement.id === "transcript-list") this.answers.onTranscript();
    else if (sourceElement.dataset.section) return;
    else if (response?.status === 422) this.#refuse(ctx.seegrad.requested.program);
    else if (response?.status < 400) {
      this.retry.reset();
      this.answers.onPicture(ctx.seegrad);
    }
  }

  /** @param {string} program */
  #refuse(program) {
    // A leaf may have been dragged while the server was away.
    if (this.retry.isAway) document.getElementById("leaves")?.dispatchEvent(new Event("renew"));
    this.retry.reset();
    this.refusal.take(program);
  }

  /** @param {{status: number, headers: Headers}} response */
  #fail({ status, headers }) {
    if (status === 422) return;
    if (PASSING.has(status)) this.#retryLater(BUSY, 1000 * Number(headers.get("retry-after")));
    else if (status === 413) this.problem.showText(TOO_LARGE);
    else this.#report(`The server responded with an error (${status}). Your text is kept.`);
  }

  /** @param {string} text @param {number} [retryAfter] the server's Retry-After in milliseconds */
  #retryLater(text, retryAfter = 0) {
    this.#report(text);
    this.retry.later(retryAfter);
  }

  /** @param {string} text */
  #report(text) {
    this.retry.end();
    this.refusal.drop();
    this.answers.onFailure();
    this.problem.offerAgain(text, () => this.retry.now());
  }
}

/** Retries with exponential backoff and jitter. */
class Retry {
  /** @param {() => void} send repeats the request */
  constructor(send) {
    this.send = send;
    this.wait = WAITS[0];
    /** Whether the last request is still unanswered. */ this.isAway = false;
    /** @type {number | undefined} */ this.timer = undefined;
    window.addEventListener("online", () => this.isAway && this.now());
  }

  now() {
    clearTimeout(this.timer);
    this.send();
  }

  /** @param {number} retryAfter the server's Retry-After in milliseconds; 0 or NaN without one */
  later(retryAfter) {
    clearTimeout(this.timer);
    this.isAway = true;
    this.timer = window.setTimeout(() => this.now(), Math.max(this.wait, retryAfter || 0) * (0.75 + Math.random() / 2));
    this.wait = Math.min(2 * this.wait, WAITS[1]);
  }

  /** Cancel the retry. */
  end() {
    clearTimeout(this.timer);
    this.isAway = false;
  }

  /** The server has responded: cancel the retry and reset the backoff. */
  reset() {
    this.end();
    this.wait = WAITS[0];
  }
}
