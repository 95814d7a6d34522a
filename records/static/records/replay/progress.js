// @ts-check
/** The progress of captured cards towards each yaku. No DOM. */

const NEAR = 2; // missing cards at most

const countCards = (cards, captured) => [...cards].filter((card) => captured.includes(card)).length;

/**
 * Returns the progress of a seat towards a yaku. `left` is the number of missing cards; `open` is false
 * if the opponents' captures make the yaku impossible.
 * @param {any} goal a set of the replay JSON (docs/api.md)
 * @param {string} captured the captures of the seat
 * @param {string} opponents the captures of all opponents
 * @returns {{ have: number, need: number, left: number, open: boolean }}
 */
export function computeStanding(goal, captured, opponents) {
  const have = countCards(goal.cards, captured);
  const must = goal.must ?? "";
  const left = Math.max(goal.need - have, must.length - countCards(must, captured), 0);
  const isEnough = goal.cards.length - countCards(goal.cards, opponents) >= goal.need;
  const open = isEnough && countCards(must, opponents) === 0;
  return { have: Math.min(have, goal.need), need: goal.need, left, open };
}

/**
 * Returns the yaku that can be made in a deal: the yaku of all months and of the deal's month.
 * @param {{ sets: any[] }} data the replay JSON
 * @param {{ sets?: any[] }} deal
 * @returns {any[]}
 */
export const setsOf = ({ sets }, deal) => (deal.sets ? [...sets, ...deal.sets] : sets);

/**
 * Returns the yaku that need at most two more cards, the nearest first.
 * @param {any[]} goals
 * @param {string[]} made the ids of completed yaku
 * @param {string} captured the captures of the seat
 * @param {string} opponents the captures of all opponents
 * @param {number} [limit]
 */
export function findNearYaku(goals, made, captured, opponents, limit = 4) {
  if (captured === "") return [];
  const replaced = new Set(
    goals.filter(({ id }) => made.includes(id)).flatMap(({ over }) => over ?? []),
  );
  return goals
    .filter(({ id }) => !made.includes(id) && !replaced.has(id))
    .map((goal) => ({ goal, ...computeStanding(goal, captured, opponents) }))
    .filter(({ have, left, open }) => open && have > 0 && left > 0 && left <= NEAR)
    .sort((a, b) => a.left - b.left || b.goal.value - a.goal.value)
    .slice(0, limit);
}

/**
 * Returns a name without its English gloss: `akatan` for `akatan (red poem ribbons)`.
 * @param {string} name
 */
export const shortenName = (name) => name.replace(/ \(.*\)$/, "");
