/** Adds to the account what was sent from this browser without one. */

import { csrf } from "../retry.js";
import { forget } from "./sent.js";

const PAUSE = 500; // milliseconds between two looks at an upload
const LOOKS = 120; // after them the reader loads the page again

/** Adds an upload to the account; `address` has KEY for its key. The outcome: "added", "gone" if its secret no longer opens it, or "failed". */
export async function claim(address, { key, words }) {
  const headers = { Accept: "application/json", "Upload-Secret": words, ...csrf() };
  const answer = await fetch(address.replace("KEY", key), { method: "POST", headers }).catch(() => null);
  const outcome = answer?.ok ? "added" : answer?.status === 404 ? "gone" : "failed";
  if (outcome !== "failed") forget(key);
  return outcome;
}

/** Waits until all games of an upload are the account's; false if that takes long. */
export async function follow(claims, key) {
  const address = claims.replace("KEY/claim", key);
  for (let left = LOOKS; left > 0; left--) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    const upload = answer?.ok ? await answer.json() : null;
    if (upload?.state === "done" && (upload.change?.state ?? "done") === "done") return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}
