/**
 * What the reader chose once: kept in the browser for all replays. Spoilers are a cookie on the
 * archive's own pages, so that the server hides results too.
 */

const KEY = "kafu-replay";
const YEAR = 365 * 86400;
/** Steps a second that + and − go through. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const DEFAULTS = { letters: false, months: false, kinds: false, black: false, motion: true, sound: false, spoilers: false, speed: 1 };

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [
        name,
        typeof found[name] === typeof value ? found[name] : value,
      ]),
    );
  } catch {
    return { ...DEFAULTS }; // private windows and foreign frames may refuse
  }
}

function cookie() {
  try {
    return /(^|; )spoilers=hide(;|$)/.test(document.cookie);
  } catch {
    return false;
  }
}

/** Shows or hides letters of cards on the page around a player, by the setting. */
export function showLetters() {
  document.documentElement.classList.toggle("show-letters", stored().letters);
}

/** Settings of one player; `own` says that it stands on a page of the archive. */
export class Settings {
  constructor(own) {
    this.own = own;
    this.values = stored();
    if (own) this.values.spoilers = cookie();
    if (!SPEEDS.includes(this.values.speed)) this.values.speed = DEFAULTS.speed;
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...stored(), [name]: value }));
    } catch {
      // It holds for this page then.
    }
    if (name === "spoilers" && this.own) this.hide(value);
    if (name === "letters" && this.own) showLetters();
  }

  hide(value) {
    try {
      const [word, age] = value ? ["hide", YEAR] : ["", 0];
      document.cookie = `spoilers=${word}; path=/; samesite=lax; max-age=${age}`;
    } catch {
      // The same.
    }
    document.documentElement.classList.toggle("no-spoilers", value);
  }
}
