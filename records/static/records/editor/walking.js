/** From step to step by the arrow keys, over the ends of deals too. */

/** How many steps on each key leads. */
export const WAYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The step that a key leads to from the one of an answer, as `deal.step`; "" where there is none. */
export function stepAt(key, { at, deals, steps }) {
  const way = WAYS[key];
  if (!way || !at || !deals.length) return "";
  const [deal, step] = at.split(".").map(Number);
  const next = step + way;
  if (deal && next >= 0 && next < steps.length) return `${deal}.${next}`;
  const other = deals[deal - 1 + way];
  if (!other?.steps) return "";
  return way > 0 ? `${deal + 1}.0` : `${deal - 1}.${other.steps - 1}`;
}
