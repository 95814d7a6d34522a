// @ts-check
/** The screen of the yaku: a tap captures a card, and bars show the progress of each yaku. */

import { makeTappable } from "./taps.js";

/**
 * Makes the cards of the yaku work.
 * @param {HTMLElement} root
 * @param {any} data
 */
export function startCollection(root, data) {
  const collection = root.querySelector("[data-collection]");
  if (!collection) return;
  const captured = new Set();
  const cards = makeTappable(collection, (letter) => {
    if (!captured.delete(letter)) captured.add(letter);
    update();
  });
  const update = () => {
    for (const card of cards) {
      card.setAttribute("aria-pressed", String(captured.has(card.dataset.letter)));
    }
    for (const entry of /** @type {NodeListOf<HTMLElement>} */ (collection.querySelectorAll("[data-need]"))) {
      const count = entry.querySelectorAll("[aria-pressed=true]").length;
      const need = Number(entry.dataset.need);
      /** @type {HTMLProgressElement} */ (entry.querySelector("progress")).value = Math.min(count, need);
      const text = count < need ? `${count} / ${need}` : data.words.made;
      /** @type {HTMLElement} */ (entry.querySelector("[data-count]")).textContent = text;
      entry.classList.toggle("made", count >= need);
    }
  };
  for (const progress of /** @type {NodeListOf<HTMLElement>} */ (collection.querySelectorAll("[data-progress]"))) {
    progress.hidden = false;
  }
  update();
}
