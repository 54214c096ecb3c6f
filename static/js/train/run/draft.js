/** The draft of the page: the contents of the form, saved in this browser, and the step at which this tab left the page. */
import { Drafts } from "../../common/drafts.js";
import { at } from "../../common/elements.js";
import { partsOf } from "./address.js";

/** @typedef {import("../panels/form.js").Form} Form */
/** @typedef {import("./address.js").PageAddress} PageAddress */
/** @typedef {import("./player.js").Player} Player */

const KEY = "seegrad.left";

export class Draft {
  /** @param {Form} form @param {Player} player @param {PageAddress} address */
  constructor(form, player, address) {
    this.form = form;
    this.player = player;
    this.address = address;
    this.drafts = new Drafts("train", (search) => partsOf(search).run);
    /** Whether the visitor changed anything; without changes there is no draft. */ this.isTouched = false;
    address.onWrite = () => this.keep();
    form.onTyped = () => {
      this.touch();
      this.keep();
    };
    window.addEventListener("pagehide", () => {
      this.keep(); // another page may have taken its place
      if (player.run) leave(player.at);
    });
  }

  touch() {
    this.isTouched = true;
  }

  keep() {
    if (!this.isTouched) return;
    const typed = this.form.typed();
    this.drafts.keep(this.address.link, typed, this.form.isAhead, this.#words(new URLSearchParams(typed)));
  }

  /** The title of the draft: data, layers, rate and seed. @param {URLSearchParams} typed */
  #words(typed) {
    const layers = (typed.get("layers") ?? "").replace(/\s*→\s*/g, "-");
    const words = [typed.get("data"), layers, `rate ${typed.get("learning_rate")}`, `seed ${typed.get("seed")}`];
    if (this.player.run?.edits.length) words.push("changed by hand");
    return words.filter(Boolean).join(" · ");
  }

  /** Restore the draft of this tab, or offer those of earlier visits. */
  restore() {
    const draft = this.drafts.returning();
    if (draft) {
      this.touch();
      this.form.restore(draft.typed, draft.isOpen);
    } else if (!location.search) this.drafts.offer(this.address.link, this.form.typed(), at("offers"));
  }
}

/** Save the step at which this tab leaves the page; the address lags behind during playback. @param {number} step */
function leave(step) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ search: location.search, step }));
  } catch {
    // Without storage, the step of the address is used.
  }
}

/** The saved step after a reload or back navigation, else null. @returns {number | null} */
export function stepLeft() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (visit?.type !== "reload" && visit?.type !== "back_forward") return null;
  try {
    const { search, step } = Object(JSON.parse(sessionStorage.getItem(KEY) ?? "null"));
    return search === location.search && Number.isInteger(step) ? step : null;
  } catch {
    return null;
  }
}
