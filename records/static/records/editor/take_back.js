// @ts-check
/** The steps that "Take back" removes. */

/**
 * Returns the last remaining step (`deal.step`) and the removed deals when the user takes back the step
 * `at` and all later steps. Steps that follow from the rules are removed with the step before them.
 * @param {string} at
 * @param {{ deals: { month: number }[], steps: { written: boolean }[] }} response
 */
export function findTakeBack(at, { deals, steps }) {
  const [deal, step] = (at || "1.0").split(".").map(Number);
  const written = steps.slice(0, step + 1).findLastIndex((candidate) => candidate.written);
  return { at: `${deal}.${written - 1}`, deals: deals.slice(deal) };
}

/**
 * Returns the names of the first and the last month of deals; a single name if both are equal.
 * @param {{ month: number }[]} deals
 * @param {string[]} names
 * @returns {string}
 */
export function formatSpan(deals, names) {
  const ends = [deals[0], deals.at(-1)].map(({ month }) => names[(month - 1) % 12]);
  return [...new Set(ends)].join(" – ");
}
