// @ts-check
/**
 * The form of one month, rendered from the entries and the archive's response. The module has no rules:
 * offers, values and faults are in the response. Actions are marked by `data-act`, fields by `name`
 * with `data-seat` or `data-line`.
 */

import { element } from "../replay/elements.js";
import { addUnits, createAmountFields, nextSign, parseAmount } from "./amount.js";

const KINDS = ["dealt", "captured", "special", "other"];

/** Returns boolean attributes: present if their value is true. */
function listFlags(set) {
  return Object.fromEntries(Object.entries(set).flatMap(([name, on]) => (on ? [[name, ""]] : [])));
}

/** Replaces placeholders such as `%(name)s` in a text. */
function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}

/** The form of one month. */
export class MonthView {
  /**
   * `entered` has the entries of the month, `seat` is the player whose yaku the form offers, `units`
   * are the names of kan and the small unit, `makeCard(letter)` draws a card.
   */
  constructor(words, units, response, entered, seat, makeCard) {
    this.words = words;
    this.units = units;
    this.players = response.players;
    this.response = response;
    this.form = response.form;
    this.month = response.months[this.form.number - 1];
    this.entered = entered;
    this.seat = seat;
    this.makeCard = makeCard;
  }

  getName(seat) {
    return this.players[seat - 1];
  }

  findOffer(label) {
    return this.form.offers.find((offer) => offer.label === label);
  }

  /** Returns all parts of the form in the usual order of entering; the paper contains the sums. */
  createParts() {
    const { words, form, entered } = this;
    const seats = this.players.map((_, i) => i + 1);
    return [
      this.createRadios("dealer", words.dealer, seats, this.month.dealer, (seat) => this.getName(seat)),
      ...(form.grades.length ? [this.createGrades()] : []),
      ...(seats.length > 3 ? [this.createPlayingBoxes(seats)] : []),
      this.createRadios("short", words.mode, ["1", ""], entered.short ? "1" : "", (mode) => (mode ? words.sums : words.yaku)),
      ...(entered.short ? this.createMarks(seats) : this.createPayments()),
      ...(entered.short ? [] : [this.createCheckbox("nothing", words.nothing, entered.nothing), ...this.createErrors("month")]),
      ...(form.stone && !entered.short ? [this.createStones(seats)] : []),
      ...(this.month.cards ? [this.createWitness(this.month.cards)] : []),
    ];
  }

  createPayments() {
    const { words, form } = this;
    const parts = [
      this.createRadios("whose", words.whose, this.players.map((_, i) => i + 1), this.seat, (seat) => this.getName(seat)),
      ...KINDS.map((kind) => this.createChips(kind)),
      this.createLines(),
    ];
    if (form.points) parts.push(...this.createPointFields());
    return parts;
  }

  /** Returns the fields for card points: payments, or captured points with the computed payments. */
  createPointFields() {
    const { words, form, month } = this;
    const counted = Boolean(this.entered.counted);
    const mode = this.createRadios("counted", words.counting, ["", "1"], counted ? "1" : "", (value) =>
      value ? words.capturedPoints : words.paidPoints,
    );
    if (!counted) return [mode, this.createAmounts("points", words.points, month.order, words.remainder, month.points)];
    const note = interpolate(words.whole, { whole: form.whole });
    return [mode, this.createAmounts("captured", words.points, month.order, note, month.captured, month.points)];
  }

  /** Returns the choices of the player whose yaku ended the month without payments. */
  createMarks(seats) {
    const marks = this.form.offers.filter((offer) => offer.marks);
    const findSeat = (label) => this.entered.lines.find((line) => line.label === label)?.seat ?? 0;
    return marks.map(({ label, name }) =>
      this.createRadios("mark", name, [0, ...seats], findSeat(label), (seat) => (seat ? this.getName(seat) : this.words.nobody), label),
    );
  }

  /** Returns the cards that would make the month: the field, and each player's hand and captures. */
  createWitness({ hands, field, captured }) {
    const { words, month } = this;
    const rows = [
      [words.field, field],
      ...month.order.flatMap((seat) => [
        [interpolate(words.dealtTo, { name: this.getName(seat) }), hands[seat - 1]],
        [interpolate(words.capturedBy, { name: this.getName(seat) }), captured[seat - 1]],
      ]),
    ];
    const summary = element("summary", {}, words.witness);
    const note = element("p", { class: "note" }, words.witnessNote);
    const figures = rows.map(([title, letters]) =>
      element("div", { class: "row" }, element("h3", {}, title), ...[...letters].map(this.makeCard)),
    );
    return element("details", { class: "witness", "data-key": "witness" }, summary, note, ...figures);
  }

