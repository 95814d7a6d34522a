/** The report of an upload: the draft that was saved by it is none any more. */

import { Drafts } from "./drafts.js";

const from = new URL(document.referrer || location.href);
const draft = from.searchParams.get("draft");
if (draft && from.origin === location.origin && /\/(records|sheets)\/new$/.test(from.pathname)) {
  new Drafts(() => {}).delete(draft).catch(() => {});
}
