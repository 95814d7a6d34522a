// @ts-check
/** The moments of a game: yaku, decisions and the fault. No DOM. */
import { toIndex } from "./position.js";

const TURN = new Set(["hand", "stock"]);
const DECISIONS = new Set(["say", "call", "blind", "swap"]);

/**
 * Returns the captured yaku that are new at step `i` of a deal, without declared dealt hands.
 * @param {any[]} steps
 * @param {number} i
 * @returns {{ seat: number, id: string, value: number }[]}
 */
export function findNewYaku(steps, i) {
  if (!TURN.has(steps[i].kind)) return [];
  return steps[i].yaku.flatMap((yakuOfSeat, seat) => {
    const before = new Set(steps[i - 1].yaku[seat].map(({ id }) => id));
    return yakuOfSeat.filter(({ id }) => !before.has(id)).map((yaku) => ({ ...yaku, seat: seat + 1 }));
  });
}

/**
 * Returns the letters of the captured cards that belong to some yaku.
 * @param {{ id: string, cards: string }[]} sets the sets of the replay JSON (docs/api.md)
 * @param {{ id: string }[]} yaku
 * @param {string} captured
 * @returns {string}
 */
export function findCards(sets, yaku, captured) {
  const ids = new Set(yaku.map(({ id }) => id));
  const matching = sets.filter(({ id }) => ids.has(id));
  return [...captured].filter((letter) => matching.some(({ cards }) => cards.includes(letter))).join("");
}

/**
 * Returns the step indices of moments by kind: `yaku`, `decision`, `fault`, and `costly`, which the
 * player fills from an analysis.
 * @param {any} data the replay JSON
 * @param {any} course see position.js
 * @returns {Record<"yaku" | "decision" | "costly" | "fault", number[]>}
 */
export function findMoments({ deals, error }, course) {
  const stops = { yaku: [], decision: [], costly: [], fault: error ? [course.total - 1] : [] };
  deals.forEach(({ steps }, deal) => {
    steps.forEach(({ kind }, step) => {
      const at = toIndex(course, { deal: deal + 1, step });
      if (kind === "show" || findNewYaku(steps, step).length > 0) stops.yaku.push(at);
      else if (DECISIONS.has(kind)) stops.decision.push(at);
    });
  });
  return stops;
}
