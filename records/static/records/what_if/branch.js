/**
 * A branch: what is played from a step on instead of what was. An address has it as `then`: turns
 * in Kafu with commas between, `AxD/BxC,E=koikoi/F`. No DOM here.
 */

const LONGEST = 600; // characters, as records/services/studies.py
const ALLOWED = /^[A-Za-z0-9 =/+,-]*$/;
const ACTION = /[=/]?[^=/]+/g;

/** The actions of a branch, one each; an empty list for what is none. */
export function actionsOf(then) {
  const text = then ?? "";
  if (text.length > LONGEST || !ALLOWED.test(text)) return [];
  return text.split(",").flatMap((turn) => turn.match(ACTION) ?? []);
}

/** Actions as an address has them; null where they are more than one may have. */
export function written(actions) {
  const text = actions.reduce((before, action) => {
    const goesOn = !before || action.startsWith("/") || action.startsWith("=");
    return `${before}${goesOn ? "" : ","}${action}`;
  }, "");
  return text.length > LONGEST ? null : text;
}

/**
 * The actions before the last one. A card from the draw pile comes by itself: it goes with the one
 * from the hand before it, and stays if it is `first`, which came before anything was chosen.
 */
export function undone(actions, first) {
  const own = actions[0] === first ? 1 : 0;
  const turned = actions.at(-1)?.startsWith("/") ? 2 : 1;
  return actions.slice(0, Math.max(own, actions.length - turned));
}

/** The query of a step and a branch, easy to read. */
export function queryOf(at, actions) {
  const then = encodeURIComponent(written(actions) ?? "");
  const plain = { "%2F": "/", "%3D": "=", "%2C": ",", "%20": "+" };
  return `?at=${at}&then=${then.replace(/%(2F|3D|2C|20)/g, (found) => plain[found])}`;
}
