/** Clears an account's drafts from the browser at log-out; drafts that the server lacks remain. */

import { forgetOwner } from "./account.js";
import { clearSent } from "./drafts.js";

const LONGEST = 1000; // milliseconds that logging out waits for the browser's database

/** Deletes the drafts that the server has, of every account. */
export async function clearDrafts() {
  forgetOwner();
  await Promise.race([clearSent(undefined), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
}
