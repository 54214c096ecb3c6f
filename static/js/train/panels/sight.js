/**
 * Notes what the page shows, so that nothing is sent or computed for the eye that the eye cannot see: a plot or a network
 * scrolled away, hidden or folded, a page behind others; and whether exact numbers of parameters and histograms are read.
 */
import { at } from "../../common/elements.js";

/** @typedef {import("../run/player.js").Player} Player */
/** @typedef {() => boolean} IsRead  whether a part of the page shows exact numbers */

/** What a stream calls the pictures of an element. */
const PICTURES = new Map([["plot", "plot"], ["network", "maps"]]);

export class Sight {
  /** @param {Player} player @param {Record<string, IsRead[]>} readers by what a stream calls the numbers that they show */
  constructor(player, readers) {
    this.player = player;
    this.readers = readers;
    const shown = [...PICTURES.keys()].filter((id) => document.getElementById(id));
    /** @type {Set<string>} elements on the screen */ this.present = new Set(shown);
    const observer = new IntersectionObserver((entries) => this.#note(entries));
    for (const id of shown) observer.observe(at(id));
    document.addEventListener("visibilitychange", () => this.settle());
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #note(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.present.add(target.id);
      else this.present.delete(target.id);
    }
    this.settle();
  }

  settle() {
    const pictures = document.hidden ? [] : [...PICTURES].filter(([id]) => this.present.has(id)).map(([, name]) => name);
    const numbers = Object.keys(this.readers).filter((name) => !document.hidden && this.readers[name].some((isRead) => isRead()));
    this.player.look([...pictures, ...numbers].join(","));
  }
}
