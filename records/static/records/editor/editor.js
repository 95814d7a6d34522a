// @ts-check
/**
 * The editor: records a game by taps on cards or as text. After each change the archive returns the
 * verdict and the legal moves; every change is stored in the browser.
 *
 * A state is `{begin, kafu, at, open}`: ruleset and players before the first deal, the text, the
 * current step, and a turn that still lacks its card from the draw pile. `past` and `future` are the
 * states for undo and redo.
 */

import "../upload/replacement.js";
import { Drafts, DraftSaver, redirectToDraft, resetAddress, showDrafts } from "../drafts/drafts.js";
import { Notice } from "../drafts/notice.js";
import { createDraft, exportText, restoreGame } from "../drafts/restored.js";
import { cardMaker } from "../replay/cards.js";
import { Dealing } from "./dealing.js";
import { actionForKey } from "./keys.js";
import { cachePage } from "./page_cache.js";
import { Preview } from "./preview.js";
import { fetchLetters, post, Refused } from "./server.js";
import { Setup } from "./setup.js";
import { Steps } from "./steps.js";
import { EditTable } from "./table.js";
import { findTakeBack, formatSpan } from "./take_back.js";
import { TextBox } from "./text.js";
import { Verdict } from "./verdict.js";

const PAUSE = 350; // milliseconds after the last key before a request for a verdict
const MOST = 300; // states in the list of undo

const root = /** @type {HTMLElement} */ (document.querySelector("[data-editor]"));
const data = JSON.parse(document.getElementById("editor-data").textContent);
const { words } = data;

/** The page of the editor: connects its parts, the draft and the archive. */
class Editor {
  constructor() {
    const find = (name) => /** @type {any} */ (root.querySelector(`[data-${name}]`));
    this.find = find;
    const card = cardMaker(root.dataset.sprite, data, "");
    this.setup = new Setup(find("setup"), data, (game) => this.begin(game));
    this.text = new TextBox(find("text"), find("lines"), find("under"), () => this.onInput(), Boolean(data.text));
    this.verdict = new Verdict(root, words, (fields) => this.enqueue(() => this.change(fields)));
    this.queue = Promise.resolve();
    this.table = new EditTable(find("table"), data, card, {
      act: (move) => this.act(move),
      enqueue: (task) => this.enqueue(task),
    });
    this.dealing = new Dealing(find("dealing"), data, card, (cards) => this.enqueue(() => this.deal(cards)), (names, used) =>
      fetchLetters(root.dataset.cards, names, used, words),
    );
    this.steps = new Steps(find("deals"), find("steps"), data, card, (at) => this.enqueue(() => this.look(at)));
    this.preview = new Preview(find("preview"), words);
    this.drafts = new Drafts((draft) => this.onForeignChange(draft));
    this.notice = new Notice(find("notice"));
    this.saver = new DraftSaver(this.drafts, find("kept"), words, this.notice, () => this.text.value);
    this.saver.checkStorage();
    this.beginDraft();
    this.listen();
  }

  beginDraft() {
    this.draft = createDraft();
  }

  get state() {
    return this.draft.state;
  }

