// @ts-check
/** Requests of the editors to the archive: `POST /api/v1/positions` and `/sheets` (docs/api.md). */

import { csrf, fetchWithRetry } from "../retry.js";

const TIMEOUT = 20_000; // milliseconds

/** A rejected or failed request, with a readable message. */
export class Refused extends Error {}

/**
 * Returns the letters of named cards, skipping the cards of `used`. Throws `Refused`.
 * @param {string} address
 * @param {string} names
 * @param {string} used
 * @param {Record<string, string>} words
 * @returns {Promise<string>}
 */
export async function fetchLetters(address, names, used, words) {
  const query = new URLSearchParams({ names, lying: used });
  const response = await fetchWithRetry(`${address}&${query}`, { headers: { Accept: "application/json" } }).catch(() => {
    throw new Refused(words.offline);
  });
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body.letters;
  throw new Refused(body?.detail ?? words.offline);
}

/**
 * Posts `fields` as JSON and returns the response. Throws `Refused` with `words.offline` if the server
 * is unreachable, with `words.late` after too many requests, else with the detail of the problem.
 * @param {string} address
 * @param {object} fields
 * @param {Record<string, string>} words
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function post(address, fields, words, signal) {
  // `AbortSignal.any` needs Safari 17.4 or Firefox 124.
  const request = new AbortController();
  for (const source of [signal, AbortSignal.timeout(TIMEOUT)]) {
    source.addEventListener("abort", () => request.abort(source.reason), { signal: request.signal });
  }
  let response;
  try {
    response = await fetchWithRetry(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
      body: JSON.stringify(fields),
      signal: request.signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused(words.offline);
  }
  if (response.status === 429) throw new Refused(words.late);
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  throw new Refused(body?.detail ?? words.offline);
}
