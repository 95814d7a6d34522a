/** What was saved on the page before this one: on a page of the editor, or where a game is checked. */

import { Drafts } from "./drafts.js";

const from = new URL(document.referrer || location.href);
const isEditor = from.origin === location.origin && /\/(records|sheets)\/new$/.test(from.pathname);

/** The address of the page of the editor on which the game was written; "" for another page. */
export const editor = isEditor ? from.href : "";

/** Whether the game was written or checked on the page before, and not sent as a file. */
export const isWritten = isEditor || (from.origin === location.origin && from.pathname.endsWith("/check/"));

/** Deletes the draft: the archive has its game. */
export async function deleteDraft() {
  const draft = isEditor && from.searchParams.get("draft");
  if (draft) await new Drafts(() => {}).delete(draft).catch(() => {});
}