  // Fields -------------------------------------------------------------------------------------

  createErrors(field) {
    return this.listFaults(field).map(({ doubt, message }) =>
      element("p", { class: doubt ? "doubt" : "error", "data-fault": field, id: `fault-${field.replace(".", "-")}` }, message),
    );
  }

  listFaults(field) {
    return this.response.faults.filter((fault) => fault.month === this.form.number && fault.field === field);
  }

  describeFault(field) {
    return this.listFaults(field).length ? { "aria-invalid": "true", "aria-describedby": `fault-${field.replace(".", "-")}` } : {};
  }

  createRadios(name, legend, values, chosen, text, label = "") {
    const field = { short: "", whose: "", counted: "", mark: "" }[name] ?? name;
    return element(
      "fieldset",
      { class: "pills", "data-key": name },
      element("legend", {}, legend),
      ...values.map((value) =>
        element(
          "label",
          { "data-key": String(value) },
          element("input", { type: "radio", name, value: String(value), "data-label": label, ...listFlags({ checked: value === chosen }) }),
          element("span", {}, text(value)),
        ),
      ),
      ...(field ? this.createErrors(field) : []),
    );
  }

  createCheckbox(name, text, on, more = {}) {
    return element(
      "label",
      { class: "tick", "data-key": `${name}-${more["data-seat"] ?? more["data-line"] ?? ""}` },
      element("input", { type: "checkbox", name, ...more, ...listFlags({ checked: on }) }),
      element("span", {}, text),
    );
  }

  createGrades() {
    const names = Object.fromEntries(this.form.grades.map(({ id, name }) => [id, name]));
    const ids = Object.keys(names);
    const { ba } = this.month;
    if (ba && !names[ba]) ids.push(ba);
    return this.createRadios("ba", this.words.grade, ids, ba ?? "", (id) => names[id] ?? id);
  }

  createPlayingBoxes(seats) {
    const ticks = seats.map((seat) =>
      this.createCheckbox("plays", this.getName(seat), this.month.order.includes(seat), { "data-seat": String(seat) }),
    );
    return element("fieldset", { class: "pills", "data-key": "plays" }, element("legend", {}, this.words.playing), ...ticks);
  }

  createStones(seats) {
    const { words, form } = this;
    return this.createRadios("stone", form.stones ? words.stone : words.next, seats, this.month.stone ?? 0, (seat) => this.getName(seat));
  }

  /**
   * Returns the fields for an amount per seat. `known` are the computed amounts that empty fields show,
   * `paid` the payments next to the fields.
   */
  createAmounts(field, legend, seats, note, known, paid = null) {
    const counted = field === "captured";
    const errors = counted ? "points" : field;
    const { rest } = this.units;
    const rows = seats.map((seat) => {
      const fields = createAmountFields(this.words, counted ? { kan: "", rest } : this.units, {
        id: `${field}-${seat}`,
        name: field,
        at: { "data-seat": String(seat) },
        who: this.getName(seat),
        word: this.entered[field]?.[seat - 1] ?? "",
        known: known ? known[seat - 1] : null,
        sign: !counted,
        auto: counted ? "" : nextSign(this.entered[field] ?? []),
        wrong: this.describeFault(errors),
      });
      const label = element("label", { for: `${field}-${seat}` }, this.getName(seat));
      const payment = counted ? [element("small", {}, paid ? formatSigned(paid[seat - 1]) : "")] : [];
      return element("div", { class: "amount", "data-key": String(seat) }, label, fields, ...payment);
    });
    return element(
      "fieldset",
      { class: "amounts", "data-key": field },
      element("legend", {}, legend),
      ...rows,
      element("p", { class: "note" }, note),
      ...this.createErrors(errors),
    );
  }

  // Yaku ---------------------------------------------------------------------------------------

