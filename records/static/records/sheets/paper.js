// @ts-check
/**
 * The sheet in the form of a paper sheet: a row per month, a column per player, the sums at the foot.
 * The cells of a `short` month, of which users enter only the sums, are fields; the cells of a month
 * with yaku are computed. A fault with `doubt` is a warning. With `stones`, the mark next to the
 * amounts, the stone of paper sheets, chooses the next dealer.
 */

import { element } from "../replay/elements.js";
import { addUnits, createAmountFields, isCarried, isFilled, nextSign } from "./amount.js";
import { isBlank } from "./entered.js";

/**
 * Returns the months of the paper: the entered months, and an empty one until the game is over.
 * @param {any[]} months
 * @param {{ over: boolean }} response
 * @param {(last: any) => any} createNext creates an empty month like the last month
 * @returns {any[]}
 */
export function listRows(months, response, createNext) {
  const last = months.at(-1);
  return response.over || isBlank(last) ? months : [...months, createNext(last)];
}

/**
 * Returns the number of the month that follows the last month of a response: the archive's number once
 * the last month is complete.
 * @param {any} response
 * @returns {number}
 */
export function nextMonthNumber(response) {
  const last = response.months.at(-1);
  return last.done ? response.next_month : last.month + 1;
}

/**
 * Returns the first seat without an amount in a `short` month; 0 if complete. The amount of one seat in
 * play may be missing, because the archive computes it.
 * @param {any} month
 * @param {number[]} order the seats in play
 * @returns {number}
 */
export function findLackingSeat({ short, sums, lines }, order) {
  const filled = order.filter((seat) => isFilled(sums[seat - 1]));
  if (!short || lines.length || !filled.length) return 0;
  const open = order.filter((seat) => !filled.includes(seat));
  return open.length > 1 ? open[0] : 0;
}

function findFields(paper, number) {
  return [...paper.querySelectorAll(`input[data-part][data-month="${number}"]`)];
}

/**
 * Returns the first empty field of a month, optionally of one seat; undefined in a month with yaku.
 * @param {HTMLElement} paper
 * @param {number} number
 * @param {number} [seat]
 * @returns {HTMLInputElement | undefined}
 */
export function findFirstField(paper, number, seat = 0) {
  const fields = findFields(paper, number).filter((field) => !seat || Number(field.dataset.seat) === seat);
  return fields.find((field) => !field.value && !field.placeholder) ?? fields[0];
}

/**
 * Returns the next field of a month, skipping the seat whose amount is computed; undefined after the
 * last field.
 * @param {HTMLElement} paper
 * @param {HTMLInputElement} input
 * @param {string[]} sums
 * @param {number[]} order the seats in play
 * @returns {HTMLInputElement | undefined}
 */
export function findNextField(paper, input, sums, order) {
  const fields = findFields(paper, input.dataset.month);
  const open = order.filter((seat) => !isFilled(sums[seat - 1]));
  const isWhole = open.length === 1 && order.length > 1 && isFilled(sums[Number(input.dataset.seat) - 1]);
  const later = fields.slice(fields.indexOf(input) + 1);
  return later.find((field) => !isWhole || Number(field.dataset.seat) !== open[0]);
}

/**
 * Returns the field of the first fault on the page.
 * @param {HTMLElement} root
 * @returns {HTMLElement | null | undefined}
 */
export function findFaultyField(root) {
  const fault = /** @type {HTMLElement | null} */ (root.querySelector("[data-fault]"));
  const isStone = fault?.dataset.fault === "stone";
  return fault?.closest("tbody, fieldset, li")?.querySelector(isStone ? "input[type=radio]" : "input");
}

/** The table of all months. */
export class Paper {
  /**
   * `rows` are the entered months, `response.months` the computed ones, `messages` are messages of the
   * page about months, by the number of the row from 1.
   */
  constructor({ words, units, response, state, rows, stones, messages }) {
    this.words = words;
    this.units = units;
    this.response = response;
    this.state = state;
    this.rows = rows;
    this.stones = stones;
    this.messages = messages;
    this.seats = response.players.map((_, i) => i + 1);
  }

  createTable() {
    const { response, words, rows } = this;
    const head = element("tr", {}, element("th", { scope: "col" }, words.monthHead), ...response.players.map((name) => element("th", { scope: "col" }, name)));
    const totals = response.months.at(-1)?.totals_words ?? [];
    const sums = element("tr", {}, element("th", { scope: "row" }, words.total), ...totals.map((sum, i) => element("td", { class: "figure", "data-name": response.players[i] }, addUnits(sum, this.units))));
    return element(
      "table",
      { class: this.seats.length > 3 ? "paper many" : "paper" },
      ...(this.stones && rows.some(({ short }) => short) ? [element("caption", {}, words.nextHint)] : []),
      element("thead", {}, head),
      ...rows.map((month, i) => this.createMonth(month, i + 1)),
      element("tfoot", {}, sums),
    );
  }

