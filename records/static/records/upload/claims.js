// @ts-check
/** Claims of anonymous uploads: adds an upload to the account by its secret. */

import { csrf } from "../retry.js";
import { forgetUpload } from "./sent_uploads.js";

const PAUSE = 500; // milliseconds between two requests
const ATTEMPTS = 120;

/**
 * Adds an upload to the account. Returns "added", "gone" if the secret is no longer valid, or "failed".
 * @param {string} address the address of a claim, with KEY for the key of the upload
 * @param {{ key: string, secret: string }} upload
 * @returns {Promise<"added" | "gone" | "failed">}
 */
export async function claimUpload(address, { key, secret }) {
  const headers = { Accept: "application/json", "Upload-Secret": secret, ...csrf() };
  const response = await fetch(address.replace("KEY", key), { method: "POST", headers }).catch(() => null);
  const outcome = response?.ok ? "added" : response?.status === 404 ? "gone" : "failed";
  if (outcome !== "failed") forgetUpload(key);
  return outcome;
}

/**
 * Waits until all games of an upload belong to the account. Returns false after a minute.
 * @param {string} claims the address of a claim, with KEY for the key of the upload
 * @param {string} key
 * @returns {Promise<boolean>}
 */
export async function waitForGames(claims, key) {
  const address = claims.replace("KEY/claim", key);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const response = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    const upload = response?.ok ? await response.json() : null;
    if (upload?.state === "done" && (upload.change?.state ?? "done") === "done") return true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return false;
}
