// @ts-check
/** The keys of the player. No DOM. */

const DESTINATIONS = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
  PageUp: "previousDeal",
  PageDown: "nextDeal",
};
const TURNS = { ArrowLeft: "previousTurn", ArrowRight: "nextTurn" };
const STOPS = { y: "Yaku", d: "Decision", c: "Costly", f: "Fault" };
const COMMANDS = { " ": "play", "+": "faster", "=": "faster", "-": "slower", "?": "help" };

/**
 * Returns the command for a key: a destination of position.js, or a command of the player; undefined
 * for keys without a command.
 * @param {{ key: string, altKey?: boolean, ctrlKey?: boolean, metaKey?: boolean, shiftKey?: boolean }} event
 * @returns {string | undefined}
 */
export function commandForKey({ key, altKey, ctrlKey, metaKey, shiftKey }) {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (COMMANDS[key] && !(shiftKey && key === " ")) return COMMANDS[key];
  const stop = STOPS[key.toLowerCase()];
  if (stop) return shiftKey ? `previous${stop}` : `next${stop}`;
  return shiftKey ? TURNS[key] : DESTINATIONS[key];
}
