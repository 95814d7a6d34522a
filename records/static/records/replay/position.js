/**
 * Where the replay stands, and where each key leads. No DOM here.
 *
 * A position is {deal, step}: deal counts from 1, step from 0 (the cards just dealt). `counts` is
 * the number of steps of each deal. The URL's hash is the position as `#deal.step`.
 */

const within = (value, low, high) => Math.min(Math.max(value, low), high);

/** The position nearest to the one asked for that the game has. */
export function clamp(counts, { deal, step }) {
  const inside = within(deal, 1, counts.length);
  return { deal: inside, step: within(step, 0, counts[inside - 1] - 1) };
}

/** `#3.5` as a position of this game, `#3` as the start of deal 3; null for anything else. */
export function parseHash(hash, counts) {
  const found = /^#(\d{1,3})(?:\.(\d{1,4}))?$/.exec(hash);
  if (!found) return null;
  return clamp(counts, { deal: Number(found[1]), step: Number(found[2] ?? 0) });
}

/** A position as hash. */
export const formatHash = ({ deal, step }) => `#${deal}.${step}`;

const last = (counts) => ({ deal: counts.length, step: counts.at(-1) - 1 });

/** The ways to go: each takes the counts and a position and gives the next position. */
export const moves = {
  first: () => ({ deal: 1, step: 0 }),
  previous: (counts, { deal, step }) => {
    if (step > 0) return { deal, step: step - 1 };
    return deal > 1 ? { deal: deal - 1, step: counts[deal - 2] - 1 } : { deal, step };
  },
  next: (counts, { deal, step }) => {
    if (step < counts[deal - 1] - 1) return { deal, step: step + 1 };
    return deal < counts.length ? { deal: deal + 1, step: 0 } : { deal, step };
  },
  last,
  previousDeal: (counts, { deal, step }) =>
    step > 0 ? { deal, step: 0 } : { deal: Math.max(deal - 1, 1), step: 0 },
  nextDeal: (counts, { deal }) =>
    deal < counts.length ? { deal: deal + 1, step: 0 } : last(counts),
};

const KEYS = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
  PageUp: "previousDeal",
  PageDown: "nextDeal",
};

/** The name of the move that a keyboard event asks for; undefined for all other keys. */
export function moveOfKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  return KEYS[event.key];
}
