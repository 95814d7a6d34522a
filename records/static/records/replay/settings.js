// @ts-check
/**
 * The reader's settings, stored in the browser for all replays. On the archive's pages "hide results"
 * is also a cookie, so that the server hides results.
 */

const KEY = "kafu-replay";
const YEAR = 365 * 86400; // seconds
/** The speeds of autoplay in steps per second, selected by + and −. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const DEFAULTS = { letters: false, months: false, kinds: false, black: false, motion: true, sound: false, spoilers: false, speed: 1 };

function loadSettings() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [
        name,
        typeof stored[name] === typeof value ? stored[name] : value,
      ]),
    );
  } catch {
    return { ...DEFAULTS }; // private windows and frames on other sites may forbid storage
  }
}

function hasSpoilerCookie() {
  try {
    return /(^|; )spoilers=hide(;|$)/.test(document.cookie);
  } catch {
    return false;
  }
}

/** Shows or hides the letters of cards on the page, according to the reader's setting. */
export function showLetters() {
  document.documentElement.classList.toggle("show-letters", loadSettings().letters);
}

/** The settings of one player. */
export class Settings {
  /** `isOwnSite` is true for a player on a page of the archive. */
  constructor(isOwnSite) {
    this.isOwnSite = isOwnSite;
    this.values = loadSettings();
    if (isOwnSite) this.values.spoilers = hasSpoilerCookie();
    if (!SPEEDS.includes(this.values.speed)) this.values.speed = DEFAULTS.speed;
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...loadSettings(), [name]: value }));
    } catch {
      // Without storage the setting applies to the open page only.
    }
    if (name === "spoilers" && this.isOwnSite) this.hideSpoilers(value);
    if (name === "letters" && this.isOwnSite) showLetters();
  }

  hideSpoilers(value) {
    try {
      const [word, age] = value ? ["hide", YEAR] : ["", 0];
      document.cookie = `spoilers=${word}; path=/; samesite=lax; max-age=${age}`;
    } catch {
      // Without cookies the setting applies to the open page only.
    }
    document.documentElement.classList.toggle("no-spoilers", value);
  }
}
