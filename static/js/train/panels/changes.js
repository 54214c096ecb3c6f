/** Changes in mid-run: of settings during playback, "train on", and the list of changes. */
import { announce, at, on, write } from "../../common/elements.js";
import { compact } from "../../common/numbers.js";
import { Kernel } from "../run/kernel.js";
import { Run } from "../run/run.js";
import { AWAY, fetchJson, pathTo } from "../run/server.js";
import { trainedOn } from "../run/without-server.js";
import { listRemovable } from "./tables.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/draft.js").Draft} Draft */
/** @typedef {import("../run/types.js").Fitted} Fitted */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./form.js").Form} Form */
/** @typedef {Record<string, Record<string, string | number>>} ByStep  new settings by step */

const GESTURE = 1500; // milliseconds within which changes of one setting are one

/** A round number of steps by which a run is extended, about half of those so far. @param {number} steps */
export function moreSteps(steps) {
  const size = 10 ** Math.max(0, String(steps).length - 2);
  return Math.max(1, Math.floor(steps / 2 / size) * size);
}

/** The text of changes in an address. @param {ByStep} changes */
export function changesText(changes) {
  const steps = Object.keys(changes).map(Number).sort((a, b) => a - b);
  return steps.map((step) => `${step}:${Object.entries(changes[step]).map(([name, value]) => `${name}=${value}`).join(",")}`).join(",");
}

/** A query with other changes; steps of weights changed by hand, which share `at`, stay. @param {string} query @param {ByStep} changes */
export function withChanges(query, changes) {
  const pairs = [...new URLSearchParams(query)].filter(([name, text]) => name !== "at" || !/[:=]/.test(text));
  const text = changesText(changes);
  return String(new URLSearchParams(text ? [...pairs, ["at", text]] : pairs));
}

export class Changes {
  /** @param {Screen} screen @param {Form} form @param {Draft} draft @param {PageAddress} address */
  constructor(screen, form, draft, address) {
    this.screen = screen;
    this.player = screen.player;
    this.form = form;
    this.draft = draft;
    this.address = address;
    /** The last change of settings during playback. */ this.last = { time: -Infinity, step: 0, names: "" };
    /** Called when changed settings act in mid-run. @type {(before: Run, changes: Map<string, string>) => void} */ this.onLive = () => {};
    on("train-on", "click", () => this.#trainOn());
  }

  /** The changes of the run shown. @returns {ByStep} */
  get #changes() {
    return structuredClone(this.player.run?.setup.spec.at ?? {});
  }

  revise = this.load;

  /** @param {Run} run */
  load({ setup }) {
    write(at("train-on"), `+ ${moreSteps(setup.steps).toLocaleString("en")} steps`);
    this.#list(setup);
  }

  /** @param {Snapshot} snapshot */
  draw({ rate }) {
    write(at("rate-now"), compact(rate));
  }

  /** At the end of the run there is more to train. @param {number} step @param {Run} run */
  move(step, { setup }) {
    at("train-on").classList.toggle("is-due", step === setup.steps);
  }

  /** @param {Setup} setup */
  #list({ segments }) {
    const told = segments.slice(1).map(({ start, words }) => /** @type {[string, () => void]} */ ([`${words} from step ${start.toLocaleString("en")} on`, () => this.#remove(start)]));
    listRemovable(at("changes"), told);
  }

  /** Remove a change, and with more steps all after it. @param {number} step */
  #remove(step) {
    const changes = this.#changes;
    const isLonger = "steps" in (changes[step] ?? {});
    for (const at of Object.keys(changes)) if (Number(at) === step || (isLonger && Number(at) > step)) delete changes[at];
    this.#goOn(changes, step, "Change undone.").catch((error) => this.#refuse(error));
  }

  #trainOn() {
    const { run } = this.player;
    if (!run) return;
    const { steps, query } = run.setup;
    const total = steps + moreSteps(steps);
    const changes = this.#changes;
    changes[steps] = { ...changes[steps], steps: total };
    const local = trainedOn(run, total, withChanges(query, changes));
    this.#show(withChanges(run.query, changes), steps, `Training on to step ${total}.`, true, local).catch((error) => this.#refuse(error));
  }

