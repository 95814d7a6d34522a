// @ts-check
/**
 * The table of the editor: hands, field and captured cards. Playable and capturable cards are buttons;
 * decisions, declarations and bids are buttons below the table.
 */

import { element } from "../replay/elements.js";
import { formatSum } from "../replay/sums.js";
import { updateChildren } from "./children.js";
import { describeResult, formatFinalSums } from "./result.js";

const UNKNOWN = "?";

/** The table of a position with its legal moves. */
export class EditTable {
  /** `act(move)` performs a legal move; `enqueue(task)` runs a task after all running tasks. */
  constructor(root, data, card, { act, enqueue }) {
    this.root = root;
    this.data = data;
    this.card = card;
    this.act = act;
    this.enqueue = enqueue;
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.prompt = find("asks");
    this.seats = find("seats");
    this.field = find("field");
    this.pick = find("pick");
    this.moves = find("moves");
  }

  /** Shows the position of a response. `worths` are the values of some of its moves, as texts. */
  show(response, worths = new Map()) {
    this.response = response;
    this.worths = worths;
    this.chosenCard = "";
    this.draw();
  }

  /** Shows values of moves of the position, which were computed meanwhile. */
  showWorths(worths) {
    this.worths = worths;
    this.draw();
  }

  draw() {
    const hadFocus = this.root.contains(document.activeElement);
    this.drawParts();
    if (hadFocus && !this.root.contains(document.activeElement)) this.focusMove();
  }

  /** Moves the focus, whose card has left the table, to the first card or button that can be played. */
  focusMove() {
    const button = this.root.querySelector("button");
    button?.focus({ preventScroll: true });
    if (button?.matches(":focus-visible")) button.scrollIntoView({ block: "nearest" });
  }

  drawParts() {
    const { response } = this;
    const { table, legal } = response;
    const placed = legal.filter(({ kind }) => kind === "hand" || kind === "stock");
    const declarations = legal.filter(({ kind }) => kind !== "hand" && kind !== "stock");
    this.movesByCard = groupByCard(placed);
    this.prompt.textContent = this.createPrompt();
    const seats = response.players.map((name, i) => this.describeSeat(name, i));
    updateChildren(this.seats, seats, (seat) => this.createSeatSection(seat));
    const field = [...table.field].map((letter) => {
      const move = this.findCapture(letter);
      return { letter, move, worth: this.worths.get(move?.do) };
    });
    updateChildren(this.field, field, ({ letter, move, worth }) =>
      move ? this.createCardButton({ letter, worth }, () => this.act(move)) : this.card(letter),
    );
    const picks = this.createHiddenCards(placed).map((letter) => this.describeCard(letter));
    updateChildren(this.pick, picks, (card) => this.createCardButton(card, () => this.choose(card.letter)));
    this.moves.replaceChildren(
      ...declarations.map((move) => {
        const button = element("button", { type: "button", "data-do": move.do }, move.words);
        if (this.worths.has(move.do)) button.append(" ", element("small", {}, this.worths.get(move.do)));
        button.addEventListener("click", () => this.enqueue(() => this.act(move)));
        return button;
      }),
    );
  }

  createPrompt() {
    const { table, due, players } = this.response;
    const { words, monthNames } = this.data;
    const name = players[table.seat - 1] ?? "";
    if (this.chosenCard) return words.takes;
    if (due) return words.deal.replace("%(month)s", monthNames[(due.month - 1) % 12]);
    if (table.phase === "over") return describeResult(this.response, this.rules, words);
    const prompts = { hand: words.turn, show: words.turn, stock: words.drawn, decide: words.decide, bid: words.bid };
    return (prompts[table.phase] ?? words.monthOver).replace("%(name)s", name);
  }

