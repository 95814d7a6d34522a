// @ts-check
/**
 * Positions of a replay and the destinations of its buttons and keys. No DOM.
 *
 * A position is {deal, step}: deals count from 1, steps from 0 (after dealing). `3.14` in an address is
 * deal 3, step 14. A course has the numbers of steps in a game (see `buildCourse`).
 *
 * @typedef {{ deal: number, step: number }} Position
 * @typedef {Record<string, number[]>} Moments indices of steps by kind
 * @typedef {{ counts: number[], starts: number[], total: number, turns: number[][], stops?: Moments }} Course
 */

const limit = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * Returns the course of a game: `counts` are the numbers of steps per deal, `starts` the indices of
 * first steps among all steps, `total` is the number of steps, `turns` are the steps at the end of
 * turns. The player adds the indices of moments by kind as `stops` (moments.js).
 * @param {{ steps: any[] }[]} deals
 * @returns {Course}
 */
export function buildCourse(deals) {
  const counts = deals.map((deal) => deal.steps.length);
  let total = 0;
  const starts = counts.map((count) => (total += count) - count);
  const turns = deals.map(({ steps }) =>
    steps.flatMap((step, i) => (isSameTurn(step, steps[i + 1]) ? [] : [i])),
  );
  return { counts, starts, total, turns };
}

/** Returns whether a step and the next step belong to one turn. Dealing is a turn of its own. */
function isSameTurn(step, next) {
  if (next === undefined || step.kind === "deal") return false;
  return next.turn === step.turn && next.seat === step.seat;
}

/**
 * Returns the nearest existing position; after the last deal, the end of the game.
 * @param {Course} course
 * @param {Position} position
 * @returns {Position}
 */
export function clamp(course, { deal, step }) {
  const { counts } = course;
  if (deal > counts.length) return last(course);
  const number = Math.max(deal, 1);
  return { deal: number, step: limit(step, 0, counts[number - 1] - 1) };
}

/**
 * Parses `3.5` or `#3.5`, and `3` as the start of deal 3. Returns null for other texts.
 * @param {string | null} text
 * @returns {Position | null}
 */
export function parse(text) {
  const match = /^#?(\d{1,4})(?:\.(\d{1,5}))?$/.exec(text ?? "");
  return match && { deal: Number(match[1]), step: Number(match[2] ?? 0) };
}

/**
 * Returns a position in the form of addresses, `3.5`.
 * @param {Position} position
 */
export const format = ({ deal, step }) => `${deal}.${step}`;

/**
 * Returns whether two positions are equal.
 * @param {Position} a
 * @param {Position} b
 */
export const isSame = (a, b) => a.deal === b.deal && a.step === b.step;

/**
 * Returns the index of a position among all steps of the game, from 0.
 * @param {Course} course
 * @param {Position} position
 */
export const toIndex = ({ starts }, { deal, step }) => starts[deal - 1] + step;

/**
 * Returns the position of a step by its index among all steps.
 * @param {Course} course
 * @param {number} index
 * @returns {Position}
 */
export function fromIndex({ starts, total }, index) {
  const inside = limit(index, 0, total - 1);
  const deal = starts.findLastIndex((start) => start <= inside) + 1;
  return { deal, step: inside - starts[deal - 1] };
}

const last = ({ counts }) => ({ deal: counts.length, step: counts.at(-1) - 1 });
const advance = (course, position, steps) => fromIndex(course, toIndex(course, position) + steps);

/** Creates a destination: the next or the previous moment of a kind, if there is one (moments.js). */
const createJump = (kind, isForward) => (course, position) => {
  const current = toIndex(course, position);
  const moments = course.stops[kind];
  const index = isForward ? moments.find((at) => at > current) : moments.findLast((at) => at < current);
  return index === undefined ? position : fromIndex(course, index);
};

/**
 * The destinations by name: each function takes a course and a position and returns the new position.
 * @type {Record<string, (course?: Course, position?: Position) => Position>}
 */
export const destinations = {
  first: () => ({ deal: 1, step: 0 }),
  previous: (course, position) => advance(course, position, -1),
  next: (course, position) => advance(course, position, 1),
  last,
  // A turn is shown by its last step.
  previousTurn: (course, position) => {
    const step = course.turns[position.deal - 1].findLast((end) => end < position.step);
    return step === undefined ? advance(course, { ...position, step: 0 }, -1) : { ...position, step };
  },
  nextTurn: (course, position) => {
    const step = course.turns[position.deal - 1].find((end) => end > position.step);
    return step === undefined ? advance(course, position, 1) : { ...position, step };
  },
  previousDeal: (course, { deal, step }) =>
    step > 0 ? { deal, step: 0 } : { deal: Math.max(deal - 1, 1), step: 0 },
  nextDeal: (course, { deal }) =>
    deal < course.counts.length ? { deal: deal + 1, step: 0 } : last(course),
  previousYaku: createJump("yaku", false),
  nextYaku: createJump("yaku", true),
  previousDecision: createJump("decision", false),
  nextDecision: createJump("decision", true),
  previousCostly: createJump("costly", false),
  nextCostly: createJump("costly", true),
  previousFault: createJump("fault", false),
  nextFault: createJump("fault", true),
};
