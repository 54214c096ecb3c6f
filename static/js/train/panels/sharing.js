/** The link to this very state, and the menu of what can be taken away. */
import { announce } from "./announcer.js";
import { at, on } from "./elements.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */

const READ = 2000; // milliseconds that "Copied" stands on the button

/** @param {PageAddress} address */
export function wireSharing(address) {
  on("copy-link", "click", () => copyLink(address));
  on("exports", "keydown", (event) => {
    const menu = event.currentTarget;
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

/** @param {PageAddress} address */
async function copyLink(address) {
  address.write();
  const said = at("copy-link").querySelector("[data-said]") ?? at("");
  const isDone = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
  said.textContent = isDone ? "Copied" : "Copy it from the address bar";
  announce(isDone ? "The link is copied." : "The link stands in the address bar.");
  window.setTimeout(() => (said.textContent = "Copy link"), READ);
}
