/**
 * Where the replay stands, and where each way to go leads. No DOM here.
 *
 * A position is {deal, step}: deal counts from 1, step from 0 (the cards just dealt). `course` is
 * the game as far as going is concerned (see `courseOf`). An address writes a position `3.14`.
 */

const within = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * What the ways to go need of a game, besides its `stops` (moments.js): `counts` the steps of each deal, `starts` the index of each
 * deal's first step among all steps, `total` of them, `turns` the steps that end a turn: a card
 * from the hand, one from the stock, what was said.
 */
export function courseOf(deals) {
  const counts = deals.map((deal) => deal.steps.length);
  let total = 0;
  const starts = counts.map((count) => (total += count) - count);
  const turns = deals.map(({ steps }) =>
    steps.flatMap((step, i) => (sameTurn(step, steps[i + 1]) ? [] : [i])),
  );
  return { counts, starts, total, turns };
}

function sameTurn(step, next) {
  if (next === undefined || step.kind === "deal") return false;
  return next.turn === step.turn && next.seat === step.seat;
}

/** The position nearest to the one asked for that the game has; past the last deal it is the end. */
export function clamp(course, { deal, step }) {
  const { counts } = course;
  if (deal > counts.length) return last(course);
  const inside = Math.max(deal, 1);
  return { deal: inside, step: within(step, 0, counts[inside - 1] - 1) };
}

/** `3.5` or `#3.5` as a position, `3` as the start of deal 3; null for anything else. */
export function parse(text) {
  const found = /^#?(\d{1,4})(?:\.(\d{1,5}))?$/.exec(text ?? "");
  return found && { deal: Number(found[1]), step: Number(found[2] ?? 0) };
}

/** A position as addresses write it. */
export const format = ({ deal, step }) => `${deal}.${step}`;

/** Whether two positions are one. */
export const same = (one, other) => one.deal === other.deal && one.step === other.step;

/** The place of a position among all steps of the game, from 0. */
export const toIndex = ({ starts }, { deal, step }) => starts[deal - 1] + step;

/** The position of a step by its place among all. */
export function fromIndex({ starts, total }, index) {
  const inside = within(index, 0, total - 1);
  const deal = starts.findLastIndex((start) => start <= inside) + 1;
  return { deal, step: inside - starts[deal - 1] };
}

const last = ({ counts }) => ({ deal: counts.length, step: counts.at(-1) - 1 });
const by = (course, position, steps) => fromIndex(course, toIndex(course, position) + steps);

/** A way to the next moment of a kind, or back to the last one; see moments.js. */
const jump = (kind, on) => (course, position) => {
  const here = toIndex(course, position);
  const all = course.stops[kind];
  const found = on ? all.find((at) => at > here) : all.findLast((at) => at < here);
  return found === undefined ? position : fromIndex(course, found);
};

/** The ways to go: each takes the course and a position and gives the next position. */
export const ways = {
  first: () => ({ deal: 1, step: 0 }),
  previous: (course, position) => by(course, position, -1),
  next: (course, position) => by(course, position, 1),
  last,
  previousTurn: (course, position) => {
    const step = course.turns[position.deal - 1].findLast((end) => end < position.step);
    return step === undefined ? by(course, { ...position, step: 0 }, -1) : { ...position, step };
  },
  nextTurn: (course, position) => {
    const step = course.turns[position.deal - 1].find((end) => end > position.step);
    return step === undefined ? by(course, position, 1) : { ...position, step };
  },
  previousDeal: (course, { deal, step }) =>
    step > 0 ? { deal, step: 0 } : { deal: Math.max(deal - 1, 1), step: 0 },
  nextDeal: (course, { deal }) =>
    deal < course.counts.length ? { deal: deal + 1, step: 0 } : last(course),
  previousYaku: jump("yaku", false),
  nextYaku: jump("yaku", true),
  previousDecision: jump("decision", false),
  nextDecision: jump("decision", true),
  previousCostly: jump("costly", false),
  nextCostly: jump("costly", true),
  previousFault: jump("fault", false),
  nextFault: jump("fault", true),
};
