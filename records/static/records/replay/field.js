/**
 * Places on the field: a card stays where it was laid until it is captured, as on a real table.
 * No DOM here.
 */

/** Slots (a letter, or "" for an empty place) after the field has become `field`. */
export function place(slots, field) {
  const waiting = [...field];
  const next = slots.map((card) => {
    const found = card === "" ? -1 : waiting.indexOf(card);
    return found < 0 ? "" : waiting.splice(found, 1)[0];
  });
  for (const card of waiting) {
    const gap = next.indexOf("");
    if (gap < 0) next.push(card);
    else next[gap] = card;
  }
  return next;
}

/** The slots at every step of a deal, from the fields of its steps. */
export function slotsOf(fields) {
  let slots = [];
  return fields.map((field) => (slots = place(slots, field)));
}
