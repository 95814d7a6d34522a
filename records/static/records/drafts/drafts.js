/**
 * Stores drafts in the browser until they are deleted or saved: each change immediately. If a tab
 * changes a draft that another tab has open, the other tab is notified. Drafts of logged-in users are
 * also stored on the server: changes and deletions are sent after a pause, or later with a network.
 *
 * In the browser a draft of an account has its `owner`, and `sent`, the change that the server has; a
 * `deleted` draft remains until the server has deleted it. Accounts may share a browser: a page reads
 * and changes the drafts of its own account, and drafts without an owner.
 */

import { element } from "../replay/elements.js";
import { minute } from "../times.js";
import { Account, ownerOfPage, Refusal } from "./account.js";

const STORE = "drafts";
const CHANNEL = "hana-drafts";
const GAME = "game";
const PAUSE = 2000; // milliseconds after the last change before it is sent

/** What becomes of a request or transaction: resolved at one event, rejected at others. */
function settled(source, good, bad, result) {
  return new Promise((resolve, reject) => {
    source.addEventListener(good, () => resolve(result()));
    for (const name of bad) {
      source.addEventListener(name, () => reject(source.error ?? new Error(name)));
    }
  });
}

/** The database, opened once. */
let database;

function opened() {
  const request = indexedDB.open("hana", 1);
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore(STORE, { keyPath: "id" });
  });
  return settled(request, "success", ["error", "blocked"], () => request.result);
}

/** Runs `work` on the store; what its request gives once it is safe. */
async function done(mode, work) {
  database ??= opened();
  database.catch(() => (database = undefined)); // the next try may find room
  const transaction = (await database).transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  return settled(transaction, "complete", ["error", "abort"], () => request.result);
}

const put = (draft) => done("readwrite", (store) => store.put(draft));
const get = (id) => done("readonly", (store) => store.get(id));
const getAll = () => done("readonly", (store) => store.getAll());
const remove = (id) => done("readwrite", (store) => store.delete(id));

/**
 * Deletes the drafts of accounts other than `owner` from the browser, if the server has them.
 * @param {string | undefined} owner
 */
