// @ts-check
/** Turns the pictures of cards in a lesson into buttons. */

import { element } from "../replay/elements.js";

/**
 * Replaces the cards within an element by buttons, which call `onTap(letter, button)`.
 * @param {Element} root
 * @param {(letter: string, button: HTMLButtonElement) => void} onTap
 * @returns {HTMLButtonElement[]}
 */
export function makeTappable(root, onTap) {
  return [...root.querySelectorAll("span.tap")].map((span) => {
    const { letter } = /** @type {HTMLElement} */ (span).dataset;
    const button = element("button", { type: "button", class: "tap", "data-letter": letter });
    button.append(...span.childNodes);
    button.addEventListener("click", () => onTap(letter ?? "", button));
    span.replaceWith(button);
    return button;
  });
}

/**
 * Returns the name of a card with its reading.
 * @param {any} data
 * @param {string} letter
 * @returns {string}
 */
export function nameCard(data, letter) {
  const reading = data.readings[letter];
  return reading ? `${data.cards[letter]}（${reading}）` : data.cards[letter];
}

/**
 * Returns a text with its places `%(name)s` filled.
 * @param {string} text
 * @param {Record<string, string>} values
 * @returns {string}
 */
export function fillText(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);
}