  /** Returns the displayed values of seat `i` (from 0). */
  describeSeat(name, i) {
    const { table } = this.response;
    const isMoving = table.seat === i + 1;
    const isPlayable = (letter) =>
      isMoving && table.phase !== "stock" && letter !== UNKNOWN && this.movesByCard.has(letter);
    return {
      name,
      isMoving,
      mark: table.dealer === i + 1 ? this.rules.dealer : "",
      total: this.computeTotals()[i],
      made: (table.yaku[i] ?? []).map((yaku) => `${yaku.name} ${yaku.value}`).join(" · "),
      hand: [...(table.hands[i] ?? "")].map((letter) => (isPlayable(letter) ? this.describeCard(letter) : { letter })),
      captured: table.captured[i] ?? "",
    };
  }

  /**
   * Returns the displayed values of a playable card, with the value of its moves, if it is known; of
   * several captures the first.
   */
  describeCard(letter) {
    const worth = (this.movesByCard.get(letter) ?? []).map((move) => this.worths.get(move.do)).find(Boolean);
    return { letter, worth, isPlayable: true, isPressed: this.chosenCard === letter };
  }

  createSeatSection({ name, isMoving, mark, total, made, hand, captured }) {
    const { words } = this.data;
    const item = element("section", { class: isMoving ? "seat moving" : "seat" });
    const head = element("h3", {}, name);
    if (mark) head.append(" ", element("span", { class: "dealer-mark" }, mark));
    head.append(" ", element("b", {}, total));
    const held = element("div", { class: "row", role: "group", "aria-label": words.hand.replace("%(name)s", name) });
    held.append(...hand.map((card) => this.createHandCard(card)));
    const pile = element("div", { class: "row taken", role: "group", "aria-label": words.captured.replace("%(name)s", name) });
    pile.append(...[...captured].map((letter) => this.card(letter)));
    item.append(head, element("small", {}, made), held, pile);
    return item;
  }

  get rules() {
    return this.data.rulesets.find(({ id }) => id === this.response.ruleset);
  }

  /** Returns the sums of the players so far; after the game, the final result. */
  computeTotals() {
    const { table, final } = this.response;
    if (table.phase === "over" && final) return formatFinalSums(final, this.rules);
    return table.totals.map((points) => formatSum(points, this.rules.units));
  }

  createHandCard(card) {
    return card.isPlayable ? this.createCardButton(card, () => this.choose(card.letter)) : this.card(card.letter);
  }

  /** Returns the move of the chosen card that captures a card of the field; null without one. */
  findCapture(letter) {
    const moves = this.chosenCard ? this.movesByCard.get(this.chosenCard) : [];
    const captures = moves.filter(({ take }) => take.includes(letter));
    return captures.length === 1 ? captures[0] : null;
  }

  /** Returns the playable cards outside open hands: cards of the draw pile or of an unknown hand. */
  createHiddenCards(placed) {
    const { table } = this.response;
    const hand = table.hands[table.seat - 1] ?? "";
    const hidden = placed.filter(({ kind, card }) => kind === "stock" || !hand.includes(card));
    return [...new Set(hidden.map(({ card }) => card))];
  }

  createCardButton({ letter, worth, isPressed = false }, onTap) {
    const button = element("button", { type: "button", class: "key", "data-key": letter, "aria-pressed": String(isPressed) });
    button.append(this.card(letter));
    if (worth) button.append(element("small", { class: "worth" }, worth));
    button.addEventListener("click", () => this.enqueue(onTap));
    return button;
  }

  /** Plays a card. If several captures are possible, asks for the card to capture. */
  choose(letter) {
    const moves = this.movesByCard.get(letter);
    if (!moves) return undefined; // a second tap on one card
    if (moves.length === 1) return this.act(moves[0]);
    this.chosenCard = this.chosenCard === letter ? "" : letter;
    this.draw();
    /** @type {HTMLElement} */ (this.field.querySelector("button"))?.focus();
    return undefined;
  }

  /** Plays or captures a card by its letter on the keyboard. */
  press(letter) {
    const move = this.findCapture(letter);
    return move ? this.act(move) : this.choose(letter);
  }
}

function groupByCard(moves) {
  const groups = new Map();
  for (const move of moves) groups.set(move.card, [...(groups.get(move.card) ?? []), move]);
  return groups;
}
