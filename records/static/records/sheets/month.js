/**
 * The form of one month, made of what was entered and of what the archive answered. It knows no
 * rule: what can be chosen, what it is worth and what is wrong with it stands in the answer. What
 * is done to it is told by `data-act`, or by `name` with `data-seat` or `data-line`.
 */

import { element } from "../replay/elements.js";
import { amountFields, amountOf, dueSign, inUnits } from "./amount.js";

const KINDS = ["dealt", "captured", "special", "other"];

/** Attributes that are there or not. */
function flags(set) {
  return Object.fromEntries(Object.entries(set).flatMap(([name, on]) => (on ? [[name, ""]] : [])));
}

function filled(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}

export class MonthView {
  /** `entered` is the month as the form holds it, `seat` whose yaku are tapped, `units` name amounts. */
  constructor(words, units, answer, entered, seat) {
    this.words = words;
    this.units = units;
    this.players = answer.players;
    this.answer = answer;
    this.form = answer.form;
    this.month = answer.months[this.form.number - 1];
    this.entered = entered;
    this.seat = seat;
  }

  name(seat) {
    return this.players[seat - 1];
  }

  offer(label) {
    return this.form.offers.find((one) => one.label === label);
  }

  /** All parts of the form, in the order in which a table fills them in; sums stand on the paper. */
  parts() {
    const { words, form, entered } = this;
    const all = this.players.map((_, i) => i + 1);
    return [
      this.radios("dealer", words.dealer, all, this.month.dealer, (seat) => this.name(seat)),
      ...(form.grades.length ? [this.grades()] : []),
      ...(all.length > 3 ? [this.playing(all)] : []),
      this.radios("short", words.mode, ["1", ""], entered.short ? "1" : "", (one) => (one ? words.sums : words.yaku)),
      ...(entered.short ? this.marks(all) : this.payments()),
      ...(entered.short ? [] : [this.check("nothing", words.nothing, entered.nothing), ...this.errors("month")]),
      ...(form.stone && !entered.short ? [this.stones(all)] : []),
    ];
  }

  payments() {
    const { words, form } = this;
    const parts = [
      this.radios("whose", words.whose, this.players.map((_, i) => i + 1), this.seat, (seat) => this.name(seat)),
      ...KINDS.map((kind) => this.chips((one) => one.kind === kind, kind)),
      this.lines(),
    ];
    if (form.points) parts.push(...this.points());
    return parts;
  }

  /** Card points, as they are paid or as they were captured; of these, what is paid for them. */
  points() {
    const { words, form, month } = this;
    const counted = Boolean(this.entered.counted);
    const how = this.radios("counted", words.counting, ["", "1"], counted ? "1" : "", (one) =>
      one ? words.capturedPoints : words.paidPoints,
    );
    if (!counted) return [how, this.amounts("points", words.points, month.order, words.last, month.points)];
    const note = filled(words.whole, { whole: form.whole });
    return [how, this.amounts("captured", words.points, month.order, note, month.captured, month.points)];
  }

  /** Who has made that the month gave nothing. */
  marks(all) {
    const marks = this.form.offers.filter((one) => one.marks);
    const maker = (label) => this.entered.lines.find((one) => one.label === label)?.seat ?? 0;
    return marks.map(({ label, name }) =>
      this.radios("mark", name, [0, ...all], maker(label), (seat) => (seat ? this.name(seat) : this.words.nobody), label),
    );
  }

  // Fields -------------------------------------------------------------------------------------

  errors(field) {
    const found = this.answer.faults.filter((one) => one.month === this.form.number && one.field === field);
    return found.map((one) =>
      element("p", { class: one.doubt ? "doubt" : "error", "data-fault": field, id: `fault-${field.replace(".", "-")}` }, one.message),
    );
  }

  described(field) {
    const wrong = this.answer.faults.some((one) => one.month === this.form.number && one.field === field);
    return wrong ? { "aria-invalid": "true", "aria-describedby": `fault-${field.replace(".", "-")}` } : {};
  }

