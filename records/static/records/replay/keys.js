/** What each key asks of the replay. No DOM here. */

const WAYS = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
  PageUp: "previousDeal",
  PageDown: "nextDeal",
};
const TURNS = { ArrowLeft: "previousTurn", ArrowRight: "nextTurn" };
const STOPS = { y: "Yaku", d: "Decision", c: "Costly", f: "Fault" };
const DEEDS = { " ": "play", "+": "faster", "=": "faster", "-": "slower", "?": "help" };

/** The way (see position.js) or the deed that a keyboard event asks for; undefined for others. */
export function askedBy({ key, altKey, ctrlKey, metaKey, shiftKey }) {
  if (altKey || ctrlKey || metaKey) return undefined;
  if (DEEDS[key] && !(shiftKey && key === " ")) return DEEDS[key];
  const stop = STOPS[key.toLowerCase()];
  if (stop) return shiftKey ? `previous${stop}` : `next${stop}`;
  return shiftKey ? TURNS[key] : WAYS[key];
}
