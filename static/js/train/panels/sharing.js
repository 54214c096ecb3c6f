/** The link to the current state, and the export menu. */
import { announce, at, on } from "../../common/elements.js";
import { copyOnClick } from "../../common/link.js";

/** @typedef {import("../run/address.js").PageAddress} PageAddress */

/** @param {PageAddress} address */
export function wireSharing(address) {
  copyOnClick(at("copy-link"), () => {
    address.write();
    return location.href;
  }, announce);
  on("exports", "keydown", (event) => {
    const menu = event.currentTarget;
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
