// @ts-check
/** Cards as SVG elements with symbols of the sprite; templates/records/_card.html draws the same. */
import { svg } from "./elements.js";
import { DOWN } from "./knowledge.js";

/** The symbols of unknown, blank and face-down cards in the sprite. */
export const SYMBOLS = { "?": "unknown", _: "blank", [DOWN]: "back" };

/**
 * Returns a function that creates a card element from a letter: `card("A")` is the crane.
 * @param {string} sprite the address of the sprite; "" if the sprite is in the same tree
 * @param {any} data the replay JSON
 * @param {string} faceDown the name of a face-down card
 * @returns {(letter: string) => SVGElement}
 */
export function cardMaker(sprite, data, faceDown) {
  return (letter) => {
    const name = letter === DOWN ? faceDown : (data.cards[letter] ?? letter);
    const card = svg(
      "svg",
      { class: "card", viewBox: "0 0 100 160", role: "img", "aria-label": name, "data-card": letter },
      svg("title", {}, name),
      svg("use", { href: `${sprite}#card-${SYMBOLS[letter] ?? letter}` }),
    );
    const kind = data.kinds[letter];
    if (kind) {
      card.dataset.kind = kind;
      card.append(
        svg("use", { class: "mark kind", href: `${sprite}#mark-${kind}` }),
        svg("text", { class: "mark month", x: 23, y: 29, "aria-hidden": "true" }, data.months[letter]),
      );
    }
    return card;
  };
}
