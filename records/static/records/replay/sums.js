/** Sums as the pages write them (records/wording/steps.py). No DOM here. */

const KAN = 12;

/** In kan of 12 where there are units (`+7 kan`, `−3貫6文`), else the plain number (`12`, `−3`). */
export function sum(points, units) {
  if (!units) return String(points).replace("-", "−");
  const size = Math.abs(points);
  const kan = Math.trunc(size / KAN);
  const sign = points > 0 ? "+" : points < 0 ? "−" : "";
  const rest = size % KAN ? `${size % KAN}${units[1]}` : kan ? "" : "0";
  return `${sign}${kan ? `${kan}${units[0]}` : ""}${rest}`.trimEnd();
}

/** The sums at a step of a deal: those at the end of the last deal include the settlement. */
export function sumsAt({ deals, settlement }, deal, step) {
  if (step.kind !== "end") return deal.before;
  if (deal !== deals.at(-1)) return deal.totals;
  return deal.totals.map((total, i) => settlement.reduce((all, { amounts }) => all + amounts[i], total));
}

/** What a yaku is worth: whole kan where there are units. */
export function worth(value, units) {
  return `${value}${units?.[0] ?? ""}`.trimEnd();
}

/** What captured cards count; null where the ruleset counts none. */
export function cardPoints(captured, points) {
  return points && [...captured].reduce((total, letter) => total + (points[letter] ?? 0), 0);
}
