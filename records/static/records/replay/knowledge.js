/** What one seat knows of the others' hands. No DOM here. */

/** A card that lies face down. */
export const DOWN = "#";

/**
 * The hands of a step as seat `view` sees them (0: all open): its own, of the others those cards
 * that all have seen, the rest face down.
 */
export function handsSeen(step, view) {
  if (!view) return step.hands;
  return step.hands.map((hand, i) => {
    if (i === view - 1) return hand;
    const known = step.known?.[i] ?? "";
    return [...hand].map((letter) => (known.includes(letter) ? letter : DOWN)).join("");
  });
}