  nameMonth(number) {
    const { response, words } = this;
    return response.months[number - 1]?.name ?? words.monthName.replace("%(number)s", String(nextMonthNumber(response)));
  }

  /** Creates the rows of a month: its cells, and its notes below. */
  createMonth(entered, number) {
    const computed = this.response.months[number - 1];
    const faults = this.findFaults(entered, number);
    const isCurrent = number === this.state.at;
    const button = element(
      "button",
      { type: "button", class: "second", "data-at": String(number), "aria-label": this.nameMonth(number), ...(isCurrent ? { "aria-current": "true" } : {}) },
      this.words.monthCell.replace("%(number)s", String(computed?.month ?? nextMonthNumber(this.response))),
    );
    const isWrong = faults.some(({ doubt }) => !doubt);
    const hasMark = entered.lines.some(({ marks }) => marks);
    const isEmpty = !computed?.lines.length && !computed?.done;
    const cells = this.seats.map((seat) => {
      const sum = isEmpty ? "–" : addUnits(computed.score_words[seat - 1], this.units);
      const attributes = { "data-name": this.response.players[seat - 1], "data-sum": sum };
      if (entered.short && !hasMark) return element("td", attributes, this.createFields(entered, computed, number, seat, isWrong));
      const opener = { type: "button", class: "second", "data-at": String(number), tabindex: "-1" };
      return element("td", { class: "figure", ...attributes }, element("button", opener, sum));
    });
    const notes = this.createNotes(entered, computed, faults);
    const span = { colspan: String(this.seats.length + 1) };
    return element(
      "tbody",
      { "data-key": String(number), class: isWrong ? "wrong" : "" },
      element("tr", {}, element("th", { scope: "row" }, button), ...cells),
      ...(notes.length ? [element("tr", { class: "notes" }, element("td", { ...span, id: `notes-${number}` }, ...notes))] : []),
    );
  }

  /**
   * Creates the fields of a seat. An empty field shows the amount that the archive computed, or
   * 0 in a month without payments (`nothing`).
   */
  createFields(entered, computed, number, seat, isWrong) {
    const { words, units, response, seats } = this;
    const word = entered.sums[seat - 1] ?? "";
    const sum = computed?.lines.find(({ label }) => label === "month");
    const known = sum ? sum.amounts[seat - 1] : entered.nothing ? 0 : null;
    const who = `${this.nameMonth(number)} ${response.players[seat - 1]}`;
    const at = { "data-month": String(number), "data-seat": String(seat) };
    return createAmountFields(words, units, {
      id: `sums-${number}-${seat}`,
      name: "sums",
      at,
      who,
      word,
      known,
      sign: seats.length > 2,
      auto: nextSign(entered.sums),
      wrong: isWrong ? { "aria-describedby": `notes-${number}` } : {},
      after: this.stones ? [this.createDealerMark(entered, computed, number, seat, who)] : [],
    });
  }

  /** Creates the mark that chooses a seat as the next dealer. */
  createDealerMark(entered, computed, number, seat, who) {
    const isChecked = (entered.stone || computed?.stone) === seat;
    const at = { "data-month": String(number), "data-key": "stone" };
    const name = `stone-${number}`;
    const radio = element("input", { type: "radio", name, value: String(seat), "aria-label": `${this.words.next}: ${who}`, ...at, ...(isChecked ? { checked: "" } : {}) });
    return element("label", { class: "stone" }, radio, element("span", { "aria-hidden": "true" }, this.words.nextMark));
  }

  /** Returns the faults of a month, unless the form of the month shows them. */
  findFaults(entered, number) {
    const isOpen = number === this.state.at && !entered.short;
    const faults = isOpen ? [] : this.response.faults.filter(({ month }) => month === number);
    const message = this.messages[number];
    const pageFaults = message ? [{ field: "sums", message, doubt: false }] : [];
    const texts = new Set();
    return [...pageFaults, ...faults].filter(({ message: text }) => !texts.has(text) && texts.add(text));
  }

  /** Creates the notes below a month: yaku, amounts of twelve or more in kan, and faults. */
  createNotes(entered, computed, faults) {
    const lines = computed?.lines ?? [];
    const yaku = lines.filter(({ label }) => label !== "month").map((line) => (line.void ? element("s", {}, line.name) : line.name));
    const sum = lines.find(({ label }) => label === "month");
    const carried = sum && this.units.kan ? this.seats.filter((seat) => isCarried(entered.sums[seat - 1])) : [];
    const normalForms = carried.map((seat) => `${this.response.players[seat - 1]} = ${addUnits(sum.amounts_words[seat - 1], this.units)}`);
    return [
      ...(yaku.length ? [element("p", { class: "remark" }, ...yaku.flatMap((name, i) => (i ? ["・", name] : [name])))] : []),
      ...(normalForms.length ? [element("p", { class: "remark" }, normalForms.join("、"))] : []),
      ...faults.map(({ doubt, field, message }) => element("p", { class: doubt ? "doubt" : "error", "data-fault": field }, message)),
    ];
  }
}
