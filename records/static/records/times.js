/** Times of the archive in the reader's zone. The server writes them in UTC, which stays without this module. */

/** A time in words, by default in the zone of this browser: `26 November 2026 at 15:14`; "" for none. */
export function minute(moment, lang = document.documentElement.lang, timeZone = undefined) {
  const date = new Date(moment);
  if (Number.isNaN(date.valueOf())) return ""; // a draft of an older version
  const locale = lang === "en" ? "en-GB" : lang; // the day first, as everywhere on these pages
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone });
  return format.format(date);
}

/** Writes the times within an element or the page anew. */
export function showLocalTimes(root = /** @type {ParentNode} */ (document)) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-minute]"))) {
    time.textContent = minute(time.dateTime);
  }
}
