// @ts-check
/**
 * Requests of the editors to the archive: `POST /api/v1/positions` and `/sheets` (docs/api.md). A device
 * that was made ready responds in place of a server that cannot be reached.
 */

import { csrf, fetchWithRetry } from "../retry.js";
import { loadDevice } from "./page_cache.js";

const TIMEOUT = 20_000; // milliseconds
const PATIENCE = 4000; // milliseconds until a ready device responds
const PAUSE = 30_000; // milliseconds after a failure, in which a ready device responds immediately

/** The time until which the server counts as unreachable. */
let awayUntil = 0;

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
  const fields = { names, lying: used };
  const options = { headers: { Accept: "application/json" } };
  const { signal } = new AbortController();
  return (await send(`${address}&${new URLSearchParams(fields)}`, options, fields, words, signal)).letters;
}

/**
 * Posts `fields` as JSON and returns the response. Throws `Refused` with `words.offline` if the server
 * is unreachable, with `words.late` after too many requests, else with the detail of the problem.
 * @param {string} address
 * @param {object} fields
 * @param {Record<string, string>} words
 * @param {AbortSignal} signal
 * @param {object} [deviceFields] the fields for a ready device
 * @returns {Promise<any>}
 */
export async function post(address, fields, words, signal, deviceFields = fields) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", ...csrf() };
  return send(address, { method: "POST", headers, body: JSON.stringify(fields) }, deviceFields, words, signal);
}

/** Returns the response of the server or of the device, as `post`. */
async function send(address, options, deviceFields, words, signal) {
  const device = await loadDevice();
  signal.throwIfAborted();
  const isAway = device && Date.now() < awayUntil;
  const response = isAway ? null : await reach(address, options, signal, device ? PATIENCE : TIMEOUT);
  if (device && !(response?.status < 500)) {
    awayUntil = Date.now() + PAUSE;
    const value = await device.respond(address, deviceFields).catch(({ code, message }) => {
      throw new Refused(code && code !== "engine-failed" ? message : words.offline);
    });
    signal.throwIfAborted();
    return value;
  }
  if (response?.status === 429) throw new Refused(words.late);
  const body = await response?.json().catch(() => null);
  if (response?.ok && body) return body;
  throw new Refused(body?.detail ?? words.offline);
}

/** Returns the server's response; null if it is unreachable. Throws if `signal` is aborted. */
async function reach(address, options, signal, timeout) {
  // `AbortSignal.any` needs Safari 17.4 or Firefox 124.
  const request = new AbortController();
  for (const source of [signal, AbortSignal.timeout(timeout)]) {
    source.addEventListener("abort", () => request.abort(source.reason), { signal: request.signal });
    if (source.aborted) request.abort(source.reason);
  }
  try {
    request.signal.throwIfAborted();
    return await fetchWithRetry(address, { ...options, signal: request.signal });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
