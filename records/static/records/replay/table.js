// @ts-check
/**
 * The table at one step: hands, field, draw pile, captured cards by kind, yaku, points and scores.
 *
 * The table fills the elements of the server's page (`data-hand`, `data-field` …). Each card has one
 * element that moves from place to place, and only changed places are updated: a step takes a few
 * milliseconds.
 */
import { computeSlots } from "./field.js";
import { DOWN, visibleHands } from "./knowledge.js";
import { findNearYaku, setsOf, shortenName } from "./progress.js";
import { countCardPoints, formatSum, formatWorth, sumsAt } from "./sums.js";

const createGap = () => {
  const gap = document.createElement("span");
  gap.className = "gap";
  return gap;
};

const hasLetter = (element, letter) => element && (element.dataset.card ?? "") === letter;

/** The table within `root` for the replay JSON `data`; `createCard(letter)` creates a card. */
export class Table {
  constructor(root, data, createCard, words) {
    this.data = data;
    this.createCard = createCard;
    this.words = words;
    this.marked = [];
    this.lifted = [];
    this.bottomSeat = 1;
    this.rowByPlace = new Map();
    this.cards = new Map();
    this.slotsByDeal = new Map();
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.field = find("field");
    this.stock = find("stock");
    this.stockCount = find("left");
    this.bottom = find("bottom");
    this.opponents = find("others");
    this.sittingOut = find("outs"); // opponents who sit out
    this.seats = [...root.querySelectorAll("[data-seat]")]
      .map((element) => ({
        number: Number(element.dataset.seat),
        element,
        hand: element.querySelector("[data-hand]"),
        captured: element.querySelector("[data-captured]"),
        groups: [...element.querySelectorAll("[data-kind].group")],
        yaku: element.querySelector("[data-yaku]"),
        points: element.querySelector("[data-points]"),
        score: element.querySelector("[data-score]"),
        yakuKey: "", // identifies the displayed yaku
      }))
      .sort((a, b) => a.number - b.number);
    this.seatingKey = this.computeSeating().key;
    for (const card of root.querySelectorAll("[data-felt] [data-card]")) {
      if (card.dataset.card in data.kinds) this.cards.set(card.dataset.card, card);
    }
    const hands = data.deals.flatMap(({ steps }) => steps[0].hands.map((hand) => hand.length));
    const most = Math.max(2, ...hands);
    for (const { element } of this.seats) element.style.setProperty("--hand", most);
  }

  /** Draws step `number` of a deal as seen from seat `view` (0: all hands open). */
  draw(deal, number, view) {
    const step = deal.steps[number];
    const totals = sumsAt(this.data, deal, step);
    const hands = visibleHands(step, view);
    for (const seat of this.seats) {
      const i = seat.number - 1;
      const { classList } = seat.element;
      classList.toggle("dealer", seat.number === deal.dealer);
      classList.toggle("moving", seat.number === step.seat);
      classList.toggle("out", sitsOut(deal, step, i));
      this.layCards(seat.hand, [...hands[i]]);
      this.layCaptures(seat, step.captured[i]);
      this.showYaku(seat, step, deal);
      const score = formatSum(totals[i], this.data.units);
      if (seat.score.textContent !== score) seat.score.textContent = score;
    }
    this.layCards(this.field, this.getSlots(deal, number));
    this.markCards(step);
    this.stock.classList.toggle("empty", step.stock === 0);
    this.stockCount.textContent = step.stock;
    this.placeSeats();
  }

  /** Returns the field at a step, with a gap where a card was captured. Computes a deal once. */
  getSlots(deal, number) {
    if (!this.slotsByDeal.has(deal)) this.slotsByDeal.set(deal, computeSlots(deal.steps.map((step) => step.field)));
    return this.slotsByDeal.get(deal)[number];
  }

  /** Returns the element of a card; null before its first use. */
  findCard(letter) {
    return this.cards.get(letter) ?? null;
  }

  /**
   * Lays cards ("" is a gap) into a place. Cards that already lie there remain in the document, because
   * browsers render a newly inserted card from its shapes.
   */
  layCards(place, letters) {
    const row = letters.join(",");
    if (this.rowByPlace.get(place) === row) return;
    this.rowByPlace.set(place, row);
    const staying = new Set(letters.map((letter) => this.cards.get(letter)));
    for (const child of Array.from(place.children)) {
      if (child.dataset.card in this.data.kinds && !staying.has(child)) child.remove();
    }
    letters.forEach((letter, i) => {
      const current = place.children[i];
      if (hasLetter(current, letter)) return;
      const next = this.provideCard(letter);
      // Replace gaps and unknown cards; cards of the place move one position to the right.
      if (current && !staying.has(current)) current.replaceWith(next);
      else place.insertBefore(next, current ?? null);
    });
    while (place.childElementCount > letters.length) place.lastElementChild.remove();
  }

  /** Returns the element of a card, or a new gap or unknown card. */
  provideCard(letter) {
    if (letter === "") return createGap();
    if (letter === "?" || letter === DOWN) return this.createCard(letter);
    if (!this.cards.has(letter)) this.cards.set(letter, this.createCard(letter));
    return this.cards.get(letter);
  }

