/** The gradient of the step that is shown beside differences in fifty digits. */
import { pathTo } from "../run/server.js";
import { Drawn } from "./drawn.js";

export class StepCheck extends Drawn {
  /** @param {import("../run/player.js").Player} player @param {import("../run/address.js").PageAddress} address */
  constructor(player, address) {
    super("check", player, (run, step) => pathTo("check", run.query, { step, as: "panel" }));
    address.state("check", () => (this.isOpen ? ["1"] : []));
  }
}
