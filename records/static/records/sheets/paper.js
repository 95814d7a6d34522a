/**
 * The sheet as on paper: months down, players across, sums below. A month by its sums is written in
 * its cells; that of a month by its yaku are computed.
 */

import { element } from "../replay/elements.js";
import { amountFields, dueSign, inUnits, isCarried, isWritten } from "./amount.js";
import { isBlank } from "./entered.js";

/** The months of the paper: those that are entered, and one more that waits to be filled in. */
export function rowsOf(months, answer, next) {
  const last = months.at(-1);
  return answer.over || isBlank(last) ? months : [...months, next(last)];
}

/** The number of the month after those of an answer. */
export function followingMonth(answer) {
  const last = answer.months.at(-1);
  return last.done ? answer.next_month : last.month + 1;
}

/**
 * The first seat whose amount a month by its sums lacks, 0 for none: of those who play only one may
 * be left open.
 */
export function lackingSeat({ short, sums, lines }, order) {
  const written = order.filter((seat) => isWritten(sums[seat - 1]));
  if (!short || lines.length || !written.length) return 0;
  const open = order.filter((seat) => !written.includes(seat));
  return open.length > 1 ? open[0] : 0;
}

/** The fields of a month on the paper. */
function fieldsOf(paper, number) {
  return [...paper.querySelectorAll(`input[data-part][data-month="${number}"]`)];
}

/** The first field of a month that is open, of one seat or of all; undefined where it has none. */
export function firstField(paper, number, seat = 0) {
  const fields = fieldsOf(paper, number).filter((field) => !seat || Number(field.dataset.seat) === seat);
  return fields.find((field) => !field.value && !field.placeholder) ?? fields[0];
}

/** The field after one, but for those of the seat whose amount follows; undefined after the last one. */
export function nextField(paper, input, sums, order) {
  const fields = fieldsOf(paper, input.dataset.month);
  const open = order.filter((seat) => !isWritten(sums[seat - 1]));
  const isWhole = open.length === 1 && order.length > 1 && isWritten(sums[Number(input.dataset.seat) - 1]);
  const later = fields.slice(fields.indexOf(input) + 1);
  return later.find((field) => !isWhole || Number(field.dataset.seat) !== open[0]);
}

/** The field to change for the first fault of a page. */
export function faultyField(root) {
  const fault = root.querySelector("[data-fault]");
  const isStone = fault?.dataset.fault === "stone";
  return fault?.closest("tbody, fieldset, li")?.querySelector(isStone ? "input[type=radio]" : "input");
}

export class Paper {
  /** `told` are sentences about a month that the page itself has, by its number from 1. */
  constructor({ words, units, answer, state, rows, stones, told }) {
    this.words = words;
    this.units = units;
    this.answer = answer;
    this.state = state;
    this.rows = rows;
    this.stones = stones;
    this.told = told;
    this.seats = answer.players.map((_, i) => i + 1);
  }

  table() {
    const { answer, words, rows } = this;
    const head = element("tr", {}, element("th", { scope: "col" }, words.monthHead), ...answer.players.map((name) => element("th", { scope: "col" }, name)));
    const totals = answer.months.at(-1)?.totals_words ?? [];
    const sums = element("tr", {}, element("th", { scope: "row" }, words.total), ...totals.map((sum, i) => element("td", { class: "figure", "data-name": answer.players[i] }, inUnits(sum, this.units))));
    return element(
      "table",
      { class: this.seats.length > 3 ? "paper many" : "paper" },
      ...(this.stones && rows.some(({ short }) => short) ? [element("caption", {}, words.nextHint)] : []),
      element("thead", {}, head),
      ...rows.map((month, i) => this.month(month, i + 1)),
      element("tfoot", {}, sums),
    );
  }

  name(number) {
    const { answer, words } = this;
    return answer.months[number - 1]?.name ?? words.monthName.replace("%(number)s", followingMonth(answer));
  }

