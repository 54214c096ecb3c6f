/** The address of the page: the run, the step, and what is seen of it. */

/** What of an address is not the run's. */
const OWN = new Set(["right", "step", "pin", "scale", "speed", "hide", "tab", "phase"]);

/** The parts of an address. @param {string} search */
export function read(search) {
  const params = new URLSearchParams(search);
  const run = new URLSearchParams([...params].filter(([name]) => !OWN.has(name)));
  return {
    run: String(run),
    step: Math.max(0, Number.parseInt(params.get("step") ?? "0", 10) || 0),
    pins: params.getAll("pin"),
    isLog: params.get("scale") === "log",
    hide: params.get("hide") ?? "",
    speed: params.get("speed") ?? "",
    right: params.get("right") ?? "",
  };
}