  /** Change settings from the step shown on, while it plays: the run plays on until the new one is there, and that goes on from
   * the step of the change. Resolves to the controls of the run, or to null if another one is shown meanwhile.
   * @type {import("../run/loader.js").Live} */
  async live(news, signal) {
    const { player, screen } = this;
    const { run: before, at: step } = player;
    if (!before) return null;
    const changes = this.#changes;
    const since = this.#replaceLast(changes, [...news.keys()].join());
    changes[step] = { ...changes[step], ...Object.fromEntries(news) };
    /** @type {Fitted} */ const setup = await fetchJson(pathTo("setup", withChanges(before.query, changes)), signal);
    const next = before.continued(setup, Math.min(since, step));
    if (before.source instanceof Kernel) next.source = (await kernelOf(next, step, signal)) ?? next.source;
    if (signal.aborted || player.run !== before) return null;
    const goesOn = player.playing || player.at === player.steps;
    this.last = { time: performance.now(), step, names: [...news.keys()].join() };
    screen.show(next, step);
    this.draft.touch();
    this.address.push("", `live ${this.last.names}`);
    if (goesOn) player.play();
    this.onLive(before, news);
    announce(`Changed from step ${step.toLocaleString("en")} on.`);
    return setup.controls;
  }

  /** A setting that is changed once more within a moment, as by a slider, changes once: without the change before. Returns the
   * step of that, or Infinity. @param {ByStep} changes @param {string} names of the settings */
  #replaceLast(changes, names) {
    const { time, step, names: before } = this.last;
    if (before !== names || performance.now() - time > GESTURE || !changes[step]) return Infinity;
    for (const name of names.split(",")) delete changes[step][name];
    if (!Object.keys(changes[step]).length) delete changes[step];
    return step;
  }

  /** Show the run with other changes from `step` on. @param {ByStep} changes @param {number} step @param {string} words @param {boolean} [plays] */
  #goOn(changes, step, words, plays = false) {
    return this.#show(withChanges(this.player.run?.query ?? "", changes), step, words, plays);
  }

  /** @param {string} query @param {number} step from which the run differs @param {string} words @param {boolean} plays
   * @param {(() => Run) | null} [local] the run without the server */
  async #show(query, step, words, plays, local = null) {
    const { player, screen } = this;
    const before = player.run;
    const wasPlaying = player.playing;
    const setup = await setupOf(query, local !== null);
    if (player.run !== before || !before) return;
    if (setup) this.form.fill(setup.controls);
    const next = setup || !local ? before.continued(/** @type {Fitted} */ (setup), step) : local();
    const shown = screen.show(next, Math.min(plays ? Math.max(step, player.at) : player.at, next.setup.steps));
    this.draft.touch();
    this.address.push(); // before its state arrives: a write in between would take the entry of the run before
    await shown;
    announce(words);
    if (plays || wasPlaying) player.play();
  }

  /** @param {unknown} error */
  #refuse(error) {
    announce(error instanceof Error ? error.message : String(error));
  }
}

/** A kernel that has trained a run up to a step; null where there is none: the server trains it until there is.
 * @param {Run} run @param {number} step @param {AbortSignal} signal */
async function kernelOf(run, step, signal) {
  try {
    const kernel = await Kernel.take(run, step, signal);
    await kernel.reach(() => (signal.aborted ? 0 : step));
    return kernel.holds(step) ? kernel : null;
  } catch {
    return null;
  }
}

/** The setup of a run; null if the server is away and the run can do without. @param {string} query @param {boolean} canDoWithout @returns {Promise<Fitted | null>} */
function setupOf(query, canDoWithout) {
  if (!canDoWithout) return fetchJson(pathTo("setup", query));
  const asking = new AbortController();
  const away = (/** @type {string | null} */ words) => void (words?.startsWith(AWAY) && asking.abort());
  return fetchJson(pathTo("setup", query), asking.signal, away).catch((error) => {
    if (asking.signal.aborted) return null;
    throw error;
  });
}
