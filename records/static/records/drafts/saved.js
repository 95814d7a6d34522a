/** The draft that was saved on the page before this one. */

import { Drafts } from "./drafts.js";

const from = new URL(document.referrer || location.href);
const isEditor = from.origin === location.origin && /\/(records|sheets)\/new$/.test(from.pathname);

/** The address of the page on which the game was written; "" if it was sent from another page. */
export const written = isEditor ? from.href : "";

/** Deletes the draft: the archive has its game. */
export async function deleteDraft() {
  const draft = isEditor && from.searchParams.get("draft");
  if (draft) await new Drafts(() => {}).delete(draft).catch(() => {});
}
