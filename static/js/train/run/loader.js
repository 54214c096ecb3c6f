/** Loads the run of a query: the form's after a change, the address's after back navigation. */
import { partsOf } from "./address.js";
import { LIVE } from "./live.js";
import { Neighbours } from "./neighbours.js";
import { Run } from "./run.js";
import { AWAY, Refused, fetchJson, pathTo } from "./server.js";
import { changed, revised } from "./without-server.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("../panels/mistakes.js").Mistakes} Mistakes */
/** @typedef {import("../panels/notice.js").Notice} Notice */
/** @typedef {import("./address.js").PageAddress} PageAddress */
/** @typedef {import("./types.js").Fitted} Fitted */
/** @typedef {(changes: Map<string, string>, signal: AbortSignal) => Promise<import("./types.js").Texts | null>} Live  takes changes of settings over in mid-run;
 *   resolves to the controls of the run, or to null if it came to nothing */

export class Loader {
  /** @param {Form} form @param {Screen} screen @param {PageAddress} address @param {Notice} notice @param {Mistakes} mistakes */
  constructor(form, screen, address, notice, mistakes) {
    this.form = form;
    this.screen = screen;
    this.player = screen.player;
    this.address = address;
    this.notice = notice;
    this.mistakes = mistakes;
    this.asking = new AbortController();
    /** Networks that can be trained without the server. */ this.neighbours = new Neighbours();
    /** The query of the form when its run was loaded. */ this.loaded = form.query();
    /** Settings that are changed during playback act from the step shown on. @type {Live} */ this.live = async () => null;
    /** The run of an address that names none. */ this.first = this.loaded;
    /** Called when changed settings trained the run anew. @type {(before: Run, step: number, changes: Map<string, string>) => void} */ this.onAnew = () => {};
    /** Whether the notice says that settings wait for the server. */ this.isTold = false;
    /** Called once the run of an address before is shown. @type {() => void} */ this.onReturn = () => {};
    form.onChange = () => this.#try();
    window.addEventListener("popstate", () => this.turn());
  }

  /** Load the run of the form; if it is invalid, the current run stays. */
  async #try() {
    const { player, form } = this;
    const { run: before, playing: wasPlaying, at: step } = player;
    const query = form.query();
    const changes = changed(this.loaded, query);
    if (this.#isLive(changes)) return this.#goLive(changes);
    const fit = form.fit || (changes.has("layers") && form.text("initial") ? "layers" : "");
    const setup = await this.#load(query, 0, { fit, was: form.was, isChanged: true, about: form.topic || null });
    if (!setup) return;
    this.loaded = query;
    if (form.query() === query) form.complete(setup.controls, "layers"); // else it was edited meanwhile
    if (!before) location.assign(pathTo("", setup.query)); // the page was rendered for an invalid run, without results
    if (!player.run || player.run === before) return;
    if (before) this.onAnew(before, step, changes);
    this.mistakes.compare();
    if (wasPlaying) player.play();
  }

