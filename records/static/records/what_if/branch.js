// @ts-check
/**
 * Branches: alternative moves from a step on. The address has a branch as the parameter `then`: turns
 * in Kafu, separated by commas, `AxD/BxC,E=koikoi/F`. No DOM.
 */

const LONGEST = 600; // characters; records/services/studies.py has the same limit
const ALLOWED = /^[A-Za-z0-9 =/+,-]*$/;
const ACTION = /[=/]?[^=/]+/g;

/**
 * Returns the actions of a branch; an empty list for an invalid branch.
 * @param {string | null} then
 * @returns {string[]}
 */
export function parseBranch(then) {
  const text = then ?? "";
  if (text.length > LONGEST || !ALLOWED.test(text)) return [];
  return text.split(",").flatMap((turn) => turn.match(ACTION) ?? []);
}

/**
 * Returns actions as a parameter of the address; null if the text is too long.
 * @param {string[]} actions
 * @returns {string | null}
 */
export function formatBranch(actions) {
  const text = actions.reduce((before, action) => {
    const continuesTurn = !before || action.startsWith("/") || action.startsWith("=");
    return `${before}${continuesTurn ? "" : ","}${action}`;
  }, "");
  return text.length > LONGEST ? null : text;
}

/**
 * Returns the actions without the last action of the user. A card from the draw pile, which is turned
 * automatically, is removed together with the card from the hand. The action `automatic`, which
 * preceded all choices, remains.
 * @param {string[]} actions
 * @param {string} automatic
 * @returns {string[]}
 */
export function removeLastAction(actions, automatic) {
  const least = actions[0] === automatic ? 1 : 0;
  const count = actions.at(-1)?.startsWith("/") ? 2 : 1;
  return actions.slice(0, Math.max(least, actions.length - count));
}

/**
 * Returns the readable query of a step and a branch.
 * @param {string} at
 * @param {string[]} actions
 * @returns {string}
 */
export function branchQuery(at, actions) {
  const then = encodeURIComponent(formatBranch(actions) ?? "");
  const plain = { "%2F": "/", "%3D": "=", "%2C": ",", "%20": "+" };
  return `?at=${at}&then=${then.replace(/%(2F|3D|2C|20)/g, (code) => plain[code])}`;
}