  /** Lays the captured cards of a seat into a group per kind. */
  layCaptures(seat, captured) {
    let [groups, plain] = [0, 0];
    for (const group of seat.groups) {
      const kindOf = (letter) => this.data.kinds[letter] ?? "plain";
      const cards = [...captured].filter((letter) => kindOf(letter) === group.dataset.kind);
      if (cards.length > 0) groups += 1;
      if (group.dataset.kind === "plain") plain = group.dataset.count = cards.length;
      this.layCards(group, cards);
    }
    // The style sheet computes the overlap of cards from the numbers of cards and of filled groups.
    seat.captured.style.setProperty("--taken-cards", captured.length - plain);
    seat.captured.style.setProperty("--taken-plain", plain);
    seat.captured.style.setProperty("--taken-groups", groups);
  }

  /** Shows the completed and near yaku of a seat, and the points of the captured cards. */
  showYaku(seat, step, deal) {
    const i = seat.number - 1;
    const opponentCards = step.captured.filter((_, other) => other !== i).join("");
    const completed = step.yaku[i];
    const key = `${deal.month}|${step.captured[i]}|${opponentCards}|${completed.map(({ id, value }) => id + value)}`;
    if (seat.yakuKey === key) return;
    seat.yakuKey = key;
    const { units, yaku, points } = this.data;
    const sets = setsOf(this.data, deal);
    seat.yaku.replaceChildren(
      ...completed.map(({ id, value }) => createChip(id, yaku[id] ?? id, formatWorth(value, units), "made")),
      ...findNearYaku(sets, completed.map(({ id }) => id), step.captured[i], opponentCards).map(({ goal, have, need }) =>
        createChip(goal.id, goal.name, `${have}/${need}`, "near"),
      ),
    );
    const count = countCardPoints(step.captured[i], points);
    const isEmpty = count === null || !step.captured[i];
    seat.points.textContent = isEmpty ? "" : this.words.points.replace("#", count);
  }

  /** Highlights the played and the captured cards of a step. */
  markCards(step) {
    for (const card of this.marked) card.classList.remove("played", "taken");
    const played = this.findCard(step.card);
    const taken = [...step.take].map((letter) => this.findCard(letter)).filter(Boolean);
    played?.classList.add("played");
    for (const card of taken) card.classList.add("taken");
    this.marked = played ? [played, ...taken] : taken;
  }

  /** Lifts some cards and lowers all lifted cards. */
  lift(letters) {
    for (const card of this.lifted) card.classList.remove("lifted");
    this.lifted = [...letters].flatMap((letter) => this.findCard(letter) ?? []);
    for (const card of this.lifted) card.classList.add("lifted");
  }

  /** Returns whether seat `number` is at the bottom of the table. */
  isAtBottom(number) {
    return number === this.computeSeating().seats[0].number;
  }

  /** Turns the table: puts a seat at the bottom, by default the next seat in play. */
  turn(number = this.findNextSeat()) {
    this.bottomSeat = number;
    this.placeSeats();
  }

  findNextSeat() {
    const [bottom, ...opponents] = this.computeSeating().seats;
    return (opponents.find(({ element }) => !isOut(element)) ?? bottom).number;
  }

  /** Moves the seats to their places if the seating has changed. */
  placeSeats() {
    const { key, seats } = this.computeSeating();
    if (this.seatingKey === key) return;
    this.seatingKey = key;
    const [bottom, ...opponents] = seats.map(({ element }) => element);
    opponents.reverse();
    this.bottom.replaceChildren(bottom);
    this.opponents.replaceChildren(...opponents.filter((element) => !isOut(element)));
    this.sittingOut.replaceChildren(...opponents.filter(isOut));
  }

  /**
   * Returns the seats in their order around the table, beginning at the bottom, and a key that
   * identifies the order. If the chosen seat sits out, the next seat in play is at the bottom.
   */
  computeSeating() {
    const rotate = (first) => [...this.seats.slice(first), ...this.seats.slice(0, first)];
    const candidates = rotate(this.bottomSeat - 1);
    const bottom = candidates.find(({ element }) => !isOut(element)) ?? candidates[0];
    const seats = rotate(bottom.number - 1);
    return { key: seats.map(({ number, element }) => `${number}${isOut(element)}`).join(), seats };
  }

  /** Returns the origin of a card without an element: the draw pile or the player's hand. */
  findOrigin(step) {
    if (step.kind === "stock" || step.kind === "deal") return this.stock;
    const hand = this.seats[step.seat - 1]?.hand;
    return hand?.lastElementChild ?? hand;
  }
}

const isOut = (element) => element.classList.contains("out");

/** Returns whether seat `i` (from 0) has no cards at `step` and plays no card in the deal. */
function sitsOut({ steps }, step, i) {
  return !step.hands[i] && !steps.some(({ kind, hands }) => kind === "hand" && hands[i]);
}

function createChip(id, name, value, state) {
  const item = document.createElement("li");
  item.dataset.id = id;
  item.className = state;
  item.title = name;
  const points = document.createElement("b");
  points.textContent = value;
  item.append(`${shortenName(name)} `, points);
  return item;
}
