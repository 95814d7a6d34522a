/**
 * The table of one step: hands, field, stock, captured cards by kind, yaku made, score so far.
 *
 * It fills the places that the server drew (`data-hand`, `data-field` …), so that page and script
 * agree on one layout. `names` is the JSON of records/views/names.py.
 */
import { slotsAt } from "./field.js";

/** A sum as the pages write it: in kan of 12 points where there is a unit (`k`), else plain. */
export function sum(points, unit) {
  if (!unit) return String(points).replace("-", "−");
  const size = Math.abs(points);
  const kan = Math.trunc(size / 12);
  const sign = points > 0 ? "+" : points < 0 ? "−" : "";
  return kan ? `${sign}${kan}${unit}${size % 12 || ""}` : `${sign}${size}`;
}

/** A function that draws a step: draw(deal, step number, totals before the deal). */
export function tableDrawer(root, card, names) {
  const find = (name) => root.querySelector(`[data-${name}]`);
  const seats = [...root.querySelectorAll("[data-seat]")].map((element) => ({
    number: Number(element.dataset.seat),
    element,
    hand: element.querySelector("[data-hand]"),
    groups: [...element.querySelectorAll("[data-kind]")],
    yaku: element.querySelector("[data-yaku]"),
    score: element.querySelector("[data-score]"),
  }));
  const field = find("field");
  const stock = find("stock");
  const left = find("left");
  // A card is one element that moves from place to place; drawing it anew each step is slow.
  const known = new Map();
  const laid = new Map();

  function element(letter) {
    if (letter === "?") return card(letter);
    if (!known.has(letter)) known.set(letter, card(letter));
    return known.get(letter);
  }

  function gap() {
    const place = document.createElement("span");
    place.className = "gap";
    return place;
  }

  /** Lays cards ("" is a gap) into a place, if it has others. */
  function lay(place, letters) {
    const row = letters.join(",");
    if (laid.get(place) === row) return;
    laid.set(place, row);
    place.replaceChildren(...letters.map((letter) => (letter === "" ? gap() : element(letter))));
  }

  function mark(step) {
    for (const [letter, one] of known) {
      one.classList.toggle("played", letter === step.card);
      one.classList.toggle("taken", step.take.includes(letter));
    }
  }

  function drawYaku(place, yaku) {
    place.replaceChildren(
      ...yaku.map(({ id, value }) => {
        const item = document.createElement("li");
        item.dataset.id = id;
        const worth = document.createElement("b");
        worth.textContent = `${value}${names.unit}`;
        item.append(`${names.yaku[id] ?? id} `, worth);
        return item;
      }),
    );
  }

  return (deal, number, before) => {
    const step = deal.steps[number];
    const totals = step.kind === "end" ? deal.totals : before;
    for (const seat of seats) {
      const i = seat.number - 1;
      seat.element.classList.toggle("dealer", seat.number === deal.dealer);
      seat.element.classList.toggle("moving", seat.number === step.seat);
      // Who sits out has nothing: his seat takes no more room than his name.
      seat.element.classList.toggle("out", !step.hands[i] && !step.captured[i]);
      lay(seat.hand, [...step.hands[i]]);
      for (const group of seat.groups) {
        const own = [...step.captured[i]];
        lay(group, own.filter((letter) => names.kinds[letter] === group.dataset.kind));
      }
      drawYaku(seat.yaku, step.yaku[i]);
      seat.score.textContent = sum(totals[i], names.unit);
    }
    lay(field, slotsAt(deal.steps.map((one) => one.field), number));
    mark(step);
    stock.classList.toggle("empty", step.stock === 0);
    left.textContent = step.stock;
  };
}
