/** What was sent from this browser without an account: only by these secrets it can be taken back. */

const NAME = "hana-sent";
const MOST = 200;

/** `[{key, words, when}]`, the newest first. */
export function sent() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? [];
  } catch {
    return []; // forbidden, or not ours
  }
}

export function remember(key, words) {
  const others = sent().filter((one) => one.key !== key);
  try {
    localStorage.setItem(NAME, JSON.stringify([{ key, words, when: new Date().toISOString() }, ...others].slice(0, MOST)));
  } catch {
    // The page itself says that its address is to be kept.
  }
}
