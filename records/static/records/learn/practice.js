// @ts-check
/** A small table for practice: plays the cards of a hand, and turns the cards of a draw pile. */

import { cardMaker } from "../replay/cards.js";
import { DOWN } from "../replay/knowledge.js";
import { fillText, makeTappable, nameCard } from "./taps.js";

/** A table without an opponent. Each turn plays a card of the hand, then one of the draw pile. */
export class Practice {
  /**
   * @param {Element} root templates/records/learn/_practice.html
   * @param {string} sprite
   * @param {any} data
   */
  constructor(root, sprite, data) {
    this.root = root;
    this.data = data;
    this.find = (name) => root.querySelector(`[data-${name}]`);
    this.createCard = cardMaker(sprite, data, data.words.faceDown);
    this.isPileNext = false;
    /** The card that waits for the choice between two captures. @type {HTMLButtonElement | null} */
    this.waiting = null;
  }

  /** Makes the cards tappable, and turns the draw pile face down. */
  start() {
    makeTappable(this.root, (_letter, button) => this.tap(button));
    for (const button of this.buttons("pile")) button.replaceChildren(this.createCard(DOWN));
  }

  /** Returns the cards of a place, none if there is no such place. */
  buttons(place) {
    return /** @type {HTMLButtonElement[]} */ ([...(this.find(place)?.querySelectorAll(".tap") ?? [])]);
  }

  tap(button) {
    const [next] = this.buttons("pile");
    if (this.waiting) {
      if (this.matches(this.waiting).includes(button)) this.lay(this.waiting, [button]);
    } else if (this.isPileNext ? button === next : this.buttons("hand").includes(button)) {
      this.play(button);
    }
  }

  /** Returns the cards of the field that a card can capture. */
  matches(card) {
    const { months } = this.data;
    return this.buttons("field").filter(({ dataset }) => months[dataset.letter] === months[card.dataset.letter]);
  }

  play(card) {
    card.replaceChildren(this.createCard(card.dataset.letter));
    const matches = this.matches(card);
    if (matches.length !== 2) {
      this.lay(card, matches);
      return;
    }
    this.waiting = card;
    for (const button of [card, ...matches]) button.classList.add("lit");
    this.say(this.data.words.choose);
    matches[0].focus();
  }

  /** Moves a card with its captures to the captured cards, or alone to the field. */
  lay(card, taken) {
    const { words } = this.data;
    const name = (button) => nameCard(this.data, button.dataset.letter);
    for (const button of this.buttons("field")) button.classList.remove("lit");
    card.classList.remove("lit");
    this.waiting = null;
    if (taken.length) this.find("captured").append(...[card, ...taken].flatMap((button) => [...button.childNodes]));
    for (const button of taken) button.remove();
    if (taken.length) card.remove();
    else this.find("field").append(card);
    this.isPileNext = !this.isPileNext && this.buttons("pile").length > 0;
    const news = taken.length
      ? fillText(words.captured, { card: name(card), taken: taken.map(name).join(" · ") })
      : fillText(words.stays, { card: name(card) });
    const [next] = this.buttons(this.isPileNext ? "pile" : "hand");
    const prompt = !next ? words.done : this.isPileNext ? words.turnPile : words.playHand;
    this.say(`${news} ${prompt}`);
    next?.focus();
  }

  /** @param {string} text */
  say(text) {
    this.find("says").textContent = text;
  }
}
