// @ts-check
/** Log-out: clears the drafts of accounts from the browser, except drafts that the server lacks. */

import { forgetOwner } from "./account.js";
import { removeForeignDrafts } from "./drafts.js";

const LONGEST = 1000; // milliseconds that the log-out waits for the browser's database

/** Deletes the drafts of all accounts from the browser, if the server has them. */
export async function clearDrafts() {
  forgetOwner();
  await Promise.race([removeForeignDrafts(undefined), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
}