  month(entered, number) {
    const written = this.answer.months[number - 1];
    const faults = this.faults(entered, number);
    const isCurrent = number === this.state.at;
    const button = element(
      "button",
      { type: "button", class: "second", "data-at": String(number), "aria-label": this.name(number), ...(isCurrent ? { "aria-current": "true" } : {}) },
      this.words.monthCell.replace("%(number)s", written?.month ?? followingMonth(this.answer)),
    );
    const isWrong = faults.some(({ doubt }) => !doubt);
    const byMark = entered.lines.some(({ marks }) => marks);
    const isEmpty = !written?.lines.length && !written?.done;
    const cells = this.seats.map((seat) => {
      const sum = isEmpty ? "–" : inUnits(written.score_words[seat - 1], this.units);
      const of = { "data-name": this.answer.players[seat - 1], "data-sum": sum };
      if (entered.short && !byMark) return element("td", of, this.fields(entered, written, number, seat, isWrong));
      const opener = { type: "button", class: "second", "data-at": String(number), tabindex: "-1" };
      return element("td", { class: "figure", ...of }, element("button", opener, sum));
    });
    const notes = this.notes(entered, written, faults);
    const span = { colspan: String(this.seats.length + 1) };
    return element(
      "tbody",
      { "data-key": String(number), class: isWrong ? "wrong" : "" },
      element("tr", {}, element("th", { scope: "row" }, button), ...cells),
      ...(notes.length ? [element("tr", { class: "notes" }, element("td", { ...span, id: `notes-${number}` }, ...notes))] : []),
    );
  }

  fields(entered, written, number, seat, isWrong) {
    const { words, units, answer, seats } = this;
    const word = entered.sums[seat - 1] ?? "";
    const sum = written?.lines.find(({ label }) => label === "month");
    const known = sum ? sum.amounts[seat - 1] : entered.nothing ? 0 : null;
    const who = `${this.name(number)} ${answer.players[seat - 1]}`;
    const at = { "data-month": String(number), "data-seat": String(seat) };
    return amountFields(words, units, {
      id: `sums-${number}-${seat}`,
      name: "sums",
      at,
      who,
      word,
      known,
      sign: seats.length > 2,
      auto: dueSign(entered.sums),
      wrong: isWrong ? { "aria-describedby": `notes-${number}` } : {},
      after: this.stones ? [this.stone(entered, written, number, seat, who)] : [],
    });
  }

  stone(entered, written, number, seat, who) {
    const chosen = (entered.stone || written?.stone) === seat;
    const at = { "data-month": String(number), "data-key": "stone" };
    const name = `stone-${number}`;
    const radio = element("input", { type: "radio", name, value: String(seat), "aria-label": `${this.words.next}: ${who}`, ...at, ...(chosen ? { checked: "" } : {}) });
    return element("label", { class: "stone" }, radio, element("span", { "aria-hidden": "true" }, this.words.nextMark));
  }

  /** What is wrong with a month, unless its own form says so. */
  faults(entered, number) {
    const isOpen = number === this.state.at && !entered.short;
    const found = isOpen ? [] : this.answer.faults.filter(({ month }) => month === number);
    const own = this.told[number] ? [{ field: "sums", message: this.told[number], doubt: false }] : [];
    const texts = new Set();
    return [...own, ...found].filter(({ message }) => !texts.has(message) && texts.add(message));
  }

  /** Below a month: amounts that read otherwise than they were written, yaku, and what is wrong. */
  notes(entered, written, faults) {
    const lines = written?.lines ?? [];
    const yaku = lines.filter(({ label }) => label !== "month").map((line) => (line.void ? element("s", {}, line.name) : line.name));
    const sum = lines.find(({ label }) => label === "month");
    const carried = sum && this.units.kan ? this.seats.filter((seat) => isCarried(entered.sums[seat - 1])) : [];
    const read = carried.map((seat) => `${this.answer.players[seat - 1]} = ${inUnits(sum.amounts_words[seat - 1], this.units)}`);
    return [
      ...(yaku.length ? [element("p", { class: "remark" }, ...yaku.flatMap((name, i) => (i ? ["・", name] : [name])))] : []),
      ...(read.length ? [element("p", { class: "remark" }, read.join("、"))] : []),
      ...faults.map(({ doubt, field, message }) => element("p", { class: doubt ? "doubt" : "error", "data-fault": field }, message)),
    ];
  }
}
