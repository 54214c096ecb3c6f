/** Past states for history charts. */

/** @typedef {import("./player.js").Player} Player */

const ENOUGH = 20; // minimum number of past states, evenly spaced

/** Fetch missing past states; whether the run was neither replaced nor played meanwhile.
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
