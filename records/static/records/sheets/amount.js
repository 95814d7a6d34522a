// @ts-check
/**
 * Fields for amounts: a sign, kan and the small unit. A month stores an amount as a word of Kafu
 * (`-1k10`, `22`). Rulesets without kan have only the small unit.
 */

import { element } from "../replay/elements.js";

const KAN = 12; // of the small unit
const WORD = /^([+-]?)(?:([^k]*)k)?(.*)$/su;
const MINUS = /[▲△▼▽ーｰ─━−－]/gu;

/** @typedef {{ sign: string, kan?: string, rest: string }} AmountParts `rest` is in the small unit */

/**
 * Splits a word into its fields. Text that is not a number remains unchanged.
 * @param {string} word
 * @returns {AmountParts}
 */
export function splitAmount(word) {
  const [, sign, kan = "", rest] = WORD.exec(word.replace(MINUS, "-").trim());
  return { sign, kan, rest };
}

/**
 * Joins fields to a word. A sign typed into a number field takes precedence.
 * @param {AmountParts} parts
 * @returns {string}
 */
export function joinAmount({ sign, kan = "", rest }) {
  const [left, right] = [splitAmount(kan), splitAmount(rest)];
  const whole = left.rest && `${left.rest}k`;
  return `${left.sign || right.sign || sign}${whole}${right.rest}`;
}

/**
 * Returns whether a word has more than a sign.
 * @param {string | null | undefined} word
 * @returns {boolean}
 */
export function isFilled(word) {
  return /[^+-]/u.test(word ?? "");
}

/**
 * Returns the amount of a word in the small unit; null if the word is not a number.
 * @param {string} word
 * @returns {number | null}
 */
export function parseAmount(word) {
  const { sign, kan, rest } = splitAmount(word.normalize("NFKC"));
  if (!/^\d*$/.test(kan + rest) || !(kan + rest)) return null;
  const amount = Number(kan) * KAN + Number(rest);
  return sign === "-" ? -amount : amount;
}

/**
 * Returns the sign of the next amount: minus while the amounts of a month have a positive sum.
 * @param {string[]} sums
 * @returns {"" | "-"}
 */
export function nextSign(sums) {
  const sum = sums.reduce((before, word) => before + (parseAmount(word ?? "") ?? 0), 0);
  return sum > 0 ? "-" : "";
}

/**
 * Converts a sum of a response (`+5k10`) to the form of pages (`+5 kan 10 pt`). Japanese sums already
 * have units.
 * @param {string} sum
 * @param {{ kan: string, rest: string }} units
 * @returns {string}
 */
export function addUnits(sum, { kan, rest }) {
  const [, sign, whole, remainder] = (kan && /^([+−]?)(?:(\d+)k)?([1-9]\d*)?$/u.exec(sum)) || [];
  if (sign === undefined) return sum;
  return sign + [whole && `${whole}\u00a0${kan}`, remainder && `${remainder}\u00a0${rest}`].filter(Boolean).join(" ");
}

/**
 * Splits an amount in the small unit into fields.
 * @param {number} amount
 * @param {boolean} hasKan
 * @returns {AmountParts}
 */
export function splitNumber(amount, hasKan) {
  const size = Math.abs(amount);
  const sign = amount < 0 ? "-" : "";
  if (!hasKan || !size) return { sign, kan: "", rest: String(size) };
  const [kan, rest] = [Math.floor(size / KAN), size % KAN];
  return { sign, kan: kan ? String(kan) : "", rest: rest ? String(rest) : "" };
}

/**
 * Returns whether the small unit exceeds a kan, so that the response writes the amount differently.
 * @param {string | null | undefined} word
 * @returns {boolean}
 */
export function isCarried(word) {
  const { kan, rest } = splitAmount(word ?? "");
  return parseAmount(`${kan}k${rest}`) !== null && Number(rest) >= KAN;
}

/**
 * Creates the fields of one amount. `units` are `{kan, rest}` (`kan` is "" without kan). `name` and the
 * attributes `at` identify the amount, `who` is its accessible name, `word` the entered word, `known`
 * the computed amount that an empty field shows. `sign` adds a button for the sign, `auto` is the sign
 * of an empty field, `wrong` are attributes of a faulty field, `after` are further elements.
 */
export function createAmountFields(words, units, { id, name, at, who, word = "", known = null, sign = true, auto = "", wrong = {}, after = [] }) {
  const computed = known !== null && !isFilled(word) ? splitNumber(known, Boolean(units.kan)) : null;
  const entered = splitAmount(word);
  const defaultSign = isFilled(word) ? "" : computed ? computed.sign : auto;
  const shownSign = parseAmount(word) === 0 ? "" : entered.sign || defaultSign;
  const field = (part, unit) =>
    element(
      "label",
      { class: unit.length < 3 ? "field short" : "field" },
      element("input", {
        ...(part === "rest" ? { id } : {}),
        name,
        ...at,
        "data-part": part,
        value: entered[part],
        placeholder: computed?.[part] ?? "",
        maxlength: "9",
        autocomplete: "off",
        inputmode: "numeric",
        enterkeyhint: "next",
        "aria-label": `${who} ${unit}`,
        ...(isNumber(entered[part]) ? {} : { "aria-invalid": "true" }),
        ...wrong,
      }),
      element("span", { "aria-hidden": "true" }, unit),
    );
  const isNegative = shownSign === "-";
  const button = element(
    "button",
    { type: "button", class: "second sign", "data-act": "sign", tabindex: "-1", "aria-pressed": String(isNegative), "aria-label": words.sign.replace("%(name)s", who) },
    isNegative ? "−" : "+",
  );
  const fields = [...(units.kan ? [field("kan", units.kan)] : []), field("rest", units.rest)];
  return element(
    "div",
    { class: units.kan ? "amount-fields kan" : "amount-fields", "data-sign": shownSign, "data-key": id },
    ...(sign ? [button] : []),
    ...fields,
    ...after,
  );
}

function isNumber(text) {
  return /^\d*$/.test(text.normalize("NFKC"));
}

/**
 * Returns the word of the amount that an input belongs to; "" for empty fields.
 * @param {HTMLElement} input
 * @returns {string}
 */
export function readAmount(input) {
  const box = /** @type {HTMLElement} */ (input.closest(".amount-fields"));
  const value = (part) =>
    /** @type {HTMLInputElement | null} */ (box.querySelector(`[data-part="${part}"]`))?.value.trim() ?? "";
  const word = joinAmount({ sign: box.dataset.sign, kan: value("kan"), rest: value("rest") });
  return isFilled(word) ? word : "";
}
