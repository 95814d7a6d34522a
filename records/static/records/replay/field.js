// @ts-check
/** Slots of the field: a card stays in its slot until captured, as on a real table. No DOM. */

/**
 * Returns the slots after the field has changed to `field`. A slot is a letter, or "" if empty.
 * @param {string[]} slots
 * @param {string} field
 * @returns {string[]}
 */
export function updateSlots(slots, field) {
  const newCards = [...field];
  const next = slots.map((card) => {
    const index = card === "" ? -1 : newCards.indexOf(card);
    return index < 0 ? "" : newCards.splice(index, 1)[0];
  });
  for (const card of newCards) {
    const gap = next.indexOf("");
    if (gap < 0) next.push(card);
    else next[gap] = card;
  }
  return next;
}

/**
 * Returns the slots at each step of a deal.
 * @param {string[]} fields the field at each step
 * @returns {string[][]}
 */
export function computeSlots(fields) {
  let slots = [];
  return fields.map((field) => (slots = updateSlots(slots, field)));
}
