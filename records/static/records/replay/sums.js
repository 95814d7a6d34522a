// @ts-check
/** Sums in the form of the server's pages (records/wording/steps.py). No DOM. */

const KAN = 12;

/**
 * Returns a sum in kan of 12 points if the ruleset has units (`+7 kan`, `−3貫6文`), else the number.
 * @param {number} points
 * @param {string[] | null} units
 * @returns {string}
 */
export function formatSum(points, units) {
  if (!units) return String(points).replace("-", "−");
  const size = Math.abs(points);
  const kan = Math.trunc(size / KAN);
  const sign = points > 0 ? "+" : points < 0 ? "−" : "";
  const remainder = size % KAN ? `${size % KAN}${units[1]}` : kan ? "" : "0";
  return `${sign}${kan ? `${kan}${units[0]}` : ""}${remainder}`.trimEnd();
}

/**
 * Returns the sums at a step of a deal; at the end of the last deal, including the settlement.
 * @param {any} data the replay JSON
 * @param {any} deal
 * @param {any} step
 * @returns {number[]}
 */
export function sumsAt({ deals, settlement }, deal, step) {
  if (step.kind !== "end") return deal.before;
  if (deal !== deals.at(-1)) return deal.totals;
  return deal.totals.map((total, i) => settlement.reduce((sum, { amounts }) => sum + amounts[i], total));
}

/**
 * Returns a sum with one decimal as on the page: `+2.3`, `−0.4`, `0.0`.
 * @param {number} value
 */
export function formatFigure(value) {
  const text = value.toFixed(1);
  if (Number(text) === 0) return "0.0";
  return value > 0 ? `+${text}` : text.replace("-", "−");
}

/**
 * Returns the value of a yaku, in kan if the ruleset has units.
 * @param {number} value
 * @param {string[] | null} units
 * @returns {string}
 */
export function formatWorth(value, units) {
  return `${value}${units?.[0] ?? ""}`.trimEnd();
}

/**
 * Returns the card points of captured cards; null if the ruleset has no card points.
 * @param {string} captured
 * @param {Record<string, number> | null} points
 * @returns {number | null}
 */
export function countCardPoints(captured, points) {
  return points && [...captured].reduce((total, letter) => total + (points[letter] ?? 0), 0);
}
