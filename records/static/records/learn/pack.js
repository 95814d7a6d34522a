// @ts-check
/** Cards with names: a tap names a card; buttons, if there are any, highlight the cards of a kind. */

import { fillText, makeTappable, nameCard } from "./taps.js";

/**
 * Makes the cards of an element and the buttons of its screen work.
 * @param {Element} pack
 * @param {any} data
 */
export function startPack(pack, data) {
  const screen = /** @type {HTMLElement} */ (pack.closest(".screen"));
  const message = /** @type {HTMLElement} */ (screen.querySelector("[data-says]"));
  const tapped = new Set();
  const cards = makeTappable(pack, (letter, button) => {
    tapped.add(letter);
    for (const card of cards) card.classList.toggle("lit", card === button);
    const month = data.monthNames[data.months[letter] - 1];
    const isWhole = Object.keys(data.months).every(
      (other) => data.months[other] !== data.months[letter] || tapped.has(other),
    );
    const kind = data.kindNames[data.kinds[letter]];
    const text = fillText(data.words.card, { card: nameCard(data, letter), month, kind });
    message.textContent = isWhole ? `${text} ◎ ${fillText(data.words.whole, { month })}` : text;
  });
  const buttons = [.../** @type {NodeListOf<HTMLButtonElement>} */ (screen.querySelectorAll("[data-kinds] button"))];
  screen.querySelector("[data-kinds]")?.classList.remove("waiting");
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const isPressed = button.getAttribute("aria-pressed") === "false";
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button && isPressed));
      for (const card of cards) {
        const isOfKind = data.kinds[card.dataset.letter ?? ""] === button.dataset.kind;
        card.classList.toggle("lit", isPressed && isOfKind);
        card.classList.toggle("dim", isPressed && !isOfKind);
      }
    });
  }
}
