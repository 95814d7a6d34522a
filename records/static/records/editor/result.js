// @ts-check
/** The result of a finished game in words. No DOM. */

import { formatSum } from "../replay/sums.js";

/**
 * Returns the sums of a final result in words. `rules` has the unit of final sums.
 * @param {number[]} final
 * @param {{ finalUnit: number, units: string[] | null }} rules
 * @returns {string[]}
 */
export function formatFinalSums(final, { finalUnit, units }) {
  return final.map((amount) => formatSum(amount * finalUnit, units));
}

/**
 * Returns a sentence about the winner and the winning formatSum; with two players, about both sums.
 * @param {{ final: number[] | null, players: string[] }} response
 * @param {any} rules
 * @param {Record<string, string>} words
 * @returns {string}
 */
export function describeResult({ final, players }, rules, words) {
  if (!final) return words.over;
  const best = Math.max(...final);
  const winner = final.indexOf(best);
  if (final.lastIndexOf(best) !== winner) return words.draw;
  const sums = formatFinalSums(final, rules);
  const values = { name: players[winner], sum: sums[winner], other: sums[1 - winner] };
  const text = players.length === 2 ? words.wonTo : words.won;
  return text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
