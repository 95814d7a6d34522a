// @ts-check
/** Drafts of logged-in users on the server: `/api/v1/me/drafts` (docs/api.md). */

import { csrf } from "../retry.js";
import { loadText, storeText } from "../storage.js";

const OWNER = "hana-owner";

/**
 * Returns the id of the account whose drafts a page shows; undefined without an account. A page from
 * the service worker's cache names no account: it shows the drafts of the last account in the browser.
 * @param {Account | null} account
 * @returns {string | undefined}
 */
export function ownerOfPage(account) {
  if (!account && "offline" in document.documentElement.dataset) return loadText(OWNER) ?? undefined;
  storeText(OWNER, account?.id ?? null);
  return account?.id;
}

/** Forgets the account at log-out, so that offline pages show none of its drafts. */
export function forgetOwner() {
  storeText(OWNER, null);
}

/** The logged-in account as a store of drafts. */
export class Account {
  /** `place` is the element with the account's id and the address of its drafts. */
  constructor(place) {
    this.id = place.dataset.account;
    this.address = place.dataset.server;
  }

  /** Returns the account of the page; null if the user is not logged in. */
  static ofPage() {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-account]"));
    return place && new Account(place);
  }

  /** Returns all drafts, without their states. */
  async list() {
    const drafts = await this.request("");
    return drafts.map(toLocalDraft);
  }

  /** Returns a draft; undefined if the server has none. */
  async load(id) {
    const draft = await this.request(`/${id}`);
    return draft && { ...toLocalDraft(draft), ...draft.state, past: [], future: [] };
  }

  /** Stores a draft without its undo states. Returns the server's draft, which may be newer. */
  async save({ id, kind = "game", title, changed, ...draft }) {
    const { version, state, replaces, club } = draft;
    const fields = { kind, title: title.slice(0, 300), changed: new Date(changed).toISOString() };
    return toLocalDraft(await this.request(`/${id}`, "PUT", { ...fields, state: { version, state, replaces, club } }));
  }

  delete(id) {
    return this.request(`/${id}`, "DELETE");
  }

  /**
   * Returns the content of a response; undefined for 204 and 404. Throws a `Refusal` with the
   * server's message, and the errors of `fetch`.
   */
  async request(path, method = "GET", fields = undefined) {
    const body = fields ? { body: JSON.stringify(fields) } : {};
    const response = await fetch(`${this.address}${path}?lang=${document.documentElement.lang}`, {
      method,
      headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
      ...body,
    });
    if (response.status === 204 || response.status === 404) return undefined;
    const content = await response.json();
    if (!response.ok) throw new Refusal(content.detail);
    return content;
  }
}

/** The server's refusal to store a draft, with a readable message. */
export class Refusal extends Error {}

/** Returns a draft of the server in the form that the browser stores. */
function toLocalDraft({ key, kind, title, changed }) {
  return { id: key, kind, title, changed: Date.parse(changed) };
}
