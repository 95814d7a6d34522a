// @ts-check
/**
 * Stores drafts in the browser until the user deletes them or the archive stores the game: each change
 * immediately. If a tab changes a draft that another tab has open, the other tab is notified. Drafts of
 * logged-in users are also stored on the server: changes are sent after a pause, deletions immediately,
 * both again later if the network fails.
 *
 * In the browser a draft of an account has its `owner` and the times of its last change, `changed`, and
 * of the change that the server has, `sent`. A `deleted` draft remains until the server has deleted it.
 * Accounts may share a browser: a page reads and changes the drafts of its own account, and drafts
 * without an owner.
 */

import { element } from "../replay/elements.js";
import { awaitEvent, isDeviceReady, openChannel, openDatabase } from "../storage.js";
import { formatTime } from "../times.js";
import { Account, ownerOfPage, Refusal } from "./account.js";
import { completeOfflineForm } from "./offline_form.js";

const STORE = "drafts";
const CHANNEL = "hana-drafts";
const GAME = "game";
const PAUSE = 2000; // milliseconds after the last change before it is sent

/** The database, opened by the first transaction. */
let database;

/** Runs `work` on the store. Returns the result of its request after the transaction is complete. */
async function runTransaction(mode, work) {
  database ??= openDatabase("hana", STORE);
  database.catch(() => (database = undefined)); // a later transaction may find space
  const transaction = (await database).transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  return awaitEvent(transaction, "complete", ["error", "abort"], () => request.result);
}

const put = (draft) => runTransaction("readwrite", (store) => store.put(draft));
const get = (id) => runTransaction("readonly", (store) => store.get(id));
const getAll = () => runTransaction("readonly", (store) => store.getAll());
const remove = (id) => runTransaction("readwrite", (store) => store.delete(id));

/**
 * Removes the drafts of accounts other than `owner` from the browser, except drafts whose last change
 * or deletion the server lacks. Without `owner`, the drafts of all accounts.
 * @param {string | undefined} owner
 */
export function removeForeignDrafts(owner) {
  return runTransaction("readwrite", (store) => {
    const request = store.getAll();
    request.addEventListener("success", () => {
      for (const draft of request.result) {
        const isForeign = draft.owner !== undefined && draft.owner !== owner;
        if (isForeign && !draft.deleted && draft.sent === draft.changed) store.delete(draft.id);
      }
    });
    return request;
  });
}

/** The drafts of a page's account, in the browser and on the server. */
export class Drafts {
  /** `onChange(draft)` is called for a draft that another tab or browser has changed. */
  constructor(onChange) {
    this.onChange = onChange;
    this.channel = openChannel(CHANNEL);
    this.channel?.addEventListener("message", ({ data }) => this.isOwn(data) && onChange(data));
    this.account = Account.ofPage();
    this.owner = ownerOfPage(this.account);
    removeForeignDrafts(this.owner).catch(() => {});
    /** Called after sending: with the server's refusal, or with "" if the server has all drafts. */
    this.onSent = /** @type {(refusal: string) => void} */ (() => {});
    if (!this.account) return;
    window.addEventListener("online", () => this.send());
    this.send();
  }

  /** Returns whether a draft belongs to the page's account or has no owner. */
  isOwn({ owner }) {
    return owner === undefined || owner === this.owner;
  }

  /** Returns the page's drafts in the browser, including deleted ones. */
  async readOwnDrafts() {
    return (await getAll()).filter((draft) => this.isOwn(draft));
  }

  /** Returns the page's draft in the browser; undefined without one, or if another account has it. */
  async readOwnDraft(id) {
    const draft = await get(id);
    return draft && this.isOwn(draft) ? draft : undefined;
  }

