// @ts-check
/**
 * The form that lays out the cards of a deal. It shows the places (the field, the hands, the draw
 * pile) and the pack by month with used cards greyed. A tap on a card adds it to the chosen place, or
 * removes it from its place. Only the field is required: further cards of a hand are unknown.
 */

import { element } from "../replay/elements.js";
import { updateChildren } from "./children.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv";
const UNKNOWN = "?";

/** The form of one deal. */
export class Dealing {
  /**
   * `root` is the form of templates/records/editor.html, `createCard(letter)` creates a card,
   * `deal(cards)` is called with the finished deal or a request for a random one, and
   * `fetchLetters(names, used)` resolves with the letters of named cards, without those in `used`.
   */
  constructor(root, data, createCard, deal, fetchLetters) {
    this.fetchLetters = fetchLetters;
    this.root = root;
    this.data = data;
    this.createCard = createCard;
    this.places = root.querySelector("[data-places]");
    this.pack = root.querySelector("[data-pack]");
    this.letters = root.querySelector("[data-letters]");
    this.dealerChoices = root.querySelector("[data-dealers]");
    this.submitButton = root.querySelector("[type=submit]");
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.submitButton.disabled) deal(this.collectCards());
    });
    root.querySelector("[data-random]").addEventListener("click", () => {
      deal({ number: this.number, random: true });
    });
    this.letters.addEventListener("input", () => this.placeLetters(this.letters.value));
    this.nameField = root.querySelector("[data-names]");
    this.problem = root.querySelector("[data-no-names]");
    this.nameField.addEventListener("change", () => this.placeNamedCards());
    this.nameField.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // Enter would submit the form
      this.placeNamedCards();
    });
  }

  /**
   * Begins a deal. `due` is the server's description: the possible dealers, and the cards if the game
   * already has them. `players` are names.
   */
  begin(due, number, ruleset, players) {
    this.number = number;
    this.cardsByPlace = ["", ...players.map(() => ""), ""];
    // A round has no turns of players who sit out: their hands are shuffled into the draw pile.
    const stock = LETTERS.length - ruleset.round * ruleset.hand - ruleset.field;
    this.sizes = [ruleset.field, ...players.map(() => ruleset.hand), stock];
    const { words } = this.data;
    const names = players.map((name) => words.hand.replace("%(name)s", name));
    this.names = [words.field, ...names, words.stock.replace(/[::]?\s*%\(count\)s.*/, "")];
    this.chosen = 0;
    const { cards } = due;
    if (cards) this.cardsByPlace = [cards.field, ...cards.hands, cards.stock];
    this.dealer = due.dealers.includes(cards?.dealer) ? cards.dealer : due.dealers[0];
    this.dealerChoices.hidden = due.dealers.length < 2;
    this.dealerChoices.replaceChildren(
      element("legend", {}, words.dealer),
      ...due.dealers.map((seat) => this.createDealerChoice(seat, players[seat - 1])),
    );
    this.problem.textContent = "";
    this.show();
  }

  createDealerChoice(seat, name) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: "dealer", value: seat });
    input.checked = seat === this.dealer;
    input.addEventListener("change", () => (this.dealer = seat));
    label.append(input, ` ${name}`);
    return label;
  }

  /**
   * Returns the entered deal, with unknown cards for missing cards of hands. An empty draw pile is left
   * out; "..." is the unknown end of a draw pile.
   */
  collectCards() {
    const [field] = this.cardsByPlace;
    const stock = this.cardsByPlace.at(-1);
    const hands = this.cardsByPlace.slice(1, -1).map((letters, i) => letters.padEnd(this.sizes[i + 1], UNKNOWN));
    const cards = { number: this.number, dealer: this.dealer, hands, field };
    const count = this.cardsByPlace.join("").replaceAll(UNKNOWN, "").length;
    return stock ? { ...cards, stock: count < LETTERS.length ? `${stock}...` : stock } : cards;
  }

  /** Adds a card of the pack to the chosen place, or removes it from its place. */
  tap(letter) {
    this.problem.textContent = "";
    const place = this.findPlace(letter);
    if (place >= 0) {
      this.cardsByPlace[place] = this.cardsByPlace[place].replace(letter, "");
      this.chosen = place;
    } else if (this.cardsByPlace[this.chosen].length < this.sizes[this.chosen]) {
      this.cardsByPlace[this.chosen] += letter;
      this.chooseNextPlace();
    } else {
      this.showProblems({ full: [letter] });
    }
    this.show();
  }

  /** Chooses the first place with room if the chosen place is full. */
  chooseNextPlace() {
    if (this.cardsByPlace[this.chosen].length < this.sizes[this.chosen]) return;
    const next = this.cardsByPlace.findIndex((cards, i) => cards.length < this.sizes[i]);
    if (next >= 0) this.chosen = next;
  }

  /** Asks the archive for the letters of the entered names and puts the cards into the chosen place. */
  async placeNamedCards() {
    const place = this.chosen;
    const text = this.nameField.value.trim();
    if (!text) return;
    // A name can stand for several equal cards: the archive skips the cards of the other places.
    const used = this.cardsByPlace.filter((_, i) => i !== place).join("").replaceAll(UNKNOWN, "");
    try {
      const letters = await this.fetchLetters(text, used);
      if (place !== this.chosen || this.nameField.value.trim() !== text) return;
      this.nameField.value = "";
      this.placeLetters(letters);
      this.chooseNextPlace();
      this.show();
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  /** Replaces the cards of the chosen place by typed or pasted letters, and shows rejected letters. */
  placeLetters(text) {
    this.cardsByPlace[this.chosen] = "";
    const rejected = { strange: [], twice: [], full: [] };
    for (const letter of text.replace(/[\s.]/g, "")) {
      if (letter !== UNKNOWN && !LETTERS.includes(letter)) rejected.strange.push(letter);
      else if (letter !== UNKNOWN && this.findPlace(letter) >= 0) rejected.twice.push(letter);
      else if (this.cardsByPlace[this.chosen].length >= this.sizes[this.chosen]) rejected.full.push(letter);
      else this.cardsByPlace[this.chosen] += letter;
    }
    this.showProblems(rejected);
    this.show();
  }

  /** Shows which letters are not cards, which cards are already used, and which exceed the place. */
  showProblems({ strange = [], twice = [], full = [] }) {
    const { words, cards } = this.data;
    const nameCards = (letters) => letters.map((letter) => cards[letter]).join(", ");
    const place = this.names[this.chosen];
    const problems = [
      ...strange.slice(0, 1).map((letter) => words.noCard.replace("%(found)s", letter)),
      ...twice.map((letter) =>
        words.liesThere.replace("%(card)s", cards[letter]).replace("%(place)s", this.names[this.findPlace(letter)]),
      ),
      ...full.slice(0, 1).map(() =>
        words.hasAll
          .replace("%(place)s", place)
          .replace("%(count)s", String(this.sizes[this.chosen]))
          .replace("%(cards)s", nameCards(full)),
      ),
    ];
    this.problem.textContent = problems.join(" ");
  }

  show() {
    const places = this.cardsByPlace.map((letters, i) => ({
      letters,
      name: this.names[i],
      isChosen: i === this.chosen,
      size: this.sizes[i],
    }));
    updateChildren(this.places, places, (place, i) => this.createPlaceButton(place, i));
    this.revealChosenPlace();
    this.letters.value = this.cardsByPlace[this.chosen];
    this.submitButton.disabled = !this.cardsByPlace[0]; // the archive requires a field
    const months = this.data.monthNames.map((name, month) => {
      const letters = LETTERS.slice(month * 4, month * 4 + 4).split("");
      return { name, cards: letters.map((letter) => ({ letter, place: this.names[this.findPlace(letter)] ?? "" })) };
    });
    updateChildren(this.pack, months, (month) => this.createMonthRow(month));
  }

  /** Scrolls the strip of places on phones to the chosen place and the next one. */
  revealChosenPlace() {
    const { offsetLeft } = /** @type {HTMLElement} */ (this.places.children[this.chosen]);
    this.places.scrollLeft = offsetLeft - this.places.offsetLeft;
  }

  createPlaceButton({ letters, name, isChosen, size }, i) {
    const count = this.data.words.lying
      .replace("%(count)s", String(letters.length))
      .replace("%(whole)s", String(size));
    const row = element("span", { class: "row" }, ...[...letters].map((letter) => this.createCard(letter)));
    const place = element("button", { type: "button", class: "place", "aria-pressed": String(isChosen) });
    place.append(name, " ", element("small", {}, count), row);
    place.addEventListener("click", () => {
      this.chosen = i;
      this.show();
    });
    return place;
  }

  /** Returns the index of the place that contains a card; -1 if the card is in the pack. */
  findPlace(letter) {
    return this.cardsByPlace.findIndex((cards) => cards.includes(letter));
  }

  createMonthRow({ name, cards }) {
    return element("div", { class: "plant" }, element("span", {}, name), ...cards.map((card) => this.createCardButton(card)));
  }

  createCardButton({ letter, place }) {
    const label = this.data.cards[letter] + (place && `, ${place}`);
    const button = element("button", {
      type: "button",
      "data-letter": letter,
      "aria-pressed": String(Boolean(place)),
      "aria-label": label,
    });
    button.append(this.createCard(letter));
    button.addEventListener("click", () => {
      this.tap(letter);
      /** @type {HTMLElement} */ (this.pack.querySelector(`[data-letter="${letter}"]`)).focus();
    });
    return button;
  }
}
