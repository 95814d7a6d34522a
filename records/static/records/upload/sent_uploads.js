// @ts-check
/** The anonymous uploads of the browser with their secrets, which alone allow withdrawing an upload. */

import { loadValue, storeText } from "../storage.js";

const NAME = "hana-sent";
const MOST = 200;

/**
 * @typedef {object} SentUpload
 * @property {string} key
 * @property {string} secret
 * @property {string} when the time of sending
 * @property {string} [game] the key of the only game
 * @property {string} [title] the files or the players
 */

/**
 * Returns the stored uploads, the newest first.
 * @returns {SentUpload[]}
 */
export function loadSentUploads() {
  const uploads = loadValue(NAME);
  // Versions before 0.6 stored the secret as `words`.
  return [uploads ?? []].flat().filter(Boolean).map(({ words, ...upload }) => ({ secret: words, ...upload }));
}

/**
 * Stores an upload. Without a game or title, keeps the stored values. Returns whether the browser has
 * stored the upload.
 * @param {string} key
 * @param {string} secret
 * @param {{ game?: string, title?: string }} description
 * @returns {boolean}
 */
export function rememberUpload(key, secret, { game, title }) {
  const former = loadSentUploads().find((upload) => upload.key === key);
  const when = new Date().toISOString();
  const fresh = { key, secret, when, game: game ?? former?.game, title: title || former?.title };
  return store([fresh, ...loadExcept(key)].slice(0, MOST));
}

/**
 * Removes an upload that now has an owner or no longer exists.
 * @param {string} key
 */
export function forgetUpload(key) {
  const uploads = loadExcept(key);
  if (uploads.length < loadSentUploads().length) store(uploads);
}

function loadExcept(key) {
  return loadSentUploads().filter((upload) => upload.key !== key);
}

function store(uploads) {
  return storeText(NAME, JSON.stringify(uploads));
}