  /** Stores a draft. Throws if the browser forbids storage or has no space. */
  async save(draft) {
    if (this.owner) draft.owner = this.owner;
    await put(draft);
    this.channel?.postMessage(draft);
    if (!this.account) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.send(), PAUSE);
  }

  /** Returns the newest version of a draft; undefined without one. */
  async load(id) {
    const local = await this.readOwnDraft(id).catch(() => undefined);
    if (local?.deleted) return undefined;
    const remote = await this.account?.load(id).catch(() => undefined);
    return remote && remote.changed > (local?.changed ?? 0) ? this.storeRemote(remote) : local;
  }

  /** Stores a draft of the server in the browser. */
  async storeRemote(remote) {
    const draft = { ...remote, owner: this.owner, sent: remote.changed };
    await put(draft).catch(() => {});
    return draft;
  }

  /**
   * Returns all drafts of a kind, the newest first: games card by card, or score sheets. Drafts whose
   * newest version only the server has are marked `away`.
   */
  async list(kind = GAME) {
    const rows = await this.readOwnDrafts().catch(() => []);
    const deletedIds = new Set(rows.filter(({ deleted }) => deleted).map(({ id }) => id));
    const drafts = new Map(rows.filter(({ deleted }) => !deleted).map((draft) => [draft.id, draft]));
    const remotes = await this.account?.list().catch(() => null);
    for (const remote of remotes ?? []) {
      if (!deletedIds.has(remote.id) && remote.changed > (drafts.get(remote.id)?.changed ?? 0)) {
        drafts.set(remote.id, { ...remote, away: true });
      }
    }
    if (remotes) await this.removeDeleted(drafts, new Set(remotes.map(({ id }) => id)));
    const ofKind = [...drafts.values()].filter((draft) => (draft.kind ?? GAME) === kind);
    return ofKind.sort((a, b) => b.changed - a.changed);
  }

  /**
   * Stores the server's last response for a draft in the browser, which shows it without a network. Its
   * first element is the state of the draft as JSON.
   */
  storeResponse(draft, response) {
    draft.last = [JSON.stringify(draft.state), response];
    return changeStored(draft.id, (stored) => ({ ...stored, last: draft.last })).catch(() => {});
  }

  /** Throws if the browser forbids storage. */
  checkStorage() {
    return runTransaction("readonly", (store) => store.count());
  }

  /** Removes drafts that the server had and no longer has: another browser has deleted them. */
  async removeDeleted(drafts, remoteIds) {
    for (const { id, owner, changed, sent } of drafts.values()) {
      if (!owner || sent !== changed || remoteIds.has(id)) continue;
      drafts.delete(id);
      await remove(id);
    }
  }

  /** Deletes a draft in the browser and on the server, unless another account owns the draft. */
  async delete(id) {
    const draft = await get(id).catch(() => undefined);
    if (draft && !this.isOwn(draft)) return undefined;
    if (!this.owner) return remove(id);
    await put({ id, owner: this.owner, deleted: true });
    return this.account ? this.send() : undefined;
  }

  /** Sends changed drafts to the server, one at a time. After a failure, a later call tries again. */
  async send() {
    this.sending = (this.sending ?? Promise.resolve()).then(() => this.sendAll()).catch(() => {});
    return this.sending;
  }

  async sendAll() {
    let refusal = "";
    for (const draft of await this.findUnsent()) {
      try {
        await this.sendDraft(draft);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusal = error.message;
      }
    }
    // Drafts that changed during sending are not on the server yet: a later call reports them.
    if (refusal || (await this.findUnsent()).length === 0) this.onSent(refusal);
  }

  /**
   * Returns the account's drafts whose last change or deletion is not on the server. Drafts of older
   * versions without a `state` remain in the browser.
   */
  async findUnsent() {
    const drafts = (await this.readOwnDrafts()).filter(({ owner }) => owner);
    return drafts.filter(({ deleted, state, changed, sent }) => deleted || (state && changed !== sent));
  }

  /** Sends the deletion or the last change of a draft. A newer draft of the server replaces the draft. */
  async sendDraft(draft) {
    if (draft.deleted) {
      await this.account.delete(draft.id);
      return remove(draft.id);
    }
    const stored = await this.account.save(draft);
    if (stored.changed > draft.changed) {
      const newer = await this.account.load(draft.id);
      return newer && this.onChange(await this.storeRemote(newer));
    }
    return markSent(draft);
  }
}

/** Marks a draft as sent, unless the draft was changed or deleted meanwhile. */
function markSent({ id, changed }) {
  return changeStored(id, (draft) => (draft.changed === changed ? { ...draft, sent: changed } : draft));
}

/** Replaces a draft in the browser by `change(draft)`, unless the draft is deleted. */
function changeStored(id, change) {
  return runTransaction("readwrite", (store) => {
    const request = store.get(id);
    request.addEventListener("success", () => {
      const draft = request.result;
      if (draft && !draft.deleted) store.put(change(draft));
    });
    return request;
  });
}

