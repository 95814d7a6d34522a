/**
 * Score-sheet forms: what a table writes down month by month. The form holds what was entered; its
 * lines, sums, what may be chosen and what is wrong are asked of the archive after each change.
 * Every change is kept in the browser, with those before it (`past`) and those undone (`future`).
 */

import "../upload/replacing.js";
import { Drafts, Keeper, listDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { restoredSheet, textOf, VERSION } from "../drafts/restored.js";
import { keepPage } from "../editor/keep.js";
import { ask, Refused } from "../editor/server.js";
import { Setup } from "../editor/setup.js";
import { element } from "../replay/moves.js";
import { isWritten, wordOf } from "./amount.js";
import { blank, mark, opened, sent, stored } from "./entered.js";
import { MonthView } from "./month.js";
import { morph } from "./morph.js";
import { lackingSeat, Paper, rowsOf } from "./paper.js";
import { settlementTable } from "./settlement.js";

const PAUSE = 250; // milliseconds after the last key before the sheet is asked for
const MOST = 100; // changes that can be undone

const root = /** @type {HTMLElement} */ (document.querySelector("[data-sheet-form]"));
const data = JSON.parse(document.getElementById("sheet-data").textContent);
const { words } = data;

class SheetForm {
  constructor() {
    this.setup = new Setup(this.find("setup"), data, (game) => this.begin(game));
    this.drafts = new Drafts((draft) => this.elsewhere(draft));
    this.notice = new Notice(this.find("notice"));
    const text = () => this.answer?.kafu ?? textOf(this.draft);
    this.keeper = new Keeper(this.drafts, this.find("kept"), words, this.notice, text);
    this.keeper.probe();
    this.seat = 1;
    this.isCurrent = false; // whether the answer is about all that was entered
    this.fresh();
    this.listen();
  }

  /** A part of the page, by the name of its data attribute. */
  find(name) {
    return /** @type {any} */ (root.querySelector(`[data-${name}]`));
  }

  fresh() {
    const id = crypto.randomUUID();
    this.stones = false;
    this.told = {}; // sentences beside a month, until it changes
    this.away = {}; // the same, until the archive answers
    this.draft = { id, version: VERSION, kind: "sheet", changed: 0, title: "", state: null, past: [], future: [] };
  }

  get state() {
    return this.draft.state;
  }

  get month() {
    return this.state.months[this.state.at - 1];
  }

  listen() {
    const form = this.find("month");
    const paper = this.find("paper");
    for (const place of [form, paper]) {
      place.addEventListener("click", (event) => this.clicked(event));
      place.addEventListener("input", (event) => this.entered(event.target));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.next();
    });
    paper.addEventListener("focusin", ({ target }) => {
      const number = Number(target.dataset.month ?? 0);
      if (number && number !== this.state.at) this.turnTo(number);
    });
    paper.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("input")) return;
      event.preventDefault();
      this.forward(event.target);
    });
    this.find("tags").addEventListener("input", ({ target }) => {
      this.state.tags[target.name] = target.value;
      this.changed(PAUSE);
    });
    this.find("go").addEventListener("click", () => this.goTo(Number(this.find("go").dataset.at)));
    this.find("drop").addEventListener("click", () => this.drop());
    this.find("again").addEventListener("click", () => this.startOver());
    this.find("undo").addEventListener("click", () => this.step("past", "future"));
    this.find("redo").addEventListener("click", () => this.step("future", "past"));
    this.find("save").form.addEventListener("submit", (event) => this.sending(event));
    window.addEventListener("online", () => this.state && !this.isCurrent && this.refresh());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens the draft of the address, else the sheet of the page; else lists the drafts. */
  async open() {
    const asked = new URLSearchParams(location.search).get("draft");
    const draft = asked && (await this.drafts.one(asked).catch(() => undefined));
    const isSheet = draft?.kind === "sheet";
    const found = isSheet && restoredSheet(draft, blank);
    if (isSheet && !found) this.notice.tell(words.strange, () => textOf(draft));
    if (found) this.take(found);
    else if (data.sheet) this.take({ ...this.draft, state: { ...data.sheet, months: data.sheet.months.map(opened) } });
    else return this.list();
    return this.refresh();
  }

  /** Goes on with a draft. */
  take(draft) {
    this.draft = draft;
    this.keep();
  }

  list() {
    return listDrafts(this.find("drafts"), this.drafts, "sheet", data);
  }

  async begin(game) {
    this.take({ ...this.draft, state: { ...game, tags: {}, months: [blank({ short: true })], at: 1 } });
    this.seat = 1;
    if (await this.refresh()) this.save();
    else this.draft.state = null;
  }

  startOver() {
    this.fresh();
    this.answer = null;
    history.replaceState(null, "", location.pathname);
    this.find("work").hidden = true;
    this.find("replaces")?.remove(); // another sheet takes nobody's place
    this.setup.form.hidden = false;
    this.say("");
    this.list();
  }

  // What is entered ----------------------------------------------------------------------------

  clicked(event) {
    const button = event.target.closest("[data-act], [data-at]");
    if (!button) return;
    const { act, label, line, at } = button.dataset;
    if (at) this.goTo(Number(at));
    else if (act === "toggle") this.toggle(label);
    else if (act === "sign") this.sign(button);
    else if (act === "remove") {
      const [{ label: gone }] = this.month.lines.splice(Number(line), 1);
      this.changed();
      this.find("month").querySelector(`[data-label="${gone}"]`)?.focus();
    }
  }

  /** Adds a payment of the chosen player, or takes it away. */
  toggle(label) {
    const { lines } = this.month;
    const offer = this.answer.form.offers.find((one) => one.label === label);
    const mine = lines.filter((one) => one.label === label && one.seat === this.seat);
    const order = this.answer.months[this.state.at - 1].order;
    const single = offer.payers.length > 0 && !offer.payers.some((seat) => order.includes(seat));
    const payer = single ? (offer.payers.find((seat) => mine.every((one) => one.payer !== seat)) ?? 0) : 0;
    if (mine.length && !payer) this.month.lines = lines.filter((one) => !mine.includes(one));
    else lines.push({ seat: this.seat, label, gain: "", payer, half: false, void: null, marks: offer.marks });
    this.month.nothing = false;
    this.changed();
  }

  /** Turns the sign of an amount; one that is not written yet keeps it for its number. */
  sign(button) {
    const box = button.closest(".amount-fields");
    const input = box.querySelector("input");
    if (input.dataset.month) this.turnTo(Number(input.dataset.month));
    const turned = box.dataset.sign === "-" ? "+" : "-";
    box.dataset.sign = turned;
    this.write(input, wordOf(input) || turned);
    this.changed();
    input.focus();
  }

  /** Puts the word of an amount into the month. */
  write({ name, dataset: { seat, line } }, word) {
    const { month } = this;
    if (name === "gain") month.lines[Number(line)].gain = word;
    else month[name] = this.state.players.map((_, i) => (i + 1 === Number(seat) ? word : (month[name]?.[i] ?? "")));
    month.nothing = false;
  }

  /** A field was changed by typing or choosing. */
  entered(field) {
    if (field.dataset.month) this.turnTo(Number(field.dataset.month));
    const { month } = this;
    const { name, value, checked } = field;
    const line = month.lines[Number(field.dataset.line ?? -1)];
    let pause = 0;
    if (field.dataset.part) {
      this.write(field, wordOf(field));
      pause = PAUSE;
    } else if (name === "dealer") month.dealer = Number(value);
    else if (name.startsWith("stone")) month.stone = Number(value);
    else if (name === "ba") month.ba = value;
    else if (name === "short" || name === "counted") month[name] = value === "1";
    else if (name === "mark") mark(month, field.dataset.label, Number(value));
    else if (name === "whose") this.seat = Number(value);
    else if (name === "nothing") month.nothing = checked;
    else if (name === "plays") this.plays(Number(field.dataset.seat), checked);
    else if (name === "value") line.gain = value;
    else if (name === "payer") line.payer = Number(value);
    else if (name === "half" || name === "void") line[name] = checked;
    if (name === "whose") this.show(this.answer);
    else this.changed(pause);
  }

  /** Three play: of a larger table the others are out. */
  plays(seat, on) {
    const order = this.answer.months[this.state.at - 1].order;
    const kept = on ? [...order, seat].slice(-3) : order.filter((one) => one !== seat);
    const more = this.state.players.map((_, i) => i + 1).filter((one) => !kept.includes(one) && one !== seat);
    const playing = [...kept, ...more].slice(0, 3);
    this.month.out = this.state.players.map((_, i) => i + 1).filter((one) => !playing.includes(one));
  }

  // Months -------------------------------------------------------------------------------------

  /** Turns to a month, of which a new one begins: to the field that is tapped, else to its heading. */
  goTo(at) {
    this.turnTo(at);
    this.focusOn(at);
  }

  turnTo(at) {
    const { state } = this;
    if (at === state.at) return;
    state.at = at;
    if (at > state.months.length) {
      state.months.push(blank(state.months.at(-1)));
      this.changed();
      return;
    }
    this.keep();
    this.save();
    this.refresh();
  }

  /** The first field of a month on the paper that is open; its heading where it has none there. */
  focusOn(at, seat = 0) {
    const fields = [...this.find("paper").querySelectorAll(`input[data-part][data-month="${at}"]`)];
    const wanted = seat ? fields.filter((field) => Number(field.dataset.seat) === seat) : fields;
    (wanted.find((field) => !field.value && !field.placeholder) ?? wanted[0] ?? this.find("heading")).focus();
  }

  /** Enter goes to the next field that has to be filled in, from the last one to the next month. */
  forward(input) {
    const { month, seat } = input.dataset;
    const fields = [...this.find("paper").querySelectorAll(`input[data-part][data-month="${month}"]`)];
    const { sums } = this.month;
    const order = this.answer.months[Number(month) - 1]?.order ?? [];
    const open = order.filter((one) => !isWritten(sums[one - 1]));
    const follows = open.length === 1 && order.length > 1 && isWritten(sums[Number(seat) - 1]) ? open[0] : 0;
    const later = fields.slice(fields.indexOf(input) + 1);
    const next = later.find((field) => Number(field.dataset.seat) !== follows);
    if (next) next.select();
    else this.next();
  }

  /** The month after this one; a new one only if this one is whole, else what it lacks is told there. */
  async next() {
    const { state } = this;
    if (state.at < state.months.length) return this.goTo(state.at + 1);
    if (this.lack(state.at)) return undefined;
    if (!(await this.refresh()) || this.answer.over) return undefined;
    if (!this.answer.months.at(-1).lines.length && !this.month.nothing && !this.answer.months.at(-1).done) {
      this.tell(state.at, this.month.short ? words.emptySums : words.empty);
      return undefined;
    }
    const longer = [...state.months, blank(this.month)];
    const answer = await this.asked({ ...state, months: longer, at: state.at });
    if (!answer) return undefined;
    if (answer.faults.some((one) => !one.doubt)) {
      this.show(answer);
      return this.focusOnFault();
    }
    this.answer = answer; // it has the new month, where somebody taps before its own answer is there
    state.months = longer;
    state.at = longer.length;
    this.changed();
    return this.focusOn(state.at);
  }

  /** What is wrong comes into sight, with the field to change. */
  focusOnFault() {
    const fault = /** @type {HTMLElement | null} */ (root.querySelector("[data-fault]"));
    const place = fault?.closest("tbody, fieldset, li");
    const isStone = fault?.dataset.fault === "stone";
    const field = place?.querySelector(isStone ? "input[type=radio]" : "input");
    if (field instanceof HTMLElement) field.focus();
  }

  /** Whether a month by its sums lacks an amount, which is told there. */
  lack(number) {
    const { order } = this.answer.months[number - 1] ?? {};
    const seat = order ? lackingSeat(this.state.months[number - 1], order) : 0;
    if (!seat) return false;
    this.tell(number, words.lacking.replace("%(name)s", this.answer.players[seat - 1]));
    this.focusOn(number, seat);
    return true;
  }

  /** Says something beside a month until it changes. */
  tell(number, text) {
    this.told = { [number]: text };
    this.paper();
    this.say(text, true);
  }

  /** Saves only what the archive has seen in full; what is wrong or away is told, and nothing is lost. */
  async sending(event) {
    const lacking = this.state.months.findIndex((_, i) => this.lack(i + 1));
    if (lacking < 0 && this.isCurrent && navigator.onLine) return;
    event.preventDefault();
    if (lacking < 0 && (await this.refresh())) event.target.requestSubmit(event.submitter);
  }

  drop() {
    const { state } = this;
    state.months.splice(state.at - 1, 1);
    state.at = Math.min(state.at, state.months.length);
    this.changed();
    this.find("heading").focus();
  }

  // Asking and keeping -------------------------------------------------------------------------

  /**
   * Keeps what was entered at once, and asks what it makes after a pause. What is typed without a
   * pause is one change.
   */
  changed(pause = 0) {
    if (!pause || !this.waiting) this.draft.past = [...this.draft.past, this.before].slice(-MOST);
    this.draft.future = [];
    this.isCurrent = false;
    this.told = {};
    this.keep();
    this.save();
    this.paper();
    clearTimeout(this.waiting);
    if (pause) this.waiting = setTimeout(() => this.refresh(), pause);
    else this.refresh();
  }

  /** Notes the state that an undo of the next change goes back to. */
  keep() {
    this.before = structuredClone(this.state);
  }

  /** One change back or on: the state goes from one list to the other. */
  step(from, to) {
    const state = this.draft[from]?.pop();
    if (!state) return this.say(words.gone);
    this.draft[to].push(this.before);
    this.draft.state = state;
    this.keep();
    this.save();
    return this.refresh();
  }

  /** Ctrl-Z and Ctrl-Y undo and redo, but where somebody is typing. */
  key(event) {
    const letter = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase();
    const typing = event.target.closest("input:not([type=radio], [type=checkbox]), select");
    if (!this.state || typing || (letter !== "z" && letter !== "y")) return;
    event.preventDefault();
    if (letter === "z" && !event.shiftKey) this.step("past", "future");
    else this.step("future", "past");
  }

  save() {
    const { players, ruleset } = this.state;
    this.draft.title = `${this.setup.ruleset(ruleset).name}: ${players.join(" – ")}`;
    return this.keeper.save(this.draft);
  }

  /** Asks for the sheet as it is and shows it; whether it could. */
  async refresh() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    const answer = await this.asked(this.state);
    this.isCurrent = Boolean(answer);
    if (answer) this.show(answer);
    return Boolean(answer);
  }

  async asked(state) {
    this.running?.abort();
    this.running = new AbortController();
    const { ruleset, players, options, tags, months, at } = state;
    const fields = { ruleset, players, options, tags, at, months: months.map(sent) };
    const entries = JSON.stringify(months.map(stored));
    try {
      const answer = await ask(root.dataset.sheets, fields, words, this.running.signal);
      this.away = {};
      return { ...answer, entries };
    } catch (error) {
      if (error instanceof Refused) {
        this.away = { [at]: error.message };
        this.paper();
        this.say(error.message, true);
      } else if (error.name !== "AbortError") throw error;
      return null;
    }
  }

  /** Another tab has changed a draft: if it is this one, its newer state is taken over. */
  elsewhere(draft) {
    const isNewer = draft.id === this.draft.id && draft.changed > this.draft.changed;
    const found = isNewer && restoredSheet(draft, blank);
    if (!found) return;
    this.take(found);
    this.notice.tell(words.elsewhere);
    this.refresh();
  }

  // What is shown ------------------------------------------------------------------------------

  show(answer) {
    this.answer = answer;
    const { state } = this;
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
    for (const field of this.find("tags").querySelectorAll("input")) field.value = state.tags[field.name] ?? "";
    this.stones ||= answer.form.stone;
    const view = new MonthView(words, this.units, answer, this.month, this.seat);
    const month = answer.months[state.at - 1];
    this.find("heading").textContent = month.name;
    morph(this.find("parts"), element("div", { "data-parts": "" }, ...view.parts()));
    this.paper();
    const last = state.at === state.months.length;
    this.find("after").disabled = last && answer.over;
    this.find("drop").hidden = state.months.length === 1;
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    this.unsaid(state.unsaid ?? []);
    this.settled(answer);
    this.judged(answer);
    this.find("text").textContent = answer.kafu;
    this.find("save").value = answer.kafu;
    this.find("entries").value = answer.entries;
    this.find("send").disabled = !answer.months.some(({ lines, done }) => lines.length > 0 || done);
  }

  /** What an opened sheet has, and the form has no place for. */
  unsaid(lines) {
    const place = this.find("unsaid");
    place.hidden = lines.length === 0;
    place.querySelector("h2").textContent = words.unsaid;
    place.querySelector("ul").replaceChildren(...lines.map((line) => element("li", {}, line)));
  }

  /** What was entered, on the paper at once; what follows from it as the last answer has it. */
  paper() {
    if (!this.answer) return;
    const { answer, state, stones, units } = this;
    const told = { ...this.told, ...this.away };
    const rows = rowsOf(state.months, answer, blank);
    const paper = new Paper({ words, units, answer, state, rows, stones, told });
    morph(this.find("paper"), element("div", { ...attributesOf(this.find("paper")) }, paper.table()));
  }

  /** What the fields of amounts are called: kan where the ruleset counts in it, and the small unit. */
  get units() {
    return this.setup.ruleset(this.state.ruleset).fields;
  }

  settled(answer) {
    const steps = answer.settlement.length > 1 ? [settlementTable(answer.settlement, answer.players)] : [];
    this.find("steps").replaceChildren(...steps);
    this.find("settlement").hidden = steps.length === 0;
  }

  /** The verdict so far, and what is wrong first. */
  judged(answer) {
    const verdict = this.find("verdict");
    verdict.textContent = root.querySelector(`[data-status="${answer.status}"]`)?.textContent ?? answer.status;
    verdict.dataset.kind = answer.status;
    const wrong = answer.faults.find((one) => !one.doubt) ?? answer.faults[0];
    const far = Boolean(wrong) && wrong.month !== this.state.at;
    this.find("go").hidden = !far;
    if (far) this.find("go").dataset.at = String(wrong.month);
    if (wrong) {
      const { name } = answer.months[wrong.month - 1];
      this.say(words.in.replace("%(month)s", name).replace("%(message)s", wrong.message), !wrong.doubt);
    } else if (answer.error && answer.error.code !== "no-months") this.say(answer.error.message, true);
    else this.say(answer.over ? words.over : words.noFault);
  }

  say(text, wrong = false) {
    const status = this.find("said");
    status.textContent = text;
    status.classList.toggle("error", wrong);
  }
}

function attributesOf(place) {
  return Object.fromEntries(place.getAttributeNames().map((name) => [name, place.getAttribute(name)]));
}

new SheetForm().open();
// Where that is forbidden or there is no room, the page works all the same with a network.
keepPage().catch(() => {});
