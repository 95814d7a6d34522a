// @ts-check
/**
 * The reader's settings, stored in the browser for all replays. On the archive's pages "hide results"
 * is also a cookie, so that the server hides results.
 */

import { loadCookie, loadValue, storeCookie, storeText } from "../storage.js";

const KEY = "kafu-replay";
const YEAR = 365 * 86400; // seconds
/** The speeds of autoplay in steps per second, selected by + and −. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const DEFAULTS = { letters: false, months: false, kinds: false, black: false, motion: true, sound: false, spoilers: false, speed: 1 };

function loadSettings() {
  const stored = loadValue(KEY) ?? {};
  return Object.fromEntries(
    Object.entries(DEFAULTS).map(([name, value]) => [
      name,
      typeof stored[name] === typeof value ? stored[name] : value,
    ]),
  );
}

/** Returns whether the reader hides results on the archive's pages. */
export const hidesSpoilers = () => loadCookie("spoilers") === "hide";

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
    if (isOwnSite) this.values.spoilers = hidesSpoilers();
    if (!SPEEDS.includes(this.values.speed)) this.values.speed = DEFAULTS.speed;
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    storeText(KEY, JSON.stringify({ ...loadSettings(), [name]: value }));
    if (name === "spoilers" && this.isOwnSite) this.hideSpoilers(value);
    if (name === "letters" && this.isOwnSite) showLetters();
  }

  hideSpoilers(value) {
    storeCookie("spoilers", value ? "hide" : "", value ? YEAR : 0);
    document.documentElement.classList.toggle("no-spoilers", value);
  }
}
