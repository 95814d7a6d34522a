/**
 * The table of one step: hands, field, stock, captured cards by kind, yaku, points, score so far.
 *
 * It fills the places that the server drew (`data-hand`, `data-field` …), so that page and script
 * agree on one layout. A card is one element that moves from place to place, and only places that
 * changed are touched: a step costs a few milliseconds.
 */
import { slotsOf } from "./field.js";
import { DOWN, handsSeen } from "./knowledge.js";
import { brief, near, setsOf } from "./progress.js";
import { cardPoints, sum, sumsAt, worth } from "./sums.js";

const gap = () => {
  const place = document.createElement("span");
  place.className = "gap";
  return place;
};

const isOf = (element, letter) => element && (element.dataset.card ?? "") === letter;

/** The table within `root`, for the replay JSON `data`; `card` makes elements, `words` says things. */
export class Table {
  constructor(root, data, card, words) {
    this.data = data;
    this.card = card;
    this.words = words;
    this.marked = [];
    this.lifted = [];
    this.first = 1;
    this.laid = new Map();
    this.cards = new Map();
    this.slots = new Map();
    const find = (name) => root.querySelector(`[data-${name}]`);
    this.field = find("field");
    this.stock = find("stock");
    this.left = find("left");
    this.others = find("others");
    this.outs = find("outs");
    this.bottom = find("bottom");
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
        told: null,
      }))
      .sort((a, b) => a.number - b.number);
    this.around = this.seating().key;
    for (const there of root.querySelectorAll("[data-felt] [data-card]")) {
      if (there.dataset.card in data.kinds) this.cards.set(there.dataset.card, there);
    }
    const hands = data.deals.flatMap(({ steps }) => steps[0].hands.map((hand) => hand.length));
    const most = Math.max(2, ...hands);
    for (const { element } of this.seats) element.style.setProperty("--hand", most);
  }

  /** Draws step `number` of a deal as seat `view` sees it (0: all open). */
  draw(deal, number, view) {
    const step = deal.steps[number];
    const totals = sumsAt(this.data, deal, step);
    const hands = handsSeen(step, view);
    for (const seat of this.seats) {
      const i = seat.number - 1;
      const { classList } = seat.element;
      classList.toggle("dealer", seat.number === deal.dealer);
      classList.toggle("moving", seat.number === step.seat);
      classList.toggle("out", outOf(deal, step, i));
      this.lay(seat.hand, [...hands[i]]);
      this.capture(seat, step.captured[i]);
      this.tell(seat, step, deal);
      const score = sum(totals[i], this.data.units);
      if (seat.score.textContent !== score) seat.score.textContent = score;
    }
    this.lay(this.field, this.slotsAt(deal, number));
    this.mark(step);
    this.stock.classList.toggle("empty", step.stock === 0);
    this.left.textContent = step.stock;
    this.settle();
  }

  slotsAt(deal, number) {
    if (!this.slots.has(deal)) this.slots.set(deal, slotsOf(deal.steps.map((step) => step.field)));
    return this.slots.get(deal)[number];
  }

  /** The element of a card, if it has one yet. */
  find(letter) {
    return this.cards.get(letter) ?? null;
  }

  /** Lays cards ("" is a gap) into a place, if it has others. Cards that stay are not touched:
   *  a browser draws a card that is put anew from its shapes. */
  lay(place, letters) {
    const row = letters.join(",");
    if (this.laid.get(place) === row) return;
    this.laid.set(place, row);
    const kept = new Set(letters.map((letter) => this.cards.get(letter)));
    for (const child of Array.from(place.children)) {
      if (child.dataset.card in this.data.kinds && !kept.has(child)) child.remove();
    }
    letters.forEach((letter, i) => {
      const there = place.children[i];
      if (isOf(there, letter)) return;
      const next = this.element(letter);
      // What is nobody's card in particular gives way; a card moves along.
      if (there && !kept.has(there)) there.replaceWith(next);
      else place.insertBefore(next, there ?? null);
    });
    while (place.childElementCount > letters.length) place.lastElementChild.remove();
  }

  element(letter) {
    if (letter === "") return gap();
    if (letter === "?" || letter === DOWN) return this.card(letter);
    if (!this.cards.has(letter)) this.cards.set(letter, this.card(letter));
    return this.cards.get(letter);
  }

  capture(seat, captured) {
    let [groups, plain] = [0, 0];
    for (const group of seat.groups) {
      const kind = (letter) => this.data.kinds[letter] ?? "plain";
      const own = [...captured].filter((letter) => kind(letter) === group.dataset.kind);
      if (own.length > 0) groups += 1;
      if (group.dataset.kind === "plain") plain = group.dataset.count = own.length;
      this.lay(group, own);
    }
    // The style sheet lets cards overlap as far as so many need.
    seat.captured.style.setProperty("--taken-cards", captured.length - plain);
    seat.captured.style.setProperty("--taken-plain", plain);
    seat.captured.style.setProperty("--taken-groups", groups);
  }

  /** Yaku made, those that are near, and what the captured cards count. */
  tell(seat, step, deal) {
    const i = seat.number - 1;
    const others = step.captured.filter((_, other) => other !== i).join("");
    const made = step.yaku[i];
    const told = `${deal.month}|${step.captured[i]}|${others}|${made.map(({ id, value }) => id + value)}`;
    if (seat.told === told) return;
    seat.told = told;
    const { units, yaku, points } = this.data;
    const sets = setsOf(this.data, deal);
    seat.yaku.replaceChildren(
      ...made.map(({ id, value }) => chip(id, yaku[id] ?? id, worth(value, units), "made")),
      ...near(sets, made.map(({ id }) => id), step.captured[i], others).map(({ goal, have, need }) =>
        chip(goal.id, goal.name, `${have}/${need}`, "near"),
      ),
    );
    const count = cardPoints(step.captured[i], points);
    const none = count === null || !step.captured[i];
    seat.points.textContent = none ? "" : this.words.points.replace("#", count);
  }

  mark(step) {
    for (const card of this.marked) card.classList.remove("played", "taken");
    const played = this.find(step.card);
    const taken = [...step.take].map((letter) => this.find(letter)).filter(Boolean);
    played?.classList.add("played");
    for (const card of taken) card.classList.add("taken");
    this.marked = played ? [played, ...taken] : taken;
  }

  /** Lifts these cards, and none else. */
  lift(letters) {
    for (const card of this.lifted) card.classList.remove("lifted");
    this.lifted = [...letters].flatMap((letter) => this.find(letter) ?? []);
    for (const card of this.lifted) card.classList.add("lifted");
  }

  /** Whether seat `number` sits at the bottom. */
  atBottom(number) {
    return number === this.seating().seats[0].number;
  }

  /** Lets seat `number` sit at the bottom, or who plays next after it if it sits out, the others as
   *  they sit around the table; without a number, the next one in play. */
  turn(number = this.next()) {
    this.first = number;
    this.settle();
  }

  next() {
    const [bottom, ...rest] = this.seating().seats;
    return (rest.find(({ element }) => !isOut(element)) ?? bottom).number;
  }

  /** Puts the seats in their places, if they have others; who sits out makes room for the rest. */
  settle() {
    const { key, seats } = this.seating();
    if (this.around === key) return;
    this.around = key;
    const [bottom, ...rest] = seats.map(({ element }) => element);
    rest.reverse();
    this.bottom.replaceChildren(bottom);
    this.others.replaceChildren(...rest.filter((element) => !isOut(element)));
    this.outs.replaceChildren(...rest.filter(isOut));
  }

  /** The seats from the bottom on, as they sit around the table. */
  seating() {
    const from = (first) => [...this.seats.slice(first), ...this.seats.slice(0, first)];
    const wanted = from(this.first - 1);
    const playing = wanted.find(({ element }) => !isOut(element)) ?? wanted[0];
    const seats = from(playing.number - 1);
    return { key: seats.map(({ number, element }) => `${number}${isOut(element)}`).join(), seats };
  }

  /** Where a card comes from that was not to be seen: the stock, or the hand of who plays it. */
  origin(step) {
    if (step.kind === "stock" || step.kind === "deal") return this.stock;
    const hand = this.seats[step.seat - 1]?.hand;
    return hand?.lastElementChild ?? hand;
  }
}

const isOut = (element) => element.classList.contains("out");

/** Whether seat `i` (from 0) sits out: it holds no card at `step` and never plays one in the deal. */
function outOf({ steps }, step, i) {
  return !step.hands[i] && !steps.some(({ kind, hands }) => kind === "hand" && hands[i]);
}

function chip(id, name, value, state) {
  const item = document.createElement("li");
  item.dataset.id = id;
  item.className = state;
  item.title = name;
  const points = document.createElement("b");
  points.textContent = value;
  item.append(`${brief(name)} `, points);
  return item;
}
