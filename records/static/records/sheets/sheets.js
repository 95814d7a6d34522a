/**
 * Score-sheet forms: what a table writes down month by month. The form holds what was entered; its
 * lines, sums, what may be chosen and what is wrong are asked of the archive after each change.
 * Every change is kept in the browser, with those before it (`past`) and those undone (`future`).
 */

import "../upload/replacing.js";
import { Drafts, goesElsewhere, Keeper, listDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { restoredSheet, textOf, VERSION } from "../drafts/restored.js";
import { keepPage } from "../editor/keep.js";
import { ask, Refused } from "../editor/server.js";
import { Setup } from "../editor/setup.js";
import { element } from "../replay/moves.js";
import { drawnTable, settlementTable } from "./drawn.js";
import { blank, mark, opened, sent, stored } from "./entered.js";
import { MonthView } from "./month.js";
import { morph } from "./morph.js";

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
    this.fresh();
    this.listen();
  }

  /** A part of the page, by the name of its data attribute. */
  find(name) {
    return /** @type {any} */ (root.querySelector(`[data-${name}]`));
  }

  fresh() {
    const id = crypto.randomUUID();
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
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("input", (event) => this.entered(event.target));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.next();
    });
    this.find("tags").addEventListener("input", ({ target }) => {
      this.state.tags[target.name] = target.value;
      this.changed(PAUSE);
    });
    this.find("months").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.goTo(Number(button.dataset.at));
    });
    this.find("go").addEventListener("click", () => this.goTo(Number(this.find("go").dataset.at)));
    this.find("before").addEventListener("click", () => this.goTo(this.state.at - 1));
    this.find("drop").addEventListener("click", () => this.drop());
    this.find("again").addEventListener("click", () => this.startOver());
    this.find("undo").addEventListener("click", () => this.step("past", "future"));
    this.find("redo").addEventListener("click", () => this.step("future", "past"));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens the draft of the address, else the sheet of the page; else lists the drafts. */
  async open() {
    const asked = new URLSearchParams(location.search).get("draft");
    const draft = asked && (await this.drafts.one(asked).catch(() => undefined));
    const isSheet = draft?.kind === "sheet";
    const found = isSheet && restoredSheet(draft, blank);
    if (isSheet && !found) this.notice.tell(words.strange, () => textOf(draft));
    if (found && goesElsewhere(found)) return undefined;
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
    this.take({ ...this.draft, state: { ...game, tags: {}, months: [blank()], at: 1 } });
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
    const button = event.target.closest("[data-act]");
    if (!button) return;
    const { act, label, line, field, seat } = button.dataset;
    if (act === "toggle") this.toggle(label);
    else if (act === "sign") this.sign(field, Number(seat));
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

  sign(field, seat) {
    const input = this.find("month").querySelector(`#${field}-${seat}`);
    const value = input.value || input.placeholder;
    this.month[field][seat - 1] = /^[-−]/.test(value) ? value.slice(1) : `-${value.replace("+", "")}`;
    this.changed();
    input.focus();
  }

  /** A field was changed by typing or choosing. */
  entered(field) {
    const { month } = this;
    const { name, value, checked } = field;
    const line = month.lines[Number(field.dataset.line ?? -1)];
    const seat = Number(field.dataset.seat ?? 0);
    let pause = 0;
    if (name === "dealer" || name === "stone") month[name] = Number(value);
    else if (name === "ba") month.ba = value;
    else if (name === "short" || name === "counted") month[name] = value === "1";
    else if (name === "mark") mark(month, field.dataset.label, Number(value));
    else if (name === "whose") this.seat = Number(value);
    else if (name === "nothing") month.nothing = checked;
    else if (name === "plays") this.plays(seat, checked);
    else if (name === "points" || name === "captured" || name === "sums") {
      month[name] = this.state.players.map((_, i) => (i + 1 === seat ? value : (month[name]?.[i] ?? "")));
      pause = PAUSE;
    } else if (name === "gain" || name === "value") {
      line.gain = value;
      pause = name === "gain" ? PAUSE : 0;
    } else if (name === "payer") line.payer = Number(value);
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

  /** Shows another month, which changes nothing. */
  goTo(at) {
    this.state.at = at;
    this.keep();
    this.save();
    this.refresh();
    this.find("heading").focus();
  }

  /** The month after this one; a new one only if this one is whole. */
  async next() {
    const { state } = this;
    if (state.at < state.months.length) return this.goTo(state.at + 1);
    if (!(await this.refresh()) || this.answer.over) return undefined;
    if (!this.answer.months.at(-1).lines.length && !this.month.nothing) return this.say(words.empty, true);
    const longer = [...state.months, blank(this.month)];
    const answer = await this.asked({ ...state, months: longer, at: state.at });
    if (!answer) return undefined;
    if (answer.faults.some((one) => !one.doubt)) return this.show(answer);
    this.answer = answer; // it has the new month, where somebody taps before its own answer is there
    state.months = longer;
    state.at = longer.length;
    this.changed();
    return this.find("heading").focus();
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
    this.keep();
    this.save();
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
      return { ...(await ask(root.dataset.sheets, fields, words, this.running.signal)), entries };
    } catch (error) {
      if (error instanceof Refused) this.say(error.message, true);
      else if (error.name !== "AbortError") throw error;
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
    const view = new MonthView(words, answer.players, answer, this.month, this.seat);
    const month = answer.months[state.at - 1];
    this.find("heading").textContent = month.name;
    morph(this.find("parts"), element("div", { "data-parts": "" }, ...view.parts()));
    this.find("standing").replaceChildren(view.standing());
    this.months(answer);
    const last = state.at === state.months.length;
    this.find("after").disabled = last && answer.over;
    this.find("before").disabled = state.at === 1;
    this.find("drop").hidden = state.months.length === 1;
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    this.unsaid(state.unsaid ?? []);
    this.drawn(answer);
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

  months(answer) {
    const wrong = new Set(answer.faults.filter((one) => !one.doubt).map((one) => one.month));
    const buttons = answer.months.slice(0, this.state.months.length).map(({ name }, i) => {
      const button = element("button", { type: "button", class: wrong.has(i + 1) ? "second wrong" : "second", "data-at": String(i + 1) }, name);
      if (i + 1 === this.state.at) button.setAttribute("aria-current", "true");
      return button;
    });
    this.find("months").replaceChildren(...buttons);
  }

  drawn(answer) {
    const steps = answer.settlement.length > 1 ? [settlementTable(answer.settlement, answer.players)] : [];
    this.find("drawn").replaceChildren(...(answer.table ? [drawnTable(answer.table)] : []));
    this.find("sheet").hidden = !answer.table;
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

new SheetForm().open();
// Where that is forbidden or there is no room, the page works all the same with a network.
keepPage().catch(() => {});
