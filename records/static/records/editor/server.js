/** What the machine of the archive says of a record: `POST /api/v1/positions` (docs/api.md). */

import { csrf, fetchWithRetry } from "../retry.js";

const PATIENCE = 20_000; // milliseconds; after them the server counts as away

/** A refusal, in words for people; `fields` where the request itself was wrong. */
export class Refused extends Error {}

/** The letters of cards that are written by names, where those of `lying` lie elsewhere. Throws `Refused`. */
export async function lettersOf(address, names, lying, words) {
  const query = new URLSearchParams({ names, lying });
  const answer = await fetchWithRetry(`${address}&${query}`, { headers: { Accept: "application/json" } }).catch(() => {
    throw new Refused(words.offline);
  });
  const body = await answer.json().catch(() => null);
  if (answer.ok && body) return body.letters;
  throw new Refused(body?.detail ?? words.offline);
}

/**
 * Sends `fields`; the answer. Throws `Refused` with `words.offline` where the server is away, with
 * `words.late` where it is asked too often, else with what it says.
 */
export async function ask(address, fields, words, signal) {
  let answer;
  try {
    answer = await fetchWithRetry(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...csrf() },
      body: JSON.stringify(fields),
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused(words.offline);
  }
  if (answer.status === 429) throw new Refused(words.late);
  const body = await answer.json().catch(() => null);
  if (answer.ok && body) return body;
  throw new Refused(body?.detail ?? words.offline);
}
