/** States that a history is drawn from. */

/** @typedef {import("./player.js").Player} Player */

const ENOUGH = 20; // states of the run so far, at least

/** Ask for some states of the run so far, where few are kept; whether it still stands at rest then.
 * @param {Player} player @returns {Promise<boolean>} */
export async function recall(player) {
  const { run, at } = player;
  for (let i = 0; i <= ENOUGH && run; i += 1) {
    const step = Math.round((at * i) / ENOUGH);
    if (run.snapshots.kept.has(step)) continue;
    const found = await run.source.state(step, false).catch(() => null);
    if (!found || run !== player.run || player.playing) return false;
    run.snapshots.add(found.snapshot);
  }
  return true;
}
