/** What "Take back" removes. */

/**
 * The last step that stays when the one at `at` and what follows it are taken back, as `deal.step`,
 * and the deals that go with them as a whole. What the rules do by themselves goes with what led to it.
 */
export function takenBack(at, { deals, steps }) {
  const [deal, step] = (at || "1.0").split(".").map(Number);
  const written = steps.slice(0, step + 1).findLastIndex((one) => one.written);
  return { at: `${deal}.${written - 1}`, deals: deals.slice(deal) };
}

/** The first and the last month of deals, by their names; one name where they are the same. */
export function spanOf(deals, names) {
  const ends = [deals[0], deals.at(-1)].map(({ month }) => names[(month - 1) % 12]);
  return [...new Set(ends)].join(" – ");
}
