/** The space as a layer sees it, at the step that is shown. */
import { at, on } from "../../common/elements.js";
import { pathTo } from "../run/server.js";
import { Drawn } from "./drawn.js";

export class Space extends Drawn {
  /** @param {import("../run/player.js").Player} player @param {import("../run/address.js").PageAddress} address */
  constructor(player, address) {
    super("space", player, (run, step) => pathTo("space", run.query, { space: this.layer, step }));
    this.layer = address.start.space || "last";
    address.state("space", () => (this.isOpen ? [this.layer] : []));
    on("space-body", "change", () => {
      this.layer = /** @type {HTMLSelectElement} */ (at("space-layer")).value;
      this.renew();
      address.note();
    });
  }
}
