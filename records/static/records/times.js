// @ts-check
/** Times in the reader's zone; the server writes them in UTC. */

/**
 * Returns a time in words, by default in the browser's zone: `26 November 2026 at 15:14`; "" for an
 * invalid time.
 * @param {string | number} moment
 * @param {string} [lang]
 * @param {string} [timeZone]
 * @returns {string}
 */
export function formatTime(moment, lang = document.documentElement.lang, timeZone = undefined) {
  const date = new Date(moment);
  if (Number.isNaN(date.valueOf())) return ""; // drafts of older versions have no time
  const locale = lang === "en" ? "en-GB" : lang; // the server's pages write the day first too
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone });
  return format.format(date);
}

/**
 * Rewrites the times within an element, by default within the page.
 * @param {ParentNode} [root]
 */
export function showLocalTimes(root = /** @type {ParentNode} */ (document)) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-minute]"))) {
    time.textContent = formatTime(time.dateTime);
  }
}
