/**
 * Laying out the cards of a deal: places (a hand a player, the field, the draw pile), and the pack
 * by month, in which each card that lies somewhere is greyed. A tap puts a card into the chosen
 * place, or takes it back.
 */

import { element } from "../replay/elements.js";
import { renew } from "./renew.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv";
const UNKNOWN = "?";

export class Dealing {
  /**
   * `root` is the form of templates/records/editor.html, `card(letter)` makes a card; `deal(cards)`
   * is called with what is to be dealt; `read(names)` gives the letters of cards by their names.
   */
  constructor(root, data, card, deal, read) {
    this.read = read;
    this.root = root;
    this.data = data;
    this.card = card;
    this.places = root.querySelector("[data-places]");
    this.pack = root.querySelector("[data-pack]");
    this.letters = root.querySelector("[data-letters]");
    this.dealers = root.querySelector("[data-dealers]");
    this.send = root.querySelector("[type=submit]");
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.send.disabled) deal(this.cards());
    });
    root.querySelector("[data-random]").addEventListener("click", () => {
      deal({ number: this.number, random: true });
    });
    root.querySelector("[data-unknown]").addEventListener("click", () => this.fillUp());
    this.letters.addEventListener("input", () => this.put(this.letters.value));
    this.nameField = root.querySelector("[data-names]");
    this.problem = root.querySelector("[data-no-names]");
    this.nameField.addEventListener("change", () => this.named());
    this.nameField.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault(); // it deals nothing
      this.named();
    });
  }

  /** Begins a deal: `due` is what the server says of it, `players` their names. */
  begin(due, number, ruleset, players) {
    this.number = number;
    this.lies = [...players.map(() => ""), "", ""];
    // The hands of those who do not play are shuffled into it.
    const stock = LETTERS.length - ruleset.round * ruleset.hand - ruleset.field;
    this.sizes = [...players.map(() => ruleset.hand), ruleset.field, stock];
    const { words } = this.data;
    const names = players.map((name) => words.hand.replace("%(name)s", name));
    this.names = [...names, words.field, words.stock.replace(/[::]?\s*%\(count\)s.*/, "")];
    this.chosen = 0;
    const { cards } = due;
    if (cards) this.lies = [...cards.hands, cards.field, cards.stock];
    this.dealer = due.dealers.includes(cards?.dealer) ? cards.dealer : due.dealers[0];
    this.dealers.hidden = due.dealers.length < 2;
    this.dealers.replaceChildren(
      element("legend", {}, words.dealer),
      ...due.dealers.map((seat) => this.choice(seat, players[seat - 1])),
    );
    this.problem.textContent = "";
    this.show();
  }

  choice(seat, name) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: "dealer", value: seat });
    input.checked = seat === this.dealer;
    input.addEventListener("change", () => (this.dealer = seat));
    label.append(input, ` ${name}`);
    return label;
  }

  cards() {
    const hands = this.lies.slice(0, -2);
    const [field, stock] = this.lies.slice(-2);
    const cards = { number: this.number, dealer: this.dealer, hands, field };
    const lying = this.lies.join("").replaceAll(UNKNOWN, "").length;
    // All that is left in the pack is known too, but not in what order.
    return stock ? { ...cards, stock: lying < LETTERS.length ? `${stock}...` : stock } : cards;
  }

  /** A card of the pack is tapped. */
  tap(letter) {
    this.problem.textContent = "";
    const there = this.lying(letter);
    if (there >= 0) {
      this.lies[there] = this.lies[there].replace(letter, "");
      this.chosen = there;
    } else if (this.lies[this.chosen].length < this.sizes[this.chosen]) {
      this.lies[this.chosen] += letter;
      this.goOn();
    } else {
      this.refuse({ full: [letter] });
    }
    this.show();
  }

  /** The next place that has room, once one is full. */
  goOn() {
    if (this.lies[this.chosen].length < this.sizes[this.chosen]) return;
    const next = this.lies.findIndex((cards, i) => cards.length < this.sizes[i]);
    if (next >= 0) this.chosen = next;
  }

  /** The cards of the chosen hand that are not laid out are unknown. */
  fillUp() {
    if (this.chosen < this.lies.length - 2) {
      this.lies[this.chosen] = this.lies[this.chosen].padEnd(this.sizes[this.chosen], UNKNOWN);
      this.goOn();
      this.show();
    }
  }

  /** Names were written for the chosen place: the archive knows what they mean. */
  async named() {
    const place = this.chosen;
    const text = this.nameField.value.trim();
    if (!text) return;
    // Cards that lie elsewhere come first: of cards that are alike the next is meant.
    const elsewhere = this.lies.filter((_, i) => i !== place).join("").replaceAll(UNKNOWN, "");
    try {
      const letters = await this.read(text, elsewhere);
      if (place !== this.chosen || this.nameField.value.trim() !== text) return;
      this.nameField.value = "";
      this.put(letters);
      this.goOn();
      this.show();
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  /** Letters were typed or pasted for the chosen place; what cannot lie there is said. */
  put(written) {
    this.lies[this.chosen] = "";
    const left = { strange: [], twice: [], full: [] };
    for (const letter of written.replace(/[\s.]/g, "")) {
      if (letter !== UNKNOWN && !LETTERS.includes(letter)) left.strange.push(letter);
      else if (letter !== UNKNOWN && this.lying(letter) >= 0) left.twice.push(letter);
      else if (this.lies[this.chosen].length >= this.sizes[this.chosen]) left.full.push(letter);
      else this.lies[this.chosen] += letter;
    }
    this.refuse(left);
    this.show();
  }

  /** Says which letters are none, which cards lie somewhere already, and for which there is no room. */
  refuse({ strange = [], twice = [], full = [] }) {
    const { words, cards } = this.data;
    const named = (letters) => letters.map((letter) => cards[letter]).join(", ");
    const place = this.names[this.chosen];
    const said = [
      ...strange.slice(0, 1).map((found) => words.noCard.replace("%(found)s", found)),
      ...twice.map((letter) =>
        words.liesThere.replace("%(card)s", cards[letter]).replace("%(place)s", this.names[this.lying(letter)]),
      ),
      ...full.slice(0, 1).map(() =>
        words.hasAll
          .replace("%(place)s", place)
          .replace("%(count)s", String(this.sizes[this.chosen]))
          .replace("%(cards)s", named(full)),
      ),
    ];
    this.problem.textContent = said.join(" ");
  }

  show() {
    const places = this.lies.map((letters, i) => ({
      letters,
      name: this.names[i],
      isChosen: i === this.chosen,
      whole: this.sizes[i],
    }));
    renew(this.places, places, (one, i) => this.place(one, i));
    this.letters.value = this.lies[this.chosen];
    this.send.disabled = !this.lies.at(-2); // a deal without a field is none
    const months = this.data.monthNames.map((name, month) => {
      const four = LETTERS.slice(month * 4, month * 4 + 4).split("");
      return { name, keys: four.map((letter) => ({ letter, lies: this.names[this.lying(letter)] ?? "" })) };
    });
    renew(this.pack, months, (one) => this.plant(one));
  }

  place({ letters, name, isChosen, whole }, i) {
    const count = this.data.words.lying
      .replace("%(count)s", String(letters.length))
      .replace("%(whole)s", String(whole));
    const row = element("span", { class: "row" }, ...[...letters].map((letter) => this.card(letter)));
    const place = element("button", { type: "button", class: "place", "aria-pressed": String(isChosen) });
    place.append(name, " ", element("small", {}, count), row);
    place.addEventListener("click", () => {
      this.chosen = i;
      this.show();
    });
    return place;
  }

  /** The number of the place in which a card lies; -1 for none. */
  lying(letter) {
    return this.lies.findIndex((cards) => cards.includes(letter));
  }

  plant({ name, keys }) {
    return element("div", { class: "plant" }, element("span", {}, name), ...keys.map((one) => this.key(one)));
  }

  key({ letter, lies }) {
    const label = this.data.cards[letter] + (lies && `, ${lies}`);
    const button = element("button", {
      type: "button",
      "data-letter": letter,
      "aria-pressed": String(Boolean(lies)),
      "aria-label": label,
    });
    button.append(this.card(letter));
    button.addEventListener("click", () => {
      this.tap(letter);
      /** @type {HTMLElement} */ (this.pack.querySelector(`[data-letter="${letter}"]`)).focus();
    });
    return button;
  }
}
