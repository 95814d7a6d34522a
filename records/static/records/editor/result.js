/** How a finished game ended, in a sentence. No DOM here. */

import { sum } from "../replay/sums.js";

/** The sums of a final result, as the pages write them. `rules` has its `finalUnit` and `units`. */
export function finalSums(final, { finalUnit, units }) {
  return final.map((amount) => sum(amount * finalUnit, units));
}

/** Who won a game, and by which sums: of two players both, of more that of the winner. */
export function resultOf({ final, players }, rules, words) {
  if (!final) return words.over;
  const best = Math.max(...final);
  const winner = final.indexOf(best);
  if (final.lastIndexOf(best) !== winner) return words.draw;
  const sums = finalSums(final, rules);
  const values = { name: players[winner], sum: sums[winner], other: sums[1 - winner] };
  const text = players.length === 2 ? words.wonTo : words.won;
  return text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
