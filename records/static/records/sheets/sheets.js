/**
 * Score-sheet forms: what a table writes down month by month. The form holds what was entered; its
 * lines, sums, what may be chosen and what is wrong are asked of the archive after each change.
 * Every change is kept in the browser, with those before it (`past`) and those undone (`future`).
 */

import "../upload/replacing.js";
import { Drafts, goesElsewhere, Keeper, listDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { restoredSheet, textOf } from "../drafts/restored.js";
import { keepPage } from "../editor/keep.js";
import { Setup } from "../editor/setup.js";
import { wordOf } from "./amount.js";
import { Archive } from "./archive.js";
import { blank, choose, mark, opened, seatsOut, toggleLine, writeAmount } from "./entered.js";
import { History, wayOf } from "./history.js";
import { MonthView } from "./month.js";
import { morphContent } from "./morph.js";
import { faultyField, firstField, lackingSeat, nextField, Paper, rowsOf } from "./paper.js";
import { showSettlement } from "./settlement.js";
import { showUnsaid, Status } from "./status.js";

const PAUSE = 250; // milliseconds after the last key before the sheet is asked for

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
    this.status = new Status(root, words);
    this.archive = new Archive(root.dataset.sheets, words);
    this.seat = 1;
    this.isSeen = false; // whether it is sent just after an answer about all of it
    this.isCurrent = false; // whether the answer is about all that was entered
    this.fresh();
    this.listen();
  }

  /** A part of the page, by the name of its data attribute. */
  find(name) {
    return /** @type {any} */ (root.querySelector(`[data-${name}]`));
  }

  fresh() {
    this.stones = false;
    this.told = {}; // sentences beside a month, until it changes
    this.away = {}; // the same, until the archive answers
    this.history = new History();
  }

  get draft() {
    return this.history.draft;
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
    const taps = {
      go: () => this.goTo(Number(this.find("go").dataset.at)),
      drop: () => this.drop(),
      again: () => this.startOver(),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
    };
    for (const [name, act] of Object.entries(taps)) this.find(name).addEventListener("click", act);
    this.find("save").form.addEventListener("submit", (event) => this.sending(event));
    window.addEventListener("online", () => this.state && !this.isCurrent && this.refresh());
    document.addEventListener("keydown", (event) => {
      const way = this.state ? wayOf(event) : "";
      if (!way) return;
      event.preventDefault();
      this.step(way);
    });
  }

  /** Opens the draft of the address, else the sheet of the page; else lists the drafts. */
  async open() {
    const asked = new URLSearchParams(location.search).get("draft");
    const draft = asked && (await this.drafts.one(asked).catch(() => undefined));
    const isSheet = draft?.kind === "sheet";
    const found = isSheet && restoredSheet(draft, blank);
    if (isSheet && !found) this.notice.tell(words.strange, () => textOf(draft));
    if (found && goesElsewhere(found)) return undefined;
    if (found) this.history.take(found);
    else if (data.sheet) this.history.take({ ...this.draft, state: { ...data.sheet, months: data.sheet.months.map(opened) } });
    else return this.list();
    return this.refresh();
  }

  list() {
    return listDrafts(this.find("drafts"), this.drafts, "sheet", data);
  }

  async begin(game) {
    this.history.take({ ...this.draft, state: { ...game, tags: {}, months: [blank({ short: true })], at: 1 } });
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

  toggle(label) {
    const offer = this.answer.form.offers.find((one) => one.label === label);
    toggleLine(this.month, offer, this.seat, this.answer.months[this.state.at - 1].order);
    this.changed();
  }

  /** Turns the sign of an amount; one that is not written yet keeps it for its number. */
  sign(button) {
    const box = button.closest(".amount-fields");
    const input = box.querySelector("input");
    if (input.dataset.month) this.turnTo(Number(input.dataset.month));
    const turned = box.dataset.sign === "-" ? "+" : "-";
    box.dataset.sign = turned;
    writeAmount(this.month, this.state.players.length, input, wordOf(input) || turned);
    this.changed();
    input.focus();
  }

  /** A field was changed by typing or choosing. */
  entered(field) {
    if (field.dataset.month) this.turnTo(Number(field.dataset.month));
    const { month } = this;
    const { name, value, checked, dataset } = field;
    if (name === "whose") {
      this.seat = Number(value);
      return this.show(this.answer);
    }
    if (dataset.part) {
      writeAmount(month, this.state.players.length, field, wordOf(field));
      return this.changed(PAUSE);
    }
    if (name === "plays") {
      const { order } = this.answer.months[this.state.at - 1];
      month.out = seatsOut(this.state.players.length, order, Number(dataset.seat), checked);
    } else if (name === "mark") mark(month, dataset.label, Number(value));
    else choose(month, field);
    return this.changed();
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
    this.history.keep();
    this.save();
    this.paper(); // of many players only the month that is written has fields on a phone
    this.refresh();
  }

  focusOn(at, seat = 0) {
    (firstField(this.find("paper"), at, seat) ?? this.find("heading")).focus();
  }

  /** Enter goes to the next field that has to be filled in, from the last one to the next month. */
  forward(input) {
    const order = this.answer.months[this.state.at - 1]?.order ?? [];
    const next = nextField(this.find("paper"), input, this.month.sums, order);
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
      return faultyField(root)?.focus();
    }
    this.answer = answer; // it has the new month, where somebody taps before its own answer is there
    state.months = longer;
    state.at = longer.length;
    this.changed();
    return this.focusOn(state.at);
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
    if (lacking < 0 && (this.isSeen || (this.isCurrent && navigator.onLine))) return;
    event.preventDefault();
    this.isSeen = lacking < 0 && (await this.refresh());
    if (this.isSeen) event.target.requestSubmit(event.submitter);
    this.isSeen = false;
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
    this.history.note(!pause || !this.waiting);
    this.isCurrent = false;
    this.told = {};
    this.save();
    this.paper();
    clearTimeout(this.waiting);
    if (pause) this.waiting = setTimeout(() => this.refresh(), pause);
    else this.refresh();
  }

  /** One change back or on. */
  step(way) {
    if (!this.history.step(way)) return this.say(words.gone);
    this.save();
    return this.refresh();
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

  /** The answer to a state; null where there is none, which is told beside the month. */
  async asked(state) {
    const { answer, refusal } = await this.archive.ask(state);
    if (answer) this.away = {};
    if (refusal) {
      this.away = { [state.at]: refusal };
      this.paper();
      this.say(refusal, true);
    }
    return answer ?? null;
  }

  /** Another tab has changed a draft: if it is this one, its newer state is taken over. */
  elsewhere(draft) {
    const isNewer = draft.id === this.draft.id && draft.changed > this.draft.changed;
    const found = isNewer && restoredSheet(draft, blank);
    if (!found) return;
    this.history.take(found);
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
    morphContent(this.find("parts"), ...view.parts());
    this.paper();
    const last = state.at === state.months.length;
    this.find("after").disabled = last && answer.over;
    this.find("drop").hidden = state.months.length === 1;
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    showUnsaid(this.find("unsaid"), words.unsaid, state.unsaid ?? []);
    showSettlement(this.find("settlement"), answer, words, this.units);
    this.status.judge(answer, state.at, this.setup.ruleset(state.ruleset));
    this.find("text").textContent = answer.kafu;
    this.find("save").value = answer.kafu;
    this.find("entries").value = answer.entries;
    this.find("send").disabled = !answer.months.some(({ lines, done }) => lines.length > 0 || done);
  }

  /** What was entered, on the paper at once; what follows from it as the last answer has it. */
  paper() {
    if (!this.answer) return;
    const { answer, state, stones, units } = this;
    const told = { ...this.told, ...this.away };
    const rows = rowsOf(state.months, answer, blank);
    morphContent(this.find("paper"), new Paper({ words, units, answer, state, rows, stones, told }).table());
  }

  /** What the fields of amounts are called: kan where the ruleset counts in it, and the small unit. */
  get units() {
    return this.setup.ruleset(this.state.ruleset).fields;
  }

  say(text, wrong = false) {
    this.status.say(text, wrong);
  }
}

new SheetForm().open();
// Where that is forbidden or there is no room, the page works all the same with a network.
keepPage().catch(() => {});