  listen() {
    const onClick = (name, task) => this.find(name).addEventListener("click", () => this.enqueue(task));
    onClick("undo", () => this.step("past", "future"));
    onClick("redo", () => this.step("future", "past"));
    onClick("back", () => this.takeBack());
    this.find("comment").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = event.target.elements.namedItem("comment");
      const comment = field.value;
      this.enqueue(() => this.change({ comment }));
      field.value = "";
    });
    this.find("save").form.addEventListener("submit", (event) => {
      if (navigator.onLine) return;
      event.preventDefault();
      this.say(words.offline, true);
    });
    this.find("again").addEventListener("click", () => this.startOver());
    document.addEventListener("keydown", (event) => this.onKeydown(event));
  }

  /** Opens the draft of the address, else the game of the page. Without either, lists the drafts. */
  async open() {
    const id = new URLSearchParams(location.search).get("draft");
    const stored = id && (await this.drafts.load(id).catch(() => undefined));
    const draft = stored && restoreGame(stored);
    if (stored && !draft) this.notice.show(words.strange, () => exportText(stored));
    if (draft && redirectToDraft(draft)) return undefined;
    if (draft) {
      this.text.selectsFault = true;
      this.draft = draft;
      return this.refresh();
    }
    if (data.text) {
      const state = { kafu: data.text, at: data.at, open: "", begin: null };
      await this.change({}, state);
      if (!this.state && data.at) await this.change({}, { ...state, at: "" }); // the step does not exist
      return undefined;
    }
    return this.list();
  }

  list() {
    return showDrafts(this.find("drafts"), this.drafts, "game", data, this.notice);
  }

  // The beginning ------------------------------------------------------------------------------

  get ruleset() {
    return this.setup.ruleset(this.response?.ruleset);
  }

  begin(game) {
    return this.change({}, { begin: game, kafu: "", at: "", open: "" });
  }

  // Moves --------------------------------------------------------------------------------------

  /** Runs a task after the response to all earlier tasks, so that no fast tap is lost. */
  enqueue(task) {
    const result = this.queue.then(task);
    this.queue = result.then(() => {}, () => {});
    return result;
  }

  async act(move) {
    if (!this.response.legal.some((legal) => legal.do === move.do)) return; // a second tap on one card
    const { state } = this;
    await this.change({ do: state.open ? [state.open, move.do] : [move.do] });
    if (state !== this.state) await this.playForcedMoves(); // not refused
  }

  /** Plays cards without an alternative. Undo takes them back together with the user's last tap. */
  async playForcedMoves() {
    const [next, ...others] = this.response.legal;
    if (others.length || !["hand", "stock"].includes(next?.kind)) return;
    const { state } = this;
    await this.change({ do: state.open ? [state.open, next.do] : [next.do] }, state, true);
    if (state !== this.state) await this.playForcedMoves();
  }

  deal(cards) {
    return this.change({ deal: cards });
  }

  /** Removes the current step and all later steps. Asks for confirmation before removing months. */
  async takeBack() {
    const { at, open } = this.state;
    if (open) return this.change({}, { ...this.state, open: "" });
    const removal = findTakeBack(at, this.response);
    if (!(await this.confirmRemoval(removal.deals))) return undefined;
    return this.change({ take_back: true, at: removal.at });
  }

  /** Asks whether to remove deals. Returns true without asking if the list is empty. */
  confirmRemoval(deals) {
    if (deals.length === 0) return true;
    this.find("lost").textContent = words.lost.replace("%(months)s", formatSpan(deals, data.monthNames));
    const dialog = this.find("ask");
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
  }

  look(at) {
    return this.change({ at }, { ...this.state, open: "" });
  }

  /** Handles typing: keys without a pause between them change a single state of undo. */
  onInput() {
    this.running?.abort(); // the response to an older text must not replace the new text
    const state = { begin: null, kafu: this.text.value, at: "", open: "" };
    if (this.waiting) {
      this.draft.state = state;
      this.save();
    } else {
      this.pushState(state);
    }
    clearTimeout(this.waiting);
    // A tap during the pause must not be aborted by the request for the verdict.
    this.waiting = setTimeout(() => this.enqueue(() => this.judge()), PAUSE);
  }

  /** Requests the verdict on the typed text, and saves the draft with its new title. */
  async judge() {
    this.waiting = 0;
    await this.refresh(true);
    this.save();
  }

  /** Cancels the pending request for a verdict, because another state is displayed. */
  cancelRequest() {
    clearTimeout(this.waiting);
    this.waiting = 0;
  }

  /** Undoes or redoes a change: moves a state between the lists `past` and `future`. */
  step(from, to) {
    const state = this.draft[from].pop();
    if (!state) return this.say(words.gone);
    this.cancelRequest();
    this.draft[to].push(this.state);
    this.draft.state = state;
    this.save();
    return this.refresh();
  }

  /**
   * Requests a change of a state, by default the current one, and shows the response. A forced change
   * is no state of its own for undo.
   */
  async change(fields, state = this.state, isForced = false) {
    const response = await this.request(fields, state);
    if (!response) return;
    const begins = response.at === "0.0" && response.deals.length === 0;
    this.pushState({
      begin: begins ? this.createBeginning(response) : null,
      kafu: begins ? "" : response.kafu,
      at: response.at ?? "",
      open: response.open,
    }, isForced);
    this.show(response);
  }

  /** Returns the beginning of a game without deals, which no text can express. */
  createBeginning({ ruleset, players, options, tags }) {
    return { ruleset, players, options, tags };
  }

  /** Requests and shows the current state. With `typing`, the text remains unchanged. */
  async refresh(typing = false) {
    const { state } = this;
    if (!state) return;
    const response = await this.request(state.open ? { do: [state.open] } : {}, state);
    const isCurrent = response && state === this.state;
    if (isCurrent && this.text.selectsFault && !response.open) {
      state.kafu = response.kafu; // pasted JSON or another format, converted to Kafu
      this.show(response);
    } else if (isCurrent) this.show(response, typing);
    else if (!response && !this.response) this.showLastTable();
    else if (!response && state === this.state) this.clearVerdict();
  }

  async request(fields, state) {
    this.running?.abort();
    this.running = new AbortController();
    this.setBusy(true);
    const base = state.begin ? { new: state.begin } : { kafu: state.kafu };
    const at = state.at && !fields.deal ? { at: state.at } : {};
    try {
      return await post(root.dataset.positions, { ...base, ...at, ...fields }, words, this.running.signal);
    } catch (error) {
      if (error instanceof Refused) this.say(error.message, true);
      else if (error.name !== "AbortError") throw error;
      if (error instanceof Refused) this.setBusy(false);
      return null;
    }
  }

  setBusy(isBusy) {
    this.find("work").setAttribute("aria-busy", String(isBusy));
  }

  // Drafts -------------------------------------------------------------------------------------

  pushState(state, isForced = false) {
    if (this.state && !isForced) this.draft.past = [...this.draft.past, this.state].slice(-MOST);
    this.draft.future = [];
    this.draft.state = state;
    this.save();
  }

  save() {
    this.draft.title = this.createTitle();
    return this.saver.save(this.draft);
  }

  createTitle() {
    const players = this.response?.players ?? this.state?.begin?.players ?? [];
    return `${this.ruleset.name}: ${players.join(" – ") || "–"}`;
  }

  /** Shows a newer version of the open draft that another tab or browser has stored. */
  onForeignChange(draft) {
    const newer = draft.id === this.draft.id && draft.changed > this.draft.changed && restoreGame(draft);
    if (!newer) return;
    const { state } = this;
    if (state && JSON.stringify(state) === JSON.stringify(newer.state)) {
      this.draft = { ...newer, state }; // only the title is new
      return;
    }
    this.cancelRequest();
    // Undo returns to a state that only the present tab had.
    const isKnown = [newer.state, ...newer.past].some(({ kafu }) => kafu === state?.kafu);
    if (state && !isKnown) newer.past.push(state);
    this.draft = newer;
    this.notice.show(words.elsewhere);
    this.refresh();
  }

  startOver() {
    this.cancelRequest();
    this.beginDraft();
    this.response = null;
    resetAddress();
    this.find("work").hidden = true;
    this.find("replaces")?.remove(); // a new game corrects no stored game
    this.setup.form.hidden = false;
    this.text.value = "";
    this.verdict.clear();
    this.say("");
    this.list();
  }

  // Display ------------------------------------------------------------------------------------

  show(response, typing = false) {
    this.response = response;
    this.drafts.storeResponse(this.draft, response);
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
    this.find("work").classList.remove("waiting");
    if (!typing) this.text.value = this.state.begin ? "" : response.kafu;
    const playable = Boolean(response.table);
    const toDeal = playable && Boolean(response.due);
    this.find("table").hidden = !playable || (toDeal && response.at === "0.0");
    const isDealt = !this.find("dealing").hidden && playable && !toDeal;
    this.find("dealing").hidden = !toDeal;
    if (playable) this.table.show(response);
    if (isDealt) this.find("table").scrollIntoView();
    if (toDeal) this.dealing.begin(response.due, this.findNextDealNumber(response), this.ruleset, response.players);
    this.find("stock").textContent = playable
      ? words.stock.replace("%(count)s", String(response.table.stock))
      : "";
    this.steps.show(response);
    this.verdict.show(response);
    this.preview.update(response.kafu, response.at ?? "");
    this.text.markFault(response.error);
    this.find("undo").disabled = this.draft.past.length === 0;
    this.find("redo").disabled = this.draft.future.length === 0;
    this.find("back").disabled = !response.at || response.at === "0.0";
    this.find("save").value = response.kafu;
    const isEmpty = playable && !response.deals.length;
    this.find("send").disabled = isEmpty || response.status === "malformed";
    this.setBusy(false);
  }

  /** Shows the last table of the draft with the server's refusal, or else the text alone. */
  showLastTable() {
    const [state, last] = this.draft.last ?? [];
    if (state !== JSON.stringify(this.state)) return this.showText();
    const { textContent } = this.verdict.message;
    this.show(last);
    this.say(textContent, true);
  }

  /** Shows the text alone, if the server gave no response. */
  showText() {
    this.setup.form.hidden = true;
    this.find("drafts").hidden = true;
    this.find("work").hidden = false;
    this.find("work").classList.remove("waiting");
    this.text.value = this.state.kafu;
    this.text.markFault(null);
  }

  /** Clears the verdict of the previous text. */
  clearVerdict() {
    this.verdict.clear();
    this.text.markFault(null);
  }

  findNextDealNumber(response) {
    return response.at === "0.0" ? 1 : Number(response.at.split(".")[0]) + 1;
  }

  say(text, wrong = false) {
    this.verdict.say([text], wrong);
  }

  onKeydown(event) {
    const { target, key, altKey } = event;
    const isChoice = target.matches("[type=radio], [type=checkbox]") && key in data.kinds; // no text field
    if (target.closest("input, textarea, select, kafu-replay, dialog") && !isChoice) return;
    if (altKey || !this.response) return;
    const action = actionForKey(event, this, data.kinds);
    if (!action) return;
    event.preventDefault();
    this.enqueue(action);
  }
}

new Editor().open();
// Without storage the page still works online.
cachePage().catch(() => {});