  radios(name, legend, values, chosen, text, label = "") {
    const field = { short: "", whose: "", counted: "", mark: "" }[name] ?? name;
    return element(
      "fieldset",
      { class: "pills", "data-key": name },
      element("legend", {}, legend),
      ...values.map((value) =>
        element(
          "label",
          { "data-key": String(value) },
          element("input", { type: "radio", name, value: String(value), "data-label": label, ...flags({ checked: value === chosen }) }),
          element("span", {}, text(value)),
        ),
      ),
      ...(field ? this.errors(field) : []),
    );
  }

  check(name, text, on, more = {}) {
    return element(
      "label",
      { class: "tick", "data-key": `${name}-${more["data-seat"] ?? more["data-line"] ?? ""}` },
      element("input", { type: "checkbox", name, ...more, ...flags({ checked: on }) }),
      element("span", {}, text),
    );
  }

  grades() {
    const names = Object.fromEntries(this.form.grades.map(({ id, name }) => [id, name]));
    const ids = Object.keys(names);
    const { ba } = this.month;
    if (ba && !names[ba]) ids.push(ba);
    return this.radios("ba", this.words.grade, ids, ba ?? "", (id) => names[id] ?? id);
  }

  playing(all) {
    const ticks = all.map((seat) =>
      this.check("plays", this.name(seat), this.month.order.includes(seat), { "data-seat": String(seat) }),
    );
    return element("fieldset", { class: "pills", "data-key": "plays" }, element("legend", {}, this.words.playing), ...ticks);
  }

  stones(all) {
    const { words, form } = this;
    return this.radios("stone", form.stones ? words.stone : words.next, all, this.month.stone ?? 0, (seat) => this.name(seat));
  }

  /**
   * An amount for each of some seats; what was filled in stands in the empty one. `paid` is what is
   * paid for each.
   */
  amounts(field, legend, seats, note, known, paid = null) {
    const counted = field === "captured";
    const errors = counted ? "points" : field;
    const { rest } = this.units;
    const rows = seats.map((seat) => {
      const fields = amountFields(this.words, counted ? { kan: "", rest } : this.units, {
        id: `${field}-${seat}`,
        name: field,
        at: { "data-seat": String(seat) },
        who: this.name(seat),
        word: this.entered[field]?.[seat - 1] ?? "",
        known: known ? known[seat - 1] : null,
        sign: !counted,
        auto: counted ? "" : dueSign(this.entered[field] ?? []),
        wrong: this.described(errors),
      });
      const label = element("label", { for: `${field}-${seat}` }, this.name(seat));
      const due = counted ? [element("small", {}, paid ? signed(paid[seat - 1]) : "")] : [];
      return element("div", { class: "amount", "data-key": String(seat) }, label, fields, ...due);
    });
    return element(
      "fieldset",
      { class: "amounts", "data-key": field },
      element("legend", {}, legend),
      ...rows,
      element("p", { class: "note" }, note),
      ...this.errors(errors),
    );
  }

  // Yaku ---------------------------------------------------------------------------------------

  /** The payments of a kind that the chosen player can get; what cannot be had says why. */
  chips(wanted, kind = "other") {
    const offers = this.form.offers.filter((one) => wanted(one) && one.seats.includes(this.seat));
    const rows = offers.map((one) => {
      const on = this.entered.lines.some(({ seat, label }) => label === one.label && (seat === this.seat));
      const bar = one.barred.find(({ seat }) => seat === this.seat);
      const value = one.marks ? "" : inUnits(one.gains_words[0], this.units);
      return element(
        "button",
        { type: "button", class: bar && !on ? "chip barred" : "chip", "data-act": "toggle", "data-label": one.label, "data-key": one.label, "aria-pressed": String(on) },
        element("span", {}, one.name),
        element("small", {}, bar && !on ? this.reason(bar, one.label) : value),
      );
    });
    const group = element("div", { role: "group", "aria-label": `${this.words[kind]}: ${this.name(this.seat)}` }, ...rows);
    return element(
      "div",
      { class: "kind", "data-key": `kind-${kind}`, ...flags({ hidden: rows.length === 0 }) },
      element("h3", {}, this.words[kind]),
      group,
    );
  }

