// @ts-check
/** The previous page of a report: an editor, or the page that checks a game. */

import { Drafts } from "./drafts.js";

const previous = new URL(document.referrer || location.href);
const isEditor = previous.origin === location.origin && /\/(records|sheets)\/new$/.test(previous.pathname);

/** The address of the editor from which the game was sent; "" if sent from another page. */
export const editor = isEditor ? previous.href : "";

/** Whether the game was written or checked on the previous page, and not sent as a file. */
export const isWritten = isEditor || (previous.origin === location.origin && previous.pathname.endsWith("/check/"));

/** Deletes the draft of a game that the archive has stored. */
export async function deleteDraft() {
  const draft = isEditor && previous.searchParams.get("draft");
  if (draft) await new Drafts(() => {}).delete(draft).catch(() => {});
}