/** Stores the open draft of a page and writes the draft's id into the address. */
export class DraftSaver {
  /**
   * `status` is the element that shows success, in the form for saving; `notice` shows a failure and
   * offers the result of `exportText()` as a file; `words` are the texts of the page.
   */
  constructor(drafts, status, words, notice, exportText) {
    this.drafts = drafts;
    this.status = status;
    this.words = words;
    this.notice = notice;
    this.exportText = exportText;
    this.unsaved = false;
    this.saving = false;
    if ("offline" in document.documentElement.dataset) completeOfflineForm(status.closest("form"));
    drafts.onSent = (refusal) => {
      if (!this.draft || this.saving) return;
      this.status.textContent = refusal ? words.notSent.replace("%(reason)s", refusal) : words.sent;
    };
  }

  /**
   * Stores a draft with the current time, the key of the game that the page corrects, and the club of
   * the page. A change during storing is stored afterwards.
   */
  async save(draft) {
    draft.changed = Date.now();
    this.draft = draft;
    this.status.textContent = "";
    this.unsaved = true;
    if (this.saving) return;
    this.saving = true;
    const address = new URL(location.href);
    const corrected = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=replaces]"));
    draft.replaces = corrected?.value;
    draft.club = findClub();
    address.search = formatQuery(draft);
    history.replaceState(null, "", address);
    let problem = null;
    while (this.unsaved) {
      this.unsaved = false;
      problem = await this.drafts.save(structuredClone(this.draft)).then(
        () => null,
        (error) => error,
      );
    }
    this.saving = false;
    this.status.textContent = problem ? "" : this.words.saved;
    if (problem) this.showProblem(problem);
    else this.notice.hide();
  }

  /** Warns the user before the first change if the browser forbids storage. */
  async checkStorage() {
    await this.drafts.checkStorage().catch((error) => this.showProblem(error));
  }

  showProblem(error) {
    const isFull = error.name === "QuotaExceededError";
    this.notice.show(isFull ? this.words.full : this.words.forbidden, this.draft ? this.exportText : null);
  }
}

/**
 * Returns the query of the page that opens a draft, with the key of the game that the draft corrects and
 * the club that gets it.
 */
function formatQuery(/** @type {{ id: string, replaces?: string, club?: string }} */ { id, replaces, club }) {
  const fields = { ...(club ? { club } : {}), ...(replaces ? { record: replaces } : {}), draft: id };
  return new URLSearchParams(fields).toString();
}

/** Returns the club that gets the games of the page; undefined without one. */
function findClub() {
  return /** @type {HTMLInputElement | null} */ (document.querySelector("[name=club]"))?.value;
}

/** Writes the address of a new game into the address bar. */
export function resetAddress() {
  const club = findClub();
  const query = club ? `?${new URLSearchParams({ club })}` : "";
  history.replaceState(null, "", location.pathname + query);
}

/**
 * Redirects a draft that corrects a game, or that is for a club, to the page that knows it. Returns
 * whether it redirects.
 * @param {{ id: string, replaces?: string, club?: string }} draft
 * @param {{ search: string }} [address]
 * @param {(query: string) => void} [redirect]
 * @returns {boolean}
 */
export function redirectToDraft(draft, { search } = location, redirect = (target) => location.replace(target)) {
  const query = new URLSearchParams(search);
  const isComplete = (!draft.replaces || query.has("record")) && (!draft.club || query.has("club"));
  if (isComplete) return false;
  redirect(`?${formatQuery(draft)}`);
  return true;
}

/**
 * Lists the drafts of a kind on the page, each with a link and a button that deletes the draft. A page
 * from the service worker's cache has the list above its form, and tells that the server is unreachable,
 * unless the device was made ready.
 * @param {HTMLElement} root
 * @param {Drafts} drafts
 * @param {string} kind
 * @param {{ lang: string, words: Record<string, string> }} data
 * @param {import("./notice.js").Notice} notice
 */
export async function showDrafts(root, drafts, kind, { lang, words }, notice) {
  if ("offline" in document.documentElement.dataset) {
    if (!isDeviceReady()) notice.show(words.offline);
    notice.root.after(root);
  }
  const rows = await drafts.list(kind).catch(() => []);
  const items = rows.map((draft) => {
    const address = new URL(location.href);
    address.search = formatQuery(draft);
    const time = formatTime(draft.changed, lang);
    const button = element("button", { type: "button", class: "second" }, words.delete);
    const place = draft.away ? [element("small", {}, words.away), " "] : [];
    const item = element("li", {}, element("a", { href: address.href }, draft.title), ` ${time} `, ...place, button);
    button.addEventListener("click", async () => {
      await drafts.delete(draft.id);
      item.remove();
    });
    return item;
  });
  root.hidden = items.length === 0;
  root.querySelector("ul").replaceChildren(...items);
}
