// @ts-check
/** The hands as seen from one seat. No DOM. */

/** The letter of a face-down card. */
export const DOWN = "#";

/**
 * Returns the hands of a step as seen from seat `view` (0: all hands open). In the hands of the
 * opponents only publicly known cards are visible.
 * @param {{ hands: string[], known?: string[] }} step
 * @param {number} view
 * @returns {string[]}
 */
export function visibleHands(step, view) {
  if (!view) return step.hands;
  return step.hands.map((hand, i) => {
    if (i === view - 1) return hand;
    const known = step.known?.[i] ?? "";
    return [...hand].map((letter) => (known.includes(letter) ? letter : DOWN)).join("");
  });
}
