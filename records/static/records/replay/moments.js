/** The moments of a game: yaku made or shown, decisions, the fault. No DOM here. */
import { toIndex } from "./position.js";

const TURN = new Set(["hand", "stock"]);
const SAID = new Set(["say", "call", "blind", "swap"]);

/** The yaku that step `i` of a deal brought: [{seat, id, value}], those shown from a hand apart. */
export function made(steps, i) {
  if (!TURN.has(steps[i].kind)) return [];
  return steps[i].yaku.flatMap((own, seat) => {
    const before = new Set(steps[i - 1].yaku[seat].map(({ id }) => id));
    return own.filter(({ id }) => !before.has(id)).map((one) => ({ ...one, seat: seat + 1 }));
  });
}

/** The captured cards that are of these yaku (`sets`: see docs/api.md), as letters. */
export function cardsOf(sets, yaku, captured) {
  const ids = new Set(yaku.map(({ id }) => id));
  const all = sets.filter(({ id }) => ids.has(id)).map(({ cards }) => cards);
  return [...captured].filter((letter) => all.some((cards) => cards.includes(letter))).join("");
}

/** The places of moments among all steps, by their kind: `yaku`, `decision`, `fault`, and `costly`,
 *  which is filled once an analysis is there. */
export function stopsOf({ deals, error }, course) {
  const stops = { yaku: [], decision: [], costly: [], fault: error ? [course.total - 1] : [] };
  deals.forEach(({ steps }, deal) => {
    steps.forEach(({ kind }, step) => {
      const at = toIndex(course, { deal: deal + 1, step });
      if (kind === "show" || made(steps, step).length > 0) stops.yaku.push(at);
      else if (SAID.has(kind)) stops.decision.push(at);
    });
  });
  return stops;
}