export function clearSent(owner) {
  return done("readwrite", (store) => {
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

export class Drafts {
  /** `changed(draft)` is called for a draft that another tab or browser has changed. */
  constructor(changed) {
    this.changed = changed;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
    this.channel?.addEventListener("message", ({ data }) => this.isOwn(data) && changed(data));
    this.account = Account.ofPage();
    this.owner = ownerOfPage(this.account);
    clearSent(this.owner).catch(() => {});
    /** Called with what the server did not keep, in words; with "" once it has all. */
    this.sent = /** @type {(refusal: string) => void} */ (() => {});
    if (!this.account) return;
    window.addEventListener("online", () => this.send());
    this.send();
  }

  /** Returns whether a draft belongs to the page's account or to nobody. */
  isOwn({ owner }) {
    return owner === undefined || owner === this.owner;
  }

  /** Returns the page's drafts in the browser, including deleted ones. */
  async rows() {
    return (await getAll()).filter((draft) => this.isOwn(draft));
  }

  /** Returns the page's draft in the browser; undefined without one, or if another account has it. */
  async row(id) {
    const draft = await get(id);
    return draft && this.isOwn(draft) ? draft : undefined;
  }

  /** Keeps a draft. Throws where the browser has no room or forbids it. */
  async keep(draft) {
    if (this.owner) draft.owner = this.owner;
    await put(draft);
    this.channel?.postMessage(draft);
    if (!this.account) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.send(), PAUSE);
  }

  /** The newest draft of this id; undefined if there is none. */
  async one(id) {
    const here = await this.row(id).catch(() => undefined);
    if (here?.deleted) return undefined;
    const there = await this.account?.one(id).catch(() => undefined);
    return there && there.changed > (here?.changed ?? 0) ? this.taken(there) : here;
  }

  /** Keeps a draft of the server in the browser too. */
  async taken(draft) {
    const found = { ...draft, owner: this.owner, sent: draft.changed };
    await put(found).catch(() => {});
    return found;
  }

  /**
   * All drafts of a kind, the newest first: games card by card, or score sheets. Those that only
   * the server has are `away`.
   */
  async all(kind = GAME) {
    const rows = await this.rows().catch(() => []);
    const gone = new Set(rows.filter(({ deleted }) => deleted).map(({ id }) => id));
    const here = new Map(rows.filter(({ deleted }) => !deleted).map((draft) => [draft.id, draft]));
    const there = await this.account?.list().catch(() => null);
    for (const draft of there ?? []) {
      if (!gone.has(draft.id) && draft.changed > (here.get(draft.id)?.changed ?? 0)) {
        here.set(draft.id, { ...draft, away: true });
      }
    }
    if (there) await this.forget(here, new Set(there.map(({ id }) => id)));
    const wanted = [...here.values()].filter((draft) => (draft.kind ?? GAME) === kind);
    return wanted.sort((one, other) => other.changed - one.changed);
  }

  /** Throws where this browser keeps nothing. */
  probe() {
    return done("readonly", (store) => store.count());
  }

  /** Drops what the server had and has no more: it was deleted or saved elsewhere. */
  async forget(here, there) {
    for (const { id, owner, changed, sent } of here.values()) {
      if (!owner || sent !== changed || there.has(id)) continue;
      here.delete(id);
      await remove(id);
    }
  }

  /** Deletes a draft, here and on the server. A draft of another account stays. */
  async delete(id) {
    const here = await get(id).catch(() => undefined);
    if (here && !this.isOwn(here)) return undefined;
    if (!this.owner) return remove(id);
    await put({ id, owner: this.owner, deleted: true });
    return this.account ? this.send() : undefined;
  }

  /** Sends what the server does not have yet, one after the other; what fails is sent later. */
  async send() {
    this.sending = (this.sending ?? Promise.resolve()).then(() => this.sendAll()).catch(() => {});
    return this.sending;
  }

  async sendAll() {
    let refusal = "";
    for (const draft of await this.unsent()) {
      try {
        await this.sendOne(draft);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusal = error.message;
      }
    }
    // What was changed meanwhile has its own turn, and is not on the server before.
    if (refusal || (await this.unsent()).length === 0) this.sent(refusal);
  }

  /** What the server does not have of this account's drafts. */
  async unsent() {
    const drafts = (await this.rows()).filter(({ owner }) => owner);
    return drafts.filter(({ deleted, state, changed, sent }) => deleted || (state && changed !== sent));
  }

  async sendOne(draft) {
    if (draft.deleted) {
      await this.account.delete(draft.id);
      return remove(draft.id);
    }
    const kept = await this.account.keep(draft);
    if (kept.changed > draft.changed) {
      const newer = await this.account.one(draft.id);
      return newer && this.changed(await this.taken(newer));
    }
    return noteSent(draft);
  }
}

/** Notes that the server has a draft, unless it was changed or deleted meanwhile. */
function noteSent({ id, changed }) {
  return done("readwrite", (store) => {
    const request = store.get(id);
    request.addEventListener("success", () => {
      const found = request.result;
      if (found && !found.deleted && found.changed === changed) store.put({ ...found, sent: changed });
    });
    return request;
  });
}

/** Keeps the draft that a page has open; where it is kept stands in the address. */
export class Keeper {
  /** `said` says that it was kept, `notice` that it was not; `text()` is what is written then. */
  constructor(drafts, said, words, notice, text) {
    this.drafts = drafts;
    this.said = said;
    this.words = words;
    this.notice = notice;
    this.text = text;
    this.unsaved = false;
    this.saving = false;
    drafts.sent = (refusal) => {
      if (!this.draft || this.saving) return;
      this.said.textContent = refusal ? words.notSent.replace("%(reason)s", refusal) : words.sent;
    };
  }

  /** Keeps a draft as it is now; what changes meanwhile is kept after that. */
  async save(draft) {
    draft.changed = Date.now();
    this.draft = draft;
    this.said.textContent = "";
    this.unsaved = true;
    if (this.saving) return;
    this.saving = true;
    const address = new URL(location.href);
    const corrected = /** @type {HTMLInputElement | null} */ (document.querySelector("[name=replaces]"));
    draft.replaces = corrected?.value;
    address.search = query(draft);
    history.replaceState(null, "", address);
    let problem = null;
    while (this.unsaved) {
      this.unsaved = false;
      problem = await this.drafts.keep(structuredClone(this.draft)).then(
        () => null,
        (error) => error,
      );
    }
    this.saving = false;
    this.said.textContent = problem ? "" : this.words.saved;
    if (problem) this.lose(problem);
    else this.notice.hide();
  }

  /** Says at once, before anything is written, where this browser keeps nothing. */
  async probe() {
    await this.drafts.probe().catch((error) => this.lose(error));
  }

  lose(error) {
    const isFull = error.name === "QuotaExceededError";
    this.notice.tell(isFull ? this.words.full : this.words.forbidden, this.draft ? this.text : null);
  }
}

/** The query of a page that opens a draft, with the game that it corrects. */
function query({ id, replaces }) {
  return new URLSearchParams({ ...(replaces ? { record: replaces } : {}), draft: id }).toString();
}

/** Opens a draft on the page of the game that it corrects; false if this is the page for it. */
export function goesElsewhere(draft, { search } = location, go = (target) => location.replace(target)) {
  if (!draft.replaces || new URLSearchParams(search).has("record")) return false;
  go(`?${query(draft)}`);
  return true;
}

/** Shows the drafts of a kind, each with its address. */
export async function listDrafts(root, drafts, kind, { lang, words }) {
  const found = await drafts.all(kind).catch(() => []);
  const items = found.map((draft) => {
    const address = new URL(location.href);
    address.search = query(draft);
    const time = minute(draft.changed, lang);
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
