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

/** Adds a payment of a player, or takes it away; where one pays alone, one for each who can. */
export function toggleLine(month, { label, payers, marks }, seat, order) {
  const mine = month.lines.filter((line) => line.label === label && line.seat === seat);
  const single = payers.length > 0 && !payers.some((payer) => order.includes(payer));
  const payer = single ? (payers.find((one) => mine.every((line) => line.payer !== one)) ?? 0) : 0;
  if (mine.length && !payer) month.lines = month.lines.filter((line) => !mine.includes(line));
  else month.lines.push({ seat, label, gain: "", payer, half: false, void: null, marks });
  month.nothing = false;
}

/** Puts the word of an amount into a month, or into one of its lines. */
export function writeAmount(month, players, { name, dataset: { seat, line } }, word) {
  if (name === "gain") month.lines[Number(line)].gain = word;
  else month[name] = Array.from({ length: players }, (_, i) => (i + 1 === Number(seat) ? word : (month[name]?.[i] ?? "")));
  month.nothing = false;
}

/** Takes over what was chosen in a field of a month, or of one of its lines. */
export function choose(month, { name, value, checked, dataset }) {
  const line = month.lines[Number(dataset.line ?? -1)];
  if (name === "dealer") month.dealer = Number(value);
  else if (name.startsWith("stone")) month.stone = Number(value);
  else if (name === "ba") month.ba = value;
  else if (name === "short" || name === "counted") month[name] = value === "1";
  else if (name === "nothing") month.nothing = checked;
  else if (name === "value") line.gain = value;
  else if (name === "payer") line.payer = Number(value);
  else if (name === "half" || name === "void") line[name] = checked;
}

/** Three play: of a larger table the others are out. */
export function seatsOut(players, order, seat, plays) {
  const seats = Array.from({ length: players }, (_, i) => i + 1);
  const kept = plays ? [...order, seat].slice(-3) : order.filter((one) => one !== seat);
  const more = seats.filter((one) => !kept.includes(one) && one !== seat);
  const playing = [...kept, ...more].slice(0, 3);
  return seats.filter((one) => !playing.includes(one));
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
