/** Cards as SVG elements that use the sprite, as templates/records/_card.html draws them. */
import { svg } from "./elements.js";
import { DOWN } from "./knowledge.js";

/** The symbols in the sprite of what is no card of the pack. */
export const SYMBOLS = { "?": "unknown", _: "blank", [DOWN]: "back" };

/**
 * A maker of card elements: `card("A")` is the crane. `data` is the replay JSON, `sprite` the
 * address of the cards, "" where they stand in the same tree.
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
