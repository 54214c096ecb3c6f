/** Changes in mid-run: a dialog that changes settings from the step shown on, "train on", and the list of changes. */
import { announce, at, find, on, write } from "../../common/elements.js";
import { compact } from "../../common/numbers.js";
import { segmentAt } from "../run/segments.js";
import { Run } from "../run/run.js";
import { AWAY, fetchJson, pathTo } from "../run/server.js";
import { trainedOn } from "../run/without-server.js";

/** @typedef {import("../draw/screen.js").Screen} Screen */
/** @typedef {import("../run/address.js").PageAddress} PageAddress */
/** @typedef {import("../run/draft.js").Draft} Draft */
/** @typedef {import("../run/types.js").Fitted} Fitted */
/** @typedef {import("../run/types.js").Setup} Setup */
/** @typedef {import("../run/types.js").Snapshot} Snapshot */
/** @typedef {import("./form.js").Form} Form */
/** @typedef {Record<string, Record<string, string | number>>} ByStep  new settings by step */

const LABELS = { learning_rate: "Learning rate", optimizer: "Optimizer", batch: "Batch", momentum: "Momentum", weight_decay: "Weight decay", l1: "L1", l2: "L2", dropout: "Dropout", steps: "Steps in all" };

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
    this.dialog = find("change", "dialog");
    this.fields = at("change-fields");
    this.step = 0;
    on("change-open", "click", () => this.#open());
    on("train-on", "click", () => this.#trainOn());
    on("change-form", "submit", (event) => {
      event.preventDefault();
      this.#apply();
    });
  }

  /** The changes of the run shown. @returns {ByStep} */
  get #changes() {
    return structuredClone(this.player.run?.setup.spec.at ?? {});
  }

  /** @param {Run} run */
  load({ setup }) {
    write(at("train-on"), `+ ${moreSteps(setup.steps).toLocaleString("en")} steps`);
    this.#list(setup);
  }

  /** @param {Run} run */
  revise(run) {
    this.load(run);
  }

  /** @param {Snapshot} snapshot */
  draw({ rate }) {
    write(at("rate-now"), compact(rate));
  }

  /** @param {Setup} setup */
  #list({ segments }) {
    const section = at("changes");
    section.hidden = segments.length < 2;
    section.querySelector("ul")?.replaceChildren(
      ...segments.slice(1).map(({ start, words }) => {
        const text = `${words} from step ${start.toLocaleString("en")} on`;
        const [item, line, button] = [document.createElement("li"), document.createElement("span"), document.createElement("button")];
        line.textContent = text;
        Object.assign(button, { type: "button", className: "link", textContent: "Remove" });
        button.setAttribute("aria-label", `Remove: ${text}`);
        button.addEventListener("click", () => this.#remove(start));
        item.append(line, " ", button);
        return item;
      }),
    );
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

  #open() {
    const { run } = this.player;
    if (!run) return;
    this.player.pause();
    this.step = this.player.at;
    write(at("change-step"), this.step.toLocaleString("en"));
    at("change-error").hidden = true;
    const { settings } = segmentAt(run.setup, this.step);
    this.fields.replaceChildren(...Object.keys(LABELS).filter((name) => name in settings).map((name) => this.#field(name, String(settings[name]))));
    if (this.step === run.setup.steps) this.#control("steps").value = String(this.step + moreSteps(this.step));
    this.dialog.showModal();
  }

  /** A control like that of the form. @param {string} name @param {string} value */
  #field(name, value) {
    const label = document.createElement("label");
    const known = this.form.form.elements.namedItem(name);
    const isList = known instanceof HTMLSelectElement;
    const control = document.createElement(isList ? "select" : "input");
    if (isList) for (const { value: choice, text } of known.options) control.append(new Option(text, choice));
    if (control instanceof HTMLInputElement) control.inputMode = name === "batch" ? "text" : "decimal";
    Object.assign(control, { name, value, autocomplete: "off" });
    label.append(/** @type {Record<string, string>} */ (LABELS)[name], " ", control);
    return label;
  }

  /** @param {string} name @returns {HTMLInputElement | HTMLSelectElement} */
  #control(name) {
    return /** @type {HTMLInputElement} */ (this.fields.querySelector(`[name="${name}"]`));
  }

  async #apply() {
    const { run } = this.player;
    if (!run) return;
    const { settings } = segmentAt(run.setup, this.step);
    const news = Object.keys(settings).map((name) => [name, this.#control(name).value.trim()]).filter(([name, text]) => text !== String(settings[name]));
    if (!news.length) return this.dialog.close();
    try {
      if (this.step) await this.#goOn(this.#with(Object.fromEntries(news)), this.step, `Changed from step ${this.step} on.`, true);
      else await this.#begin(news);
      this.dialog.close();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** The changes of the run with new ones at the step of the dialog. @param {Record<string, string>} news @returns {ByStep} */
  #with(news) {
    const changes = this.#changes;
    changes[this.step] = { ...changes[this.step], ...news };
    return changes;
  }

  /** Other settings at step 0 are those of the run. @param {string[][]} news */
  async #begin(news) {
    const params = new URLSearchParams(this.player.run?.query);
    for (const [name, text] of news) params.set(name, text);
    await this.#show(String(params), 0, "Changed from the start.", false);
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
    const words = error instanceof Error ? error.message : String(error);
    if (!this.dialog.open) return announce(words);
    at("change-error").hidden = false;
    write(at("change-error"), words);
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
