/**
 * The table of the editor: hands, field, what was captured. Cards that may be played or captured
 * are buttons; what is not a card (a decision, a declaration, a bid) is a row of buttons below.
 */

import { element } from "../replay/elements.js";
import { sum } from "../replay/sums.js";
import { renew } from "./renew.js";
import { finalSums, resultOf } from "./result.js";

const UNKNOWN = "?";

export class EditTable {
  /** `act(move)` does a move of `legal`; `inTurn(what)` does something after what is being done. */
  constructor(root, data, card, { act, inTurn }) {
    this.root = root;
    this.data = data;
    this.card = card;
    this.act = act;
    this.inTurn = inTurn;
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.asks = find("asks");
    this.seats = find("seats");
    this.field = find("field");
    this.pick = find("pick");
    this.moves = find("moves");
  }

  /** Shows an answer of the server. */
  show(answer) {
    this.answer = answer;
    this.card1 = "";
    this.draw();
  }

  draw() {
    const { answer } = this;
    const { table, legal } = answer;
    const placed = legal.filter(({ kind }) => kind === "hand" || kind === "stock");
    const others = legal.filter(({ kind }) => kind !== "hand" && kind !== "stock");
    this.byCard = groups(placed);
    this.asks.textContent = this.question();
    const seats = answer.players.map((name, i) => this.seatAt(name, i));
    renew(this.seats, seats, (one) => this.seat(one));
    const field = [...table.field].map((letter) => ({ letter, move: this.taking(letter) }));
    renew(this.field, field, ({ letter, move }) =>
      move ? this.key(letter, () => this.act(move), false) : this.card(letter),
    );
    const picked = this.picked(placed).map((letter) => ({ letter, isPressed: this.card1 === letter }));
    renew(this.pick, picked, ({ letter, isPressed }) => this.key(letter, () => this.choose(letter), isPressed));
    this.moves.replaceChildren(
      ...others.map((move) => {
        const button = element("button", { type: "button", "data-do": move.do }, move.words);
        button.addEventListener("click", () => this.inTurn(() => this.act(move)));
        return button;
      }),
    );
  }

  question() {
    const { table, due, players } = this.answer;
    const { words, monthNames } = this.data;
    const name = players[table.seat - 1] ?? "";
    if (this.card1) return words.takes;
    if (due) return words.deal.replace("%(month)s", monthNames[(due.month - 1) % 12]);
    if (table.phase === "over") return resultOf(this.answer, this.rules, words);
    const asked = { hand: words.turn, show: words.turn, stock: words.drawn, decide: words.decide, bid: words.bid };
    return (asked[table.phase] ?? words.monthOver).replace("%(name)s", name);
  }

  /** What is shown of a seat. */
  seatAt(name, i) {
    const { table } = this.answer;
    const isMoving = table.seat === i + 1;
    const plays = (letter) => isMoving && table.phase !== "stock" && letter !== UNKNOWN && this.byCard.has(letter);
    return {
      name,
      isMoving,
      mark: table.dealer === i + 1 ? this.rules.dealer : "",
      total: this.totals()[i],
      made: (table.yaku[i] ?? []).map((one) => `${one.name} ${one.value}`).join(" · "),
      hand: [...(table.hands[i] ?? "")].map((letter) => ({
        letter,
        isKey: plays(letter),
        isPressed: this.card1 === letter,
      })),
      captured: table.captured[i] ?? "",
    };
  }

  seat({ name, isMoving, mark, total, made, hand, captured }) {
    const { words } = this.data;
    const item = element("section", { class: isMoving ? "seat moving" : "seat" });
    const head = element("h3", {}, name);
    if (mark) head.append(" ", element("span", { class: "dealer-mark" }, mark));
    head.append(" ", element("b", {}, total));
    const held = element("div", { class: "row", role: "group", "aria-label": words.hand.replace("%(name)s", name) });
    held.append(...hand.map((one) => this.inHand(one)));
    const taken = element("div", { class: "row taken", role: "group", "aria-label": words.captured.replace("%(name)s", name) });
    taken.append(...[...captured].map((letter) => this.card(letter)));
    item.append(head, element("small", {}, made), held, taken);
    return item;
  }

  get rules() {
    return this.data.rulesets.find(({ id }) => id === this.answer.ruleset);
  }

  /** The sums of the players so far; at the end of the game its result. */
  totals() {
    const { table, final } = this.answer;
    if (table.phase === "over" && final) return finalSums(final, this.rules);
    return table.totals.map((points) => sum(points, this.rules.units));
  }

  inHand({ letter, isKey, isPressed }) {
    return isKey ? this.key(letter, () => this.choose(letter), isPressed) : this.card(letter);
  }

  /** The move that captures a card of the field, while a capture is chosen; null for none. */
  taking(letter) {
    const takes = this.card1 ? this.byCard.get(this.card1) : [];
    const fits = takes.filter(({ take }) => take.includes(letter));
    return fits.length === 1 ? fits[0] : null;
  }

  /** Cards that lie in nobody's open hand: what is turned, or played from an unknown hand. */
  picked(placed) {
    const { table } = this.answer;
    const hand = table.hands[table.seat - 1] ?? "";
    const hidden = placed.filter(({ kind, card }) => kind === "stock" || !hand.includes(card));
    return [...new Set(hidden.map(({ card }) => card))];
  }

  key(letter, tap, pressed) {
    const button = element("button", { type: "button", class: "key", "data-key": letter, "aria-pressed": String(pressed) });
    button.append(this.card(letter));
    button.addEventListener("click", () => this.inTurn(tap));
    return button;
  }

  /** A card is tapped; where several captures are possible one is asked for. */
  choose(letter) {
    const moves = this.byCard.get(letter);
    if (!moves) return undefined; // it was tapped twice
    if (moves.length === 1) return this.act(moves[0]);
    this.card1 = this.card1 === letter ? "" : letter;
    this.draw();
    /** @type {HTMLElement} */ (this.field.querySelector("button"))?.focus();
    return undefined;
  }

  /** A card of the keyboard, by its letter. */
  press(letter) {
    const move = this.taking(letter);
    return move ? this.act(move) : this.choose(letter);
  }
}

function groups(moves) {
  const found = new Map();
  for (const move of moves) found.set(move.card, [...(found.get(move.card) ?? []), move]);
  return found;
}
