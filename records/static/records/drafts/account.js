/** Drafts on the server, of who is logged in: `/api/v1/me/drafts` (docs/api.md). */

import { csrf } from "../retry.js";

const OWNER = "hana-owner";

/**
 * Returns the id of the account whose drafts a page shows; undefined without an account. A page that
 * the service worker serves without a network names no account: it belongs to the last one that was
 * logged in here.
 * @param {Account | null} account
 * @returns {string | undefined}
 */
export function ownerOfPage(account) {
  try {
    if (account) localStorage.setItem(OWNER, account.id);
    else if ("offline" in document.documentElement.dataset) return localStorage.getItem(OWNER) ?? undefined;
    else localStorage.removeItem(OWNER);
  } catch {
    // Forbidden: without a network the page then shows drafts without an owner alone.
  }
  return account?.id;
}

/** Forgets the account at log-out, so that pages without a network show none of its drafts. */
export function forgetOwner() {
  localStorage.removeItem(OWNER);
}

export class Account {
  /** `place` is the part of the page that says whose it is. */
  constructor(place) {
    this.id = place.dataset.account;
    this.address = place.dataset.server;
  }

  /** The account that this page is for; null for nobody's. */
  static ofPage() {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-account]"));
    return place && new Account(place);
  }

  /** All drafts, without their states. */
  async list() {
    const found = await this.asked("");
    return found.map(local);
  }

  /** A draft; undefined where there is none. */
  async one(id) {
    const found = await this.asked(`/${id}`);
    return found && { ...local(found), ...found.state, past: [], future: [] };
  }

  /** Keeps a draft but for its undone states; that which is kept, which may be a newer one. */
  async keep({ id, kind = "game", title, changed, ...draft }) {
    const { version, state, replaces } = draft; // of a page that numbers its forms of drafts
    const sent = { kind, title: title.slice(0, 300), changed: new Date(changed).toISOString() };
    return local(await this.asked(`/${id}`, "PUT", { ...sent, state: { version, state, replaces } }));
  }

  delete(id) {
    return this.asked(`/${id}`, "DELETE");
  }

  /** What is answered; undefined for nothing. Throws `Refusal` with words, and what `fetch` throws. */
  async asked(path, method = "GET", fields = undefined) {
    const body = fields ? { body: JSON.stringify(fields) } : {};
    const answer = await fetch(`${this.address}${path}?lang=${document.documentElement.lang}`, {
      method,
      headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
      ...body,
    });
    if (answer.status === 204 || answer.status === 404) return undefined;
    const found = await answer.json();
    if (!answer.ok) throw new Refusal(found.detail);
    return found;
  }
}

/** What the server does not keep, in words for people. */
export class Refusal extends Error {}

/** A draft as the browser has it. */
function local({ key, kind, title, changed }) {
  return { id: key, kind, title, changed: Date.parse(changed) };
}
