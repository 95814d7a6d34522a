// @ts-check
/** The entries of a month, as the form, the archive and drafts have them. */

import { isFilled } from "./amount.js";

/**
 * Returns an empty month. With `short`, users enter only its sums; with `counted`, card points as
 * captured.
 */
export function createBlankMonth({ short = false, counted = false } = {}) {
  const amounts = { points: [], captured: [], sums: [] };
  return { dealer: null, ba: null, lines: [], ...amounts, stone: null, out: [], nothing: false, short, counted };
}

/**
 * Returns whether a month is empty.
 * @param {any} month
 * @returns {boolean}
 */
export function isBlank({ lines, points, captured = [], sums, stone, nothing, dealer, ba }) {
  return !(lines.length || [...points, ...captured, ...sums].some(isFilled) || stone || nothing || dealer || ba);
}

/**
 * Sets the player of a line without amount; seat 0 removes the line.
 * @param {any} month
 * @param {string} label
 * @param {number} seat
 */
export function setMark(month, label, seat) {
  month.lines = month.lines.filter((line) => line.label !== label);
  if (seat) month.lines.push({ seat, label, gain: "", payer: 0, half: false, void: null, marks: true });
  month.nothing = false;
}

/**
 * Adds a payment to a player, or removes all its lines. If a player who sits out pays alone, each call
 * adds a line for the next possible payer.
 * @param {any} month
 * @param {any} offer
 * @param {number} seat
 * @param {number[]} order the seats in play
 */
export function toggleLine(month, { label, payers, marks }, seat, order) {
  const existing = month.lines.filter((line) => line.label === label && line.seat === seat);
  const isSingle = payers.length > 0 && !payers.some((payer) => order.includes(payer));
  const isFree = (payer) => existing.every((line) => line.payer !== payer);
  const payer = isSingle ? (payers.find(isFree) ?? 0) : 0;
  if (existing.length && !payer) month.lines = month.lines.filter((line) => !existing.includes(line));
  else month.lines.push({ seat, label, gain: "", payer, half: false, void: null, marks });
  month.nothing = false;
}

/** Writes an amount into the month, or into the line that the field belongs to. */
export function writeAmount(month, players, { name, dataset: { seat, line } }, word) {
  if (name === "gain") month.lines[Number(line)].gain = word;
  else month[name] = Array.from({ length: players }, (_, i) => (i + 1 === Number(seat) ? word : (month[name]?.[i] ?? "")));
  month.nothing = false;
}

/** Writes the value of a changed field into the month, or into the field's line. */
export function applyField(month, { name, value, checked, dataset }) {
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

/**
 * Returns the seats that sit out after a player joins or leaves; three players play.
 * @param {number} players
 * @param {number[]} order the seats in play
 * @param {number} seat
 * @param {boolean} plays
 * @returns {number[]}
 */
export function seatsOut(players, order, seat, plays) {
  const seats = Array.from({ length: players }, (_, i) => i + 1);
  const staying = plays ? [...order, seat].slice(-3) : order.filter((playing) => playing !== seat);
  const candidates = seats.filter((candidate) => !staying.includes(candidate) && candidate !== seat);
  const playing = [...staying, ...candidates].slice(0, 3);
  return seats.filter((candidate) => !playing.includes(candidate));
}

/**
 * Converts a month to the form of the API: with `short`, the sums or the mark of a month without sums;
 * else all payments.
 */
export function toRequestMonth({ short, counted, lines, points, captured = [], sums, ...fields }) {
  const requestLines = short ? lines.filter((line) => line.marks) : lines;
  const plain = requestLines.map(({ marks: _, ...line }) => line);
  const month = { ...fields, lines: plain, points: [], captured: [], sums: [] };
  if (short) return { ...month, sums: plain.length ? [] : dropLoneSigns(sums) };
  return counted ? { ...month, captured: dropLoneSigns(captured) } : { ...month, points: dropLoneSigns(points) };
}

function dropLoneSigns(words) {
  return words.map((word) => (isFilled(word) ? word : ""));
}

/** Converts a month to the form that the archive stores: the form of the API and the way of entering. */
export function toStoredMonth(month) {
  return { ...toRequestMonth(month), short: month.short, counted: month.counted };
}

/** Converts a stored month to the form of the page. All lines of a `short` month are marks. */
export function fromStoredMonth(month) {
  return { ...month, lines: month.lines.map((line) => ({ ...line, marks: month.short })) };
}
