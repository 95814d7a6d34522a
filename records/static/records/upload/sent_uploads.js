/** What was sent from this browser without an account: only by these secrets it can be taken back. */

const NAME = "hana-sent";
const MOST = 200;

/**
 * `[{key, words, when, game, title}]`, the newest first; `game` is the key of an upload's only game,
 * `title` its files or players.
 */
export function sent() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? [];
  } catch {
    return []; // forbidden, or not ours
  }
}

/**
 * Remembers an upload; what is left out stays as it was.
 * @param {string} key
 * @param {string} words
 * @param {{ game?: string, title?: string }} about
 */
export function remember(key, words, { game, title }) {
  const former = sent().find((one) => one.key === key);
  const fresh = { key, words, when: new Date().toISOString(), game: game ?? former?.game, title: title || former?.title };
  keep([fresh, ...others(key)].slice(0, MOST));
}

/** An upload that has an owner now, or is gone. */
export function forget(key) {
  const left = others(key);
  if (left.length < sent().length) keep(left);
}

function others(key) {
  return sent().filter((one) => one.key !== key);
}

function keep(uploads) {
  try {
    localStorage.setItem(NAME, JSON.stringify(uploads));
  } catch {
    // The page itself says that its address is to be kept.
  }
}
