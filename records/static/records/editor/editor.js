/**
 * The editor: a game is written down by tapping cards, or as text; both are one record, and what
 * may follow is asked of the archive after each change. Every change is kept in the browser.
 *
 * A state is `{begin, kafu, at, open}`: the game that begins (before a deal lies), the text, the
 * step where it stands, and the turn at it that lacks its stock card. `past` and `future` are the
 * states for undo and redo.
 */

import "../upload/replacing.js";
import { Drafts, goesElsewhere, Keeper, listDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { createDraft, restoredGame, textOf } from "../drafts/restored.js";
import { cardMaker } from "../replay/cards.js";
import { Dealing } from "./dealing.js";
import { keepPage } from "./keep.js";
import { meant } from "./keys.js";
import { Preview } from "./preview.js";
import { ask, lettersOf, Refused } from "./server.js";
import { Setup } from "./setup.js";
import { Steps } from "./steps.js";
import { EditTable } from "./table.js";
import { spanOf, takenBack } from "./take_back.js";
import { TextBox } from "./text.js";
import { Verdict } from "./verdict.js";

const PAUSE = 350; // milliseconds after the last key before the text is judged
const MOST = 300; // states that can be undone

const root = /** @type {HTMLElement} */ (document.querySelector("[data-editor]"));
const data = JSON.parse(document.getElementById("editor-data").textContent);
const { words } = data;

class Editor {
  constructor() {
    const find = (name) => /** @type {any} */ (root.querySelector(`[data-${name}]`));
    this.find = find;
    const card = cardMaker(root.dataset.sprite, data, "");
    this.setup = new Setup(find("setup"), data, (game) => this.begin(game));
    this.text = new TextBox(find("text"), find("lines"), find("under"), () => this.typed(), Boolean(data.text));
    this.verdict = new Verdict(root, words, (fields) => this.inTurn(() => this.change(fields)));
    this.turn = Promise.resolve(); // what is being done
    this.table = new EditTable(find("table"), data, card, {
      act: (move) => this.act(move),
      inTurn: (what) => this.inTurn(what),
    });
    this.dealing = new Dealing(find("dealing"), data, card, (cards) => this.inTurn(() => this.deal(cards)), (names, lying) =>
      lettersOf(root.dataset.cards, names, lying, words),
    );
    this.steps = new Steps(find("deals"), find("steps"), data, card, (at) => this.inTurn(() => this.look(at)));
    this.preview = new Preview(find("preview"), words);
    this.drafts = new Drafts((draft) => this.elsewhere(draft));
    this.notice = new Notice(find("notice"));
    this.keeper = new Keeper(this.drafts, find("kept"), words, this.notice, () => this.text.value);
    this.keeper.probe();
    this.fresh();
    this.listen();
  }

  fresh() {
    this.draft = createDraft();
  }

  get state() {
    return this.draft.state;
  }

  listen() {
    const tapped = (name, what) => this.find(name).addEventListener("click", () => this.inTurn(what));
    tapped("undo", () => this.step("past", "future"));
    tapped("redo", () => this.step("future", "past"));
    tapped("back", () => this.takeBack());
    this.find("comment").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("comment");
      const comment = field.value;
      this.inTurn(() => this.change({ comment }));
      field.value = "";
    });
    this.find("again").addEventListener("click", () => this.startOver());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens the draft of the address, else the game of the page; else lists the drafts. */
  async open() {
    const asked = new URLSearchParams(location.search).get("draft");
    const draft = asked && (await this.drafts.one(asked).catch(() => undefined));
    const found = draft && restoredGame(draft);
    if (draft && !found) this.notice.tell(words.strange, () => textOf(draft));
    if (found && goesElsewhere(found)) return undefined;
    if (found) {
      this.text.arrives = true;
      this.draft = found;
      return this.refresh();
    }
    if (data.text) {
      const state = { kafu: data.text, at: data.at, open: "", begin: null };
      await this.change({}, state);
      if (!this.state && data.at) await this.change({}, { ...state, at: "" }); // no such step
      return undefined;
    }
    return this.list();
  }

  /** The drafts that this browser keeps, where nothing is open yet. */
  list() {
    return listDrafts(this.find("drafts"), this.drafts, "game", data);
  }

  // The beginning ------------------------------------------------------------------------------

  get ruleset() {
    return this.setup.ruleset(this.answer?.ruleset);
  }

  begin(game) {
    return this.change({}, { begin: game, kafu: "", at: "", open: "" });
  }

  // What is done -------------------------------------------------------------------------------

  /** Does something once what was done before has its answer: who taps fast loses no tap. */
  inTurn(what) {
    const done = this.turn.then(what);
    this.turn = done.then(() => {}, () => {});
    return done;
  }

  async act(move) {
    if (!this.answer.legal.some((one) => one.do === move.do)) return; // it was tapped twice
    const { state } = this;
    await this.change({ do: state.open ? [state.open, move.do] : [move.do] });
    if (state === this.state) return; // refused
    // Where the draw pile is known its card turns by itself, unless it captures what one chooses.
    const [next, ...others] = this.answer.legal;
    if (this.state.open && others.length === 0 && next?.kind === "stock") await this.act(next);
  }

  deal(cards) {
    return this.change({ deal: cards });
  }

  /** Removes the step that is shown and what follows it; asks before months go with it. */
  async takeBack() {
    const { at, open } = this.state;
    if (open) return this.change({}, { ...this.state, open: "" });
    const taken = takenBack(at, this.answer);
    if (!(await this.agreed(taken.deals))) return undefined;
    return this.change({ take_back: true, at: taken.at });
  }

  /** Whether these months may be taken back, which the page asks if there are any. */
  agreed(deals) {
    if (deals.length === 0) return true;
    this.find("lost").textContent = words.lost.replace("%(months)s", spanOf(deals, data.monthNames));
    const dialog = this.find("ask");
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
  }

  /** Shows another step. */
  look(at) {
    return this.change({ at }, { ...this.state, open: "" });
  }

  /** What is typed without a pause is one state. */
  typed() {
    this.running?.abort(); // what was asked of the text before must not take the place of this one
    const state = { begin: null, kafu: this.text.value, at: "", open: "" };
    if (this.waiting) {
      this.draft.state = state;
      this.save();
    } else {
      this.keep(state);
    }
    clearTimeout(this.waiting);
    // A tap during the pause must not be aborted by the request for the verdict.
    this.waiting = setTimeout(() => this.inTurn(() => this.judge()), PAUSE);
  }

  /** Requests the verdict on the typed text, and saves the draft with its new title. */
  async judge() {
    this.waiting = 0;
    await this.refresh(true);
    this.save();
  }

  /** Nothing that was typed waits for its verdict any more: another state is shown. */
  heard() {
    clearTimeout(this.waiting);
    this.waiting = 0;
  }

  /** One step back or on: the state goes from one list to the other. */
  step(from, to) {
    const state = this.draft[from].pop();
    if (!state) return this.say(words.gone);
    this.heard();
    this.draft[to].push(this.state);
    this.draft.state = state;
    this.save();
    return this.refresh();
  }

  /** Asks for a change, of `state` if one is given, and takes over what comes. */
  async change(fields, state = this.state) {
    const answer = await this.asked(fields, state);
    if (!answer) return;
    const begins = answer.at === "0.0" && answer.deals.length === 0;
    this.keep({
      begin: begins ? this.beginning(answer) : null,
      kafu: begins ? "" : answer.kafu,
      at: answer.at ?? "",
      open: answer.open,
    });
    this.show(answer);
  }

  /** The game that an answer without any deal begins: no text can say that. */
  beginning({ ruleset, players, options, tags }) {
    return { ruleset, players, options, tags };
  }

  /** Shows the state as it is; `typing` leaves the text alone. */
  async refresh(typing = false) {
    const { state } = this;
    if (!state) return;
    const answer = await this.asked(state.open ? { do: [state.open] } : {}, state);
    const isCurrent = answer && state === this.state;
    if (isCurrent && this.text.arrives && !answer.open) {
      state.kafu = answer.kafu; // another form that was pasted, as Kafu
      this.show(answer);
    } else if (isCurrent) this.show(answer, typing);
    else if (!answer && !this.answer) this.showText();
    else if (!answer && state === this.state) this.unjudged();
  }

  async asked(fields, state) {
    this.running?.abort();
    this.running = new AbortController();
    this.busy(true);
    const base = state.begin ? { new: state.begin } : { kafu: state.kafu };
    const at = state.at && !fields.deal ? { at: state.at } : {};
    try {
      return await ask(root.dataset.positions, { ...base, ...at, ...fields }, words, this.running.signal);
    } catch (error) {
      if (error instanceof Refused) this.say(error.message, true);
      else if (error.name !== "AbortError") throw error;
      if (error instanceof Refused) this.busy(false);
      return null;
    }
  }

  /** Whether an answer is awaited. */
  busy(busy) {
    this.find("work").setAttribute("aria-busy", String(busy));
  }

  // What is kept -------------------------------------------------------------------------------

  keep(state) {
    if (this.state) this.draft.past = [...this.draft.past, this.state].slice(-MOST);
    this.draft.future = [];
    this.draft.state = state;
    this.save();
  }

  save() {
    this.draft.title = this.title();
    return this.keeper.save(this.draft);
  }

  title() {
    const players = this.answer?.players ?? this.state?.begin?.players ?? [];
    return `${this.ruleset.name}: ${players.join(" – ") || "–"}`;
  }

  /** Another tab has changed a draft: if it is this one, its newer state is taken over. */
  elsewhere(draft) {
    const found = draft.id === this.draft.id && draft.changed > this.draft.changed && restoredGame(draft);
    if (!found) return;
    // Undo gives back what stood here alone.
    const own = this.state;
    if (own && JSON.stringify(own) === JSON.stringify(found.state)) {
      this.draft = { ...found, state: own }; // its title is newer
      return;
    }
    this.heard();
    const isKnown = [found.state, ...found.past].some((one) => one.kafu === own?.kafu);
    if (own && !isKnown) found.past.push(own);
    this.draft = found;
    this.notice.tell(words.elsewhere);
    this.refresh();
  }

  startOver() {
    this.heard();
    this.fresh();
    this.answer = null;
    history.replaceState(null, "", location.pathname);
    this.find("work").hidden = true;
    this.find("replaces")?.remove(); // another game takes nobody's place
    this.setup.form.hidden = false;
    this.text.value = "";
    this.verdict.clear();
    this.say("");
    this.list();
  }

  // What is shown ------------------------------------------------------------------------------

  show(answer, typing = false) {
    this.answer = answer;
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
    this.find("work").classList.remove("waiting");
    if (!typing) this.text.value = this.state.begin ? "" : answer.kafu;
    const playable = Boolean(answer.table);
    const toDeal = playable && Boolean(answer.due);
    this.find("table").hidden = !playable || (toDeal && answer.at === "0.0");
    this.find("dealing").hidden = !toDeal;
    if (playable) this.table.show(answer);
    if (toDeal) this.dealing.begin(answer.due, this.next(answer), this.ruleset, answer.players);
    this.find("stock").textContent = playable
      ? words.stock.replace("%(count)s", String(answer.table.stock))
      : "";
    this.steps.show(answer);
    this.verdict.show(answer);
    this.preview.update(answer.kafu, answer.at ?? "");
    this.text.mark(answer.error);
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    this.find("back").disabled = !answer.at || answer.at === "0.0";
    this.find("save").value = answer.kafu;
    const isEmpty = playable && !answer.deals.length;
    this.find("send").disabled = isEmpty || answer.status === "malformed";
    this.busy(false);
  }

  /** What is written, where the server cannot be asked what it comes to. */
  showText() {
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
    this.find("work").classList.remove("waiting");
    this.text.value = this.state.kafu;
    this.text.mark(null);
  }

  /** What was typed has no verdict: none is shown of what stood there before. */
  unjudged() {
    this.verdict.clear();
    this.text.mark(null);
  }

  /** The number of the deal that is awaited. */
  next(answer) {
    return answer.at === "0.0" ? 1 : Number(answer.at.split(".")[0]) + 1;
  }

  say(text, wrong = false) {
    this.verdict.say([text], wrong);
  }

  key(event) {
    const { target, key, altKey } = event;
    const isChoice = target.matches("[type=radio], [type=checkbox]") && key in data.kinds; // letters mean nothing there
    if (target.closest("input, textarea, select, kafu-replay, dialog") && !isChoice) return;
    if (altKey || !this.answer) return;
    const what = meant(event, this, data.kinds);
    if (!what) return;
    event.preventDefault();
    this.inTurn(what);
  }
}

new Editor().open();
// Where that is forbidden or there is no room, the page works all the same with a network.
keepPage().catch(() => {});
