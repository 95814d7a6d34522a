/** How near captured cards are to each yaku. No DOM here. */

const NEAR = 2;

const count = (cards, own) => [...cards].filter((card) => own.includes(card)).length;

/**
 * How a seat stands to one yaku (`goal`, see docs/api.md): {have, need, left, open}. `left` cards
 * are missing; it is `open` while the others' captures leave enough of them.
 */
export function standing(goal, own, others) {
  const have = count(goal.cards, own);
  const must = goal.must ?? "";
  const left = Math.max(goal.need - have, must.length - count(must, own), 0);
  const enough = goal.cards.length - count(goal.cards, others) >= goal.need;
  const open = enough && count(must, others) === 0;
  return { have: Math.min(have, goal.need), need: goal.need, left, open };
}

/** The yaku to be made in a deal: those of every month, and those of its own. */
export const setsOf = ({ sets }, deal) => (deal.sets ? [...sets, ...deal.sets] : sets);

/** The yaku worth telling beside a seat: begun, open, at most two cards away; nearest first. */
export function near(goals, made, own, others, limit = 4) {
  if (own === "") return [];
  const replaced = new Set(
    goals.filter(({ id }) => made.includes(id)).flatMap(({ over }) => over ?? []),
  );
  return goals
    .filter(({ id }) => !made.includes(id) && !replaced.has(id))
    .map((goal) => ({ goal, ...standing(goal, own, others) }))
    .filter(({ have, left, open }) => open && have > 0 && left > 0 && left <= NEAR)
    .sort((a, b) => a.left - b.left || b.goal.value - a.goal.value)
    .slice(0, limit);
}

/** A name without the gloss that English sets behind it: `akatan (red poem ribbons)` is `akatan`. */
export const brief = (name) => name.replace(/ \(.*\)$/, "");
