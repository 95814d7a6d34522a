/** What was entered of a month. */

import { isWritten } from "./amount.js";

/**
 * A month in which nothing was entered, as the form holds it; `short`: only its sums; `counted`: card
 * points as they were captured.
 */
export function blank({ short = false, counted = false } = {}) {
  const amounts = { points: [], captured: [], sums: [] };
  return { dealer: null, ba: null, lines: [], ...amounts, stone: null, out: [], nothing: false, short, counted };
}

/** Whether nothing was entered of a month. */
export function isBlank({ lines, points, captured = [], sums, stone, nothing, dealer, ba }) {
  return !(lines.length || [...points, ...captured, ...sums].some(isWritten) || stone || nothing || dealer || ba);
}

/** A line that only says who made it; of nobody (0) there is none. */
export function mark(month, label, seat) {
  month.lines = month.lines.filter((one) => one.label !== label);
  if (seat) month.lines.push({ seat, label, gain: "", payer: 0, half: false, void: null, marks: true });
  month.nothing = false;
}

/**
 * A month as the archive takes it: in the shortest form its sums (or who made that there are none),
 * else all that was paid.
 */
export function sent({ short, counted, lines, points, captured = [], sums, ...rest }) {
  const wanted = short ? lines.filter((line) => line.marks) : lines;
  const plain = wanted.map(({ marks: _, ...line }) => line);
  const all = { ...rest, lines: plain, points: [], captured: [], sums: [] };
  if (short) return { ...all, sums: plain.length ? [] : written(sums) };
  return counted ? { ...all, captured: written(captured) } : { ...all, points: written(points) };
}

/** Amounts without signs that wait for their number. */
function written(words) {
  return words.map((word) => (isWritten(word) ? word : ""));
}

/** A month as it is stored with the sheet: what the archive takes, and the way in which it was entered. */
export function stored(month) {
  return { ...sent(month), short: month.short, counted: month.counted };
}

/** A stored month as the form holds it; with sums there are only lines which say who made a mark. */
export function opened(month) {
  return { ...month, lines: month.lines.map((line) => ({ ...line, marks: month.short })) };
}