  /** Returns the payments of a kind for the chosen player; barred payments show the reason. */
  createChips(kind) {
    const offers = this.form.offers.filter((offer) => offer.kind === kind && offer.seats.includes(this.seat));
    const rows = offers.map((offer) => {
      const isOn = this.entered.lines.some(({ seat, label }) => label === offer.label && seat === this.seat);
      const bar = offer.barred.find(({ seat }) => seat === this.seat);
      const value = offer.marks ? "" : addUnits(offer.gains_words[0], this.units);
      return element(
        "button",
        { type: "button", class: bar && !isOn ? "chip barred" : "chip", "data-act": "toggle", "data-label": offer.label, "data-key": offer.label, "aria-pressed": String(isOn) },
        element("span", {}, offer.name),
        element("small", {}, bar && !isOn ? this.describeBar(bar, offer.label) : value),
      );
    });
    const group = element("div", { role: "group", "aria-label": `${this.words[kind]}: ${this.getName(this.seat)}` }, ...rows);
    return element(
      "div",
      { class: "kind", "data-key": `kind-${kind}`, ...listFlags({ hidden: rows.length === 0 }) },
      element("h3", {}, this.words[kind]),
      group,
    );
  }

  /** Returns why a player cannot get the payment `offered`: which line of which player excludes it. */
  describeBar({ by, label, name }, offered) {
    const { barred, taken, takenBy } = this.words;
    const text = by === this.seat ? barred : label === offered ? taken : takenBy;
    return interpolate(text, { name: this.getName(by), yaku: name });
  }

  createLines() {
    const items = this.entered.lines.map((line, i) => this.createLine(line, i));
    return element(
      "div",
      { class: "paid", "data-key": "paid", ...listFlags({ hidden: items.length === 0 }) },
      element("h3", {}, this.words.paid),
      element("ul", {}, ...items),
    );
  }

  /** Returns the row of a payment: amount, payer, half, struck out. */
  createLine(line, i) {
    const { words } = this;
    const at = { "data-line": String(i) };
    const offer = this.findOffer(line.label);
    const yaku = offer?.name ?? line.label;
    const written = this.month.lines.find(({ of }) => of.includes(i));
    const names = { name: this.getName(line.seat), yaku };
    const parts = [];
    if (!offer?.marks) {
      const known = written?.of.length === 1 ? written.amounts[line.seat - 1] : (offer && parseAmount(offer.gains[0]));
      const who = interpolate(words.gets, names);
      parts.push(
        createAmountFields(words, this.units, {
          id: `gain-${i}`,
          name: "gain",
          at,
          who,
          word: line.gain ?? "",
          known,
          sign: (known ?? 0) < 0,
          wrong: this.describeFault(`line.${i}`),
        }),
      );
    }
    if (offer && offer.gains.length > 1) parts.push(this.createValues(offer, line, at));
    if (offer && offer.payers.length) parts.push(this.createPayerChoice(offer, line, at, yaku));
    if (offer?.halves) parts.push(this.createCheckbox("half", words.half, line.half, at));
    if (offer?.struck) parts.push(this.createCheckbox("void", words.void, line.void ?? written?.void ?? false, at));
    return element(
      "li",
      { "data-key": `${line.seat}-${line.label}-${i}` },
      element("b", {}, `${this.getName(line.seat)} · ${yaku}`),
      element("button", { type: "button", class: "second", "data-act": "remove", ...at, "aria-label": interpolate(words.remove, { yaku }) }, "×"),
      element("div", {}, ...parts),
      ...this.createErrors(`line.${i}`),
    );
  }

  createValues(offer, line, at) {
    const options = offer.gains.map((gain, i) =>
      element("option", { value: gain, ...listFlags({ selected: gain === line.gain }) }, addUnits(offer.gains_words[i], this.units)),
    );
    const first = element("option", { value: "", ...listFlags({ selected: !line.gain }) }, this.words.values);
    return element("select", { name: "value", ...at, "aria-label": `${this.words.values}: ${offer.name}` }, first, ...options);
  }

  createPayerChoice(offer, line, at, yaku) {
    const payers = offer.payers.filter((seat) => seat !== line.seat);
    const options = payers.map((seat) =>
      element("option", { value: String(seat), ...listFlags({ selected: seat === line.payer }) }, interpolate(this.words.alone, { name: this.getName(seat) })),
    );
    const everybody = element("option", { value: "0", ...listFlags({ selected: !line.payer }) }, this.words.everybody);
    const isShared = payers.some((seat) => this.month.order.includes(seat));
    return element(
      "select",
      { name: "payer", ...at, "aria-label": interpolate(this.words.payer, { yaku }) },
      ...(isShared ? [everybody] : []),
      ...options,
    );
  }
}

function formatSigned(amount) {
  return amount > 0 ? `+${amount}` : String(amount).replace("-", "−");
}