  /** Whether changes of the form act in mid-run. @param {Map<string, string>} changes */
  #isLive(changes) {
    const { playing, at, steps } = this.player;
    return playing && at > 0 && at < steps && changes.size > 0 && [...changes.keys()].every((name) => LIVE.has(name));
  }

  /** @param {Map<string, string>} changes */
  async #goLive(changes) {
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    try {
      const controls = await this.live(changes, signal);
      if (!controls || signal.aborted) return;
      this.form.takeOver(controls, changes.keys());
      this.notice.accept();
      this.loaded = this.form.query();
    } catch (error) {
      if (!signal.aborted) this.notice.refuse(besideControl(error, changes));
    }
  }

  /** Train another run from its first step, such as a cured one. @param {string} query */
  async start(query) {
    if (await this.open(query)) this.player.play();
  }

  /** Show another run at its first step, such as a preset; whether it came. @param {string} query */
  async open(query) {
    const setup = await this.#load(query, 0);
    if (!setup) return false;
    this.#fill(setup);
    this.mistakes.compare();
    return true;
  }

  /** Load the run of the address, after back navigation. */
  async turn() {
    const there = partsOf(location.search);
    const wasPlaying = this.player.playing;
    const setup = await this.#load(there.run || this.first, there.step, { isReturn: true });
    if (setup) this.#fill(setup);
    this.player.go(there.step);
    if (setup) this.onReturn();
    if (setup && wasPlaying && there.step < this.player.steps) this.player.play();
  }

  /** @param {Fitted} setup */
  #fill({ controls }) {
    this.form.fill(controls);
    this.loaded = this.form.query();
  }

  /** The run of the form if a kernel at hand can train it while the server is away; otherwise that is said.
   * @param {string} query @param {string} fit @returns {Promise<Run> | null} */
  #withoutServer(query, fit) {
    const changes = changed(this.loaded, query);
    const { run } = this.player;
    const layers = changes.size === 1 ? changes.get("layers")?.match(/\d+/g) : null;
    const other = run && layers ? this.neighbours.take(run, layers.map(Number)) : null;
    const next = run && !fit ? revised(run, changes) : null;
    if (other || next) return other ?? Promise.resolve(/** @type {Run} */ (next));
    const words = changes.size > 1 ? "These settings need" : "This setting needs";
    this.notice.report(`${words} the server, which does not respond. What you set is kept and takes effect when the server is back.`);
    return null;
  }

  /** Fetch and show the run of a query; null if it is invalid or superseded by another request.
   * @param {string} query @param {number} step
   * @param {{fit?: string, was?: string, isChanged?: boolean, isReturn?: boolean, about?: string | null}} [how] `fit`: the control that others are to be fitted to; `was`: the
   *   data set before, if it was changed; `isChanged`: it is the run shown with other settings; `isReturn`: the run has its history entry; `about`: what
   *   was changed, as of `Link.push`
   * @returns {Promise<Fitted | null>} */
  async #load(query, step, { fit = "", was = "", isChanged = false, isReturn = false, about = null } = {}) {
    this.asking.abort();
    this.asking = new AbortController();
    const { asking } = this;
    const { signal } = asking;
    if (isReturn) this.address.hold();
    else this.address.held = false;
    /** @type {Promise<Run> | null} */ let local = null;
    const isOfForm = query === this.form.query();
    const away = (/** @type {string | null} */ words) => {
      if (signal.aborted) return;
      this.isTold = true;
      if (!isOfForm || !words?.startsWith(AWAY)) return this.notice.report(words);
      local = this.#withoutServer(query, fit);
      if (local) asking.abort();
    };
    try {
      /** @type {Fitted} */
      const setup = await fetchJson(pathTo("setup", query, fit ? { fit, was } : {}), signal, away);
      this.#hush();
      this.form.take(setup.fitted, query, fit, setup.fitted_says);
      this.form.accept();
      this.notice.accept();
      const next = isChanged ? Run.after(setup, this.player.run) : new Run(setup);
      if (next.query !== this.player.run?.query) await this.#enter(next, Math.min(step, setup.steps), isReturn, about);
      return setup;
    } catch (error) {
      if (local) return this.#takeLocal(await local);
      if (signal.aborted) return null;
      this.#hush();
      if (error instanceof Refused) this.form.take(error.fitted, query, fit);
      this.notice.refuse(error);
      return null;
    } finally {
      if (this.asking === asking) this.address.held = false;
    }
  }

  /** Show a run. Its history entry is made before its state arrives, since a write in between would take the entry of the run before.
   * @param {Run} run @param {number} step @param {boolean} [isReturn] whether the run has an entry @param {string | null} [about] */
  #enter(run, step, isReturn = false, about = null) {
    const shown = this.screen.show(run, step);
    if (!isReturn) this.address.push("", about);
    return shown;
  }

  /** Settings wait no longer. */
  #hush() {
    if (this.isTold) this.notice.report(null);
    this.isTold = false;
  }

  /** Show the run of the form, trained by the kernel at hand. @param {Run} run @returns {Promise<Fitted>} */
  async #takeLocal(run) {
    this.form.accept();
    this.notice.accept();
    this.#hush();
    await this.#enter(run, 0);
    return { ...run.setup, controls: {} };
  }
}

/** The refusal of a change in mid-run beside the control that was changed. @param {unknown} error @param {Map<string, string>} changes */
function besideControl(error, changes) {
  const [name, ...others] = changes.keys();
  return error instanceof Refused && error.field === "at" && !others.length ? new Refused(error.message, name) : error;
}
