// @ts-check
/**
 * The score-sheet form: records the payments of a game month by month. After each change the archive
 * returns lines, sums, offers and faults. Every change is stored in the browser, with the previous
 * (`past`) and the undone (`future`) states.
 */

import "../upload/replacement.js";
import { Drafts, DraftSaver, redirectToDraft, resetAddress, showDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { exportText, restoreSheet } from "../drafts/restored.js";
import { cachePage } from "../editor/page_cache.js";
import { Setup } from "../editor/setup.js";
import { cardMaker } from "../replay/cards.js";
import { readAmount } from "./amount.js";
import { Archive } from "./archive.js";
import { applyField, createBlankMonth, fromStoredMonth, seatsOut, setMark, toggleLine, writeAmount } from "./entered.js";
import { commandForKey, History } from "./history.js";
import { MonthView } from "./month.js";
import { morphContent } from "./morph.js";
import { findFaultyField, findFirstField, findLackingSeat, findNextField, listRows, Paper } from "./paper.js";
import { showSettlement } from "./settlement.js";
import { showUnsupported, Status } from "./status.js";

const PAUSE = 250; // milliseconds after the last key before a request

const root = /** @type {HTMLElement} */ (document.querySelector("[data-sheet-form]"));
const data = JSON.parse(document.getElementById("sheet-data").textContent);
const { words } = data;
const makeCard = cardMaker(root.dataset.sprite, data, "");

/** The page of the form: connects its parts, the draft and the archive. */
class SheetForm {
  constructor() {
    this.setup = new Setup(this.find("setup"), data, (game) => this.begin(game));
    this.drafts = new Drafts((draft) => this.onForeignChange(draft));
    this.notice = new Notice(this.find("notice"));
    const text = () => this.response?.kafu ?? exportText(this.draft);
    this.saver = new DraftSaver(this.drafts, this.find("kept"), words, this.notice, text);
    this.saver.checkStorage();
    this.status = new Status(root, words);
    this.archive = new Archive(root.dataset.sheets, words);
    this.seat = 1;
    this.isSubmitting = false; // true while the form is submitted after a current response
    this.isCurrent = false; // whether the response covers all entries
    this.beginDraft();
    this.listen();
  }

  /** Returns a part of the page by its data attribute. */
  find(name) {
    return /** @type {any} */ (root.querySelector(`[data-${name}]`));
  }

  beginDraft() {
    this.stones = false;
    this.messages = {}; // by month, until the next change
    this.refusals = {}; // by month, until the next response
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
      place.addEventListener("click", (event) => this.onClick(event));
      place.addEventListener("input", (event) => this.onInput(event.target));
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.goToNextMonth();
    });
    paper.addEventListener("focusin", ({ target }) => {
      const number = Number(target.dataset.month ?? 0);
      if (number && number !== this.state.at) this.turnTo(number);
    });
    paper.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("input")) return;
      event.preventDefault();
      this.goToNextField(event.target);
    });
    this.find("tags").addEventListener("input", ({ target }) => {
      this.state.tags[target.name] = target.value;
      this.onChange(PAUSE);
    });
    const actions = {
      go: () => this.goTo(Number(this.find("go").dataset.at)),
      drop: () => this.drop(),
      again: () => this.startOver(),
      undo: () => this.step("undo"),
      redo: () => this.step("redo"),
    };
    for (const [name, act] of Object.entries(actions)) this.find(name).addEventListener("click", act);
    this.find("save").form.addEventListener("submit", (event) => this.onSubmit(event));
    window.addEventListener("online", () => this.state && !this.isCurrent && this.refresh());
    document.addEventListener("keydown", (event) => {
      const command = this.state ? commandForKey(event) : "";
      if (!command) return;
      event.preventDefault();
      this.step(command);
    });
  }

  /** Opens the draft of the address, else the sheet of the page. Without either, lists the drafts. */
  async open() {
    const id = new URLSearchParams(location.search).get("draft");
    const stored = id && (await this.drafts.load(id).catch(() => undefined));
    const isSheet = stored?.kind === "sheet";
    const draft = isSheet && restoreSheet(stored, createBlankMonth);
    if (isSheet && !draft) this.notice.show(words.strange, () => exportText(stored));
    if (draft && redirectToDraft(draft)) return undefined;
    if (draft) this.history.open(draft);
    else if (data.sheet) this.history.open({ ...this.draft, state: { ...data.sheet, months: data.sheet.months.map(fromStoredMonth) } });
    else return this.list();
    if (!(await this.refresh())) this.showLastResponse();
    return undefined;
  }

  list() {
    return showDrafts(this.find("drafts"), this.drafts, "sheet", data, this.notice);
  }

  async begin(game) {
    // The sheet of a club belongs to the evening on which it is begun.
    const tags = data.club ? { Date: new Date().toLocaleDateString("sv") } : {};
    this.history.open({ ...this.draft, state: { ...game, tags, months: [createBlankMonth({ short: true })], at: 1 } });
    this.seat = 1;
    if (await this.refresh()) {
      this.save();
      if (data.club) this.focusOn(1);
    } else this.draft.state = null;
  }

  startOver() {
    this.beginDraft();
    this.response = null;
    resetAddress();
    this.find("work").hidden = true;
    this.find("replaces")?.remove(); // a new sheet corrects no stored game
    this.setup.form.hidden = false;
    this.say("");
    this.list();
  }

  // Entries ------------------------------------------------------------------------------------

  onClick(event) {
    const button = event.target.closest("[data-act], [data-at]");
    if (!button) return;
    const { act, label, line, at } = button.dataset;
    if (at) this.goTo(Number(at));
    else if (act === "toggle") this.toggle(label);
    else if (act === "sign") this.toggleSign(button);
    else if (act === "remove") {
      const [{ label: removed }] = this.month.lines.splice(Number(line), 1);
      this.onChange();
      this.find("month").querySelector(`[data-label="${removed}"]`)?.focus();
    }
  }

  toggle(label) {
    const offer = this.response.form.offers.find((candidate) => candidate.label === label);
    toggleLine(this.month, offer, this.seat, this.response.months[this.state.at - 1].order);
    this.onChange();
  }

  /** Changes the sign of an amount; an empty amount stores the sign for its number. */
  toggleSign(button) {
    const box = button.closest(".amount-fields");
    const input = box.querySelector("input");
    if (input.dataset.month) this.turnTo(Number(input.dataset.month));
    const sign = box.dataset.sign === "-" ? "+" : "-";
    box.dataset.sign = sign;
    writeAmount(this.month, this.state.players.length, input, readAmount(input) || sign);
    this.onChange();
    input.focus();
  }

  onInput(field) {
    if (field.dataset.month) this.turnTo(Number(field.dataset.month));
    const { month } = this;
    const { name, value, checked, dataset } = field;
    if (name === "whose") {
      this.seat = Number(value);
      return this.show(this.response);
    }
    if (dataset.part) {
      writeAmount(month, this.state.players.length, field, readAmount(field));
      return this.onChange(PAUSE);
    }
    if (name === "plays") {
      const { order } = this.response.months[this.state.at - 1];
      month.out = seatsOut(this.state.players.length, order, Number(dataset.seat), checked);
    } else if (name === "mark") setMark(month, dataset.label, Number(value));
    else applyField(month, field);
    return this.onChange();
  }

  // Months -------------------------------------------------------------------------------------

  /** Opens a month and focuses its first field, or its heading. A new month is added. */
  goTo(at) {
    this.turnTo(at);
    this.focusOn(at);
  }

  turnTo(at) {
    const { state } = this;
    if (at === state.at) return;
    state.at = at;
    if (at > state.months.length) {
      state.months.push(createBlankMonth(state.months.at(-1)));
      this.onChange();
      return;
    }
    this.history.remember();
    this.save();
    this.showPaper(); // with many players on a phone, only the current month has fields
    this.refresh();
  }

  focusOn(at, seat = 0) {
    (findFirstField(this.find("paper"), at, seat) ?? this.find("heading")).focus();
  }

  /** Selects the next field to fill in; after the last field, goes to the next month. */
  goToNextField(input) {
    const order = this.response.months[this.state.at - 1]?.order ?? [];
    const next = findNextField(this.find("paper"), input, this.month.sums, order);
    if (next) next.select();
    else this.goToNextMonth();
  }

  /** Opens the next month. Before adding a month, checks the last month and shows missing amounts. */
  async goToNextMonth() {
    const { state } = this;
    if (state.at < state.months.length) return this.goTo(state.at + 1);
    if (this.showLack(state.at)) return undefined;
    if (!(await this.refresh()) || this.response.over) return undefined;
    if (!this.response.months.at(-1).lines.length && !this.month.nothing && !this.response.months.at(-1).done) {
      this.showMessage(state.at, this.month.short ? words.emptySums : words.empty);
      return undefined;
    }
    const months = [...state.months, createBlankMonth(this.month)];
    const response = await this.request({ ...state, months, at: state.at });
    if (!response) return undefined;
    if (response.faults.some(({ doubt }) => !doubt)) {
      this.show(response);
      return findFaultyField(root)?.focus();
    }
    this.response = response; // the user may tap in the new month before the next response
    state.months = months;
    state.at = months.length;
    this.onChange();
    return this.focusOn(state.at);
  }

  /** Shows a message if a `short` month lacks an amount. Returns whether an amount is missing. */
  showLack(number) {
    const { order } = this.response.months[number - 1] ?? {};
    const seat = order ? findLackingSeat(this.state.months[number - 1], order) : 0;
    if (!seat) return false;
    this.showMessage(number, words.lacking.replace("%(name)s", this.response.players[seat - 1]));
    this.focusOn(number, seat);
    return true;
  }

  /** Shows a message next to a month until the next change. */
  showMessage(number, text) {
    this.messages = { [number]: text };
    this.showPaper();
    this.say(text, true);
  }

  /** Submits the sheet only if no amount is missing and the archive's response is current. */
  async onSubmit(event) {
    const lacking = this.state.months.findIndex((_, i) => this.showLack(i + 1));
    if (lacking < 0 && (this.isSubmitting || (this.isCurrent && navigator.onLine))) return;
    event.preventDefault();
    this.isSubmitting = lacking < 0 && (await this.refresh());
    if (this.isSubmitting) event.target.requestSubmit(event.submitter);
    this.isSubmitting = false;
  }

  drop() {
    const { state } = this;
    state.months.splice(state.at - 1, 1);
    state.at = Math.min(state.at, state.months.length);
    this.onChange();
    this.find("heading").focus();
  }

  // Requests and drafts ------------------------------------------------------------------------

  /**
   * Stores a change immediately and requests the sheet after a pause. Keys without a pause between them
   * are a single change.
   */
  onChange(pause = 0) {
    this.history.record(!pause || !this.waiting);
    this.isCurrent = false;
    this.messages = {};
    this.save();
    this.showPaper();
    clearTimeout(this.waiting);
    if (pause) this.waiting = setTimeout(() => this.refresh(), pause);
    else this.refresh();
  }

  /** Undoes or redoes a change. */
  step(command) {
    if (!this.history.step(command)) return this.say(words.gone);
    this.save();
    return this.refresh();
  }

  save() {
    const { players, ruleset } = this.state;
    // The archive's response about a new month may be the last one.
    if (this.response) this.drafts.storeResponse(this.draft, this.response);
    this.draft.title = `${this.setup.ruleset(ruleset).name}: ${players.join(" – ")}`;
    return this.saver.save(this.draft);
  }

  /** Requests and shows the sheet. Returns whether the request succeeded. */
  async refresh() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    const response = await this.request(this.state);
    this.isCurrent = Boolean(response);
    if (response) this.show(response);
    return Boolean(response);
  }

  /** Returns the response for a state; null after showing a refusal next to the month. */
  async request(state) {
    const { response, refusal } = await this.archive.requestSheet(state);
    if (response) this.refusals = {};
    if (refusal) {
      this.refusals = { [state.at]: refusal };
      this.showPaper();
      this.say(refusal, true);
    }
    return response ?? null;
  }

  /** Shows a newer version of the open draft that another tab or browser has stored. */
  onForeignChange(draft) {
    const isNewer = draft.id === this.draft.id && draft.changed > this.draft.changed;
    const newer = isNewer && restoreSheet(draft, createBlankMonth);
    if (!newer) return;
    this.history.open(newer);
    this.notice.show(words.elsewhere);
    this.refresh();
  }

  // Display ------------------------------------------------------------------------------------

  /**
   * Shows a refusal with the last response for the draft, or else alone. Without a response about the
   * current month, which was begun without a network, the paper is shown without the form of the month.
   */
  showLastResponse() {
    const refusal = this.refusals[this.state.at];
    const last = this.draft.last?.[1];
    if (last?.months[this.state.at - 1]) this.show(last);
    else {
      this.showWork();
      this.response = last ?? null;
      this.showPaper();
    }
    if (refusal) this.say(refusal, true);
  }

  /** Hides the beginning, and shows the place of the sheet. */
  showWork() {
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
  }

  show(response) {
    this.response = response;
    const { state } = this;
    this.drafts.storeResponse(this.draft, response);
    this.showWork();
    for (const field of this.find("tags").querySelectorAll("input")) field.value = state.tags[field.name] ?? "";
    this.stones ||= response.form.stone;
    const view = new MonthView(words, this.units, response, this.month, this.seat, makeCard);
    const month = response.months[state.at - 1];
    this.find("heading").textContent = month.name;
    morphContent(this.find("parts"), ...view.createParts());
    this.showPaper();
    const isLast = state.at === state.months.length;
    this.find("after").disabled = isLast && response.over;
    this.find("drop").hidden = state.months.length === 1;
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    showUnsupported(this.find("unsaid"), words.unsaid, state.unsaid ?? []);
    showSettlement(this.find("settlement"), response, words, this.units);
    this.status.showVerdict(response, state.at, this.setup.ruleset(state.ruleset));
    this.find("text").textContent = response.kafu;
    this.find("save").value = response.kafu;
    this.find("entries").value = response.entries;
    this.find("send").disabled = !response.months.some(({ lines, done }) => lines.length > 0 || done);
  }

  /** Shows the current entries on the paper, with the computed values of the last response. */
  showPaper() {
    if (!this.response) return;
    const { response, state, stones, units } = this;
    const messages = { ...this.messages, ...this.refusals };
    const rows = listRows(state.months, response, createBlankMonth);
    morphContent(this.find("paper"), new Paper({ words, units, response, state, rows, stones, messages }).createTable());
  }

  /** The names of the fields of amounts: kan, if the ruleset has kan, and the small unit. */
  get units() {
    return this.setup.ruleset(this.state.ruleset).fields;
  }

  say(text, wrong = false) {
    this.status.say(text, wrong);
  }
}

new SheetForm().open();
// Without storage the page still works online.
cachePage().catch(() => {});