  /** Why a player cannot get a payment: another of theirs, or one of another player. */
  reason({ by, label, name }, wanted) {
    const { barred, taken, takenBy } = this.words;
    const text = by === this.seat ? barred : label === wanted ? taken : takenBy;
    return filled(text, { name: this.name(by), yaku: name });
  }

  lines() {
    const items = this.entered.lines.map((line, i) => this.line(line, i));
    return element(
      "div",
      { class: "paid", "data-key": "paid", ...flags({ hidden: items.length === 0 }) },
      element("h3", {}, this.words.paid),
      element("ul", {}, ...items),
    );
  }

  /** A payment: what its player gets, who pays, half, struck out. */
  line(line, i) {
    const { words } = this;
    const at = { "data-line": String(i) };
    const offer = this.offer(line.label);
    const yaku = offer?.name ?? line.label;
    const written = this.month.lines.find(({ of }) => of.includes(i));
    const what = { name: this.name(line.seat), yaku };
    const parts = [];
    if (!offer?.marks) {
      const due = written?.of.length === 1 ? written.amounts[line.seat - 1] : (offer && amountOf(offer.gains[0]));
      const who = filled(words.gets, what);
      parts.push(
        amountFields(words, this.units, {
          id: `gain-${i}`,
          name: "gain",
          at,
          who,
          word: line.gain ?? "",
          known: due,
          sign: (due ?? 0) < 0,
          wrong: this.described(`line.${i}`),
        }),
      );
    }
    if (offer && offer.gains.length > 1) parts.push(this.values(offer, line, at));
    if (offer && offer.payers.length) parts.push(this.payer(offer, line, at, yaku));
    if (offer?.halves) parts.push(this.check("half", words.half, line.half, at));
    if (offer?.struck) parts.push(this.check("void", words.void, line.void ?? written?.void ?? false, at));
    return element(
      "li",
      { "data-key": `${line.seat}-${line.label}-${i}` },
      element("b", {}, `${this.name(line.seat)} · ${yaku}`),
      element("button", { type: "button", class: "second", "data-act": "remove", ...at, "aria-label": filled(words.remove, { yaku }) }, "×"),
      element("div", {}, ...parts),
      ...this.errors(`line.${i}`),
    );
  }

  values(offer, line, at) {
    const options = offer.gains.map((gain, i) =>
      element("option", { value: gain, ...flags({ selected: gain === line.gain }) }, inUnits(offer.gains_words[i], this.units)),
    );
    const first = element("option", { value: "", ...flags({ selected: !line.gain }) }, this.words.values);
    return element("select", { name: "value", ...at, "aria-label": `${this.words.values}: ${offer.name}` }, first, ...options);
  }

  payer(offer, line, at, yaku) {
    const alone = offer.payers.filter((seat) => seat !== line.seat);
    const options = alone.map((seat) =>
      element("option", { value: String(seat), ...flags({ selected: seat === line.payer }) }, filled(this.words.alone, { name: this.name(seat) })),
    );
    const all = element("option", { value: "0", ...flags({ selected: !line.payer }) }, this.words.everybody);
    const shared = alone.some((seat) => this.month.order.includes(seat));
    return element(
      "select",
      { name: "payer", ...at, "aria-label": filled(this.words.payer, { yaku }) },
      ...(shared ? [all] : []),
      ...options,
    );
  }
}

/** An amount with its sign. */
function signed(amount) {
  return amount > 0 ? `+${amount}` : String(amount).replace("-", "−");
}
