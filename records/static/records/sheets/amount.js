/**
 * Amounts as they are entered: a sign, kan and the small unit, each in a field of its own. A month
 * holds them as words of Kafu (`-1k10`, `22`). Rulesets without kan have the small unit alone.
 */

import { element } from "../replay/elements.js";

const KAN = 12; // of the small unit
const WORD = /^([+-]?)(?:([^k]*)k)?(.*)$/su;
const MINUS = /[▲△▼▽ーｰ─━−－]/gu;

/** The fields of a word. What is no number stays as it was typed. */
export function parts(word) {
  const [, sign, kan = "", rest] = WORD.exec(word.replace(MINUS, "-").trim());
  return { sign, kan, rest };
}

/** The word of the fields; a sign typed into one of them counts. A sign alone waits for its number. */
export function joined({ sign, kan = "", rest }) {
  const [left, right] = [parts(kan), parts(rest)];
  const whole = left.rest && `${left.rest}k`;
  return `${left.sign || right.sign || sign}${whole}${right.rest}`;
}

/** Whether a word has more than its sign. */
export function isWritten(word) {
  return /[^+-]/u.test(word ?? "");
}

/** The amount of a word in the small unit; null where it is no number. */
export function amountOf(word) {
  const { sign, kan, rest } = parts(word.normalize("NFKC"));
  if (!/^\d*$/.test(kan + rest) || !(kan + rest)) return null;
  const amount = Number(kan) * KAN + Number(rest);
  return sign === "-" ? -amount : amount;
}

/** The sign of what is written next: whoever has not yet paid for what others got pays. */
export function dueSign(sums) {
  const sum = sums.reduce((before, word) => before + (amountOf(word ?? "") ?? 0), 0);
  return sum > 0 ? "-" : "";
}

/** A sum of an answer (`+5k10`) as pages write it (`+5 kan 10 pt`); in Japanese it has its units. */
export function inUnits(sum, { kan, rest }) {
  const [, sign, whole, remainder] = (kan && /^([+−]?)(?:(\d+)k)?([1-9]\d*)?$/u.exec(sum)) || [];
  if (sign === undefined) return sum;
  return sign + [whole && `${whole}\u00a0${kan}`, remainder && `${remainder}\u00a0${rest}`].filter(Boolean).join(" ");
}

/** The fields of an amount in the small unit, with a sign where it is not zero. */
export function partsOf(amount, hasKan) {
  const size = Math.abs(amount);
  const sign = amount < 0 ? "-" : "";
  if (!hasKan || !size) return { sign, kan: "", rest: String(size) };
  const [kan, rest] = [Math.floor(size / KAN), size % KAN];
  return { sign, kan: kan ? String(kan) : "", rest: rest ? String(rest) : "" };
}

/** Whether the small unit was written beyond a kan, so that the amount reads otherwise than it was typed. */
export function isCarried(word) {
  const { kan, rest } = parts(word ?? "");
  return amountOf(`${kan}k${rest}`) !== null && Number(rest) >= KAN;
}

/**
 * The fields of one amount. `name` and `at` (attributes) say what it is of, `who` names it, `units`
 * are `{kan, rest}` (`kan` "" without kan), `known` is the amount that follows where nothing is
 * written. `sign` has its button; `auto` is the sign of what is written next,
 * `after` what else stands there.
 */
export function amountFields(words, units, { id, name, at, who, word = "", known = null, sign = true, auto = "", wrong = {}, after = [] }) {
  const follows = known !== null && !isWritten(word) ? partsOf(known, Boolean(units.kan)) : null;
  const written = parts(word);
  const due = isWritten(word) ? "" : follows ? follows.sign : auto;
  const shown = amountOf(word) === 0 ? "" : written.sign || due;
  const field = (part, unit) =>
    element(
      "label",
      { class: unit.length < 3 ? "field short" : "field" },
      element("input", {
        ...(part === "rest" ? { id } : {}),
        name,
        ...at,
        "data-part": part,
        value: written[part],
        placeholder: follows?.[part] ?? "",
        maxlength: "9",
        autocomplete: "off",
        inputmode: "numeric",
        enterkeyhint: "next",
        "aria-label": `${who} ${unit}`,
        ...(isNumber(written[part]) ? {} : { "aria-invalid": "true" }),
        ...wrong,
      }),
      element("span", { "aria-hidden": "true" }, unit),
    );
  const minus = shown === "-";
  const button = element(
    "button",
    { type: "button", class: "second sign", "data-act": "sign", tabindex: "-1", "aria-pressed": String(minus), "aria-label": words.sign.replace("%(name)s", who) },
    minus ? "−" : "+",
  );
  const fields = [...(units.kan ? [field("kan", units.kan)] : []), field("rest", units.rest)];
  return element(
    "div",
    { class: units.kan ? "amount-fields kan" : "amount-fields", "data-sign": shown, "data-key": id },
    ...(sign ? [button] : []),
    ...fields,
    ...after,
  );
}

function isNumber(text) {
  return /^\d*$/.test(text.normalize("NFKC"));
}

/** The word that the fields around an input now have. */
export function wordOf(input) {
  const box = input.closest(".amount-fields");
  const value = (part) => box.querySelector(`[data-part="${part}"]`)?.value.trim() ?? "";
  const word = joined({ sign: box.dataset.sign, kan: value("kan"), rest: value("rest") });
  return isWritten(word) ? word : "";
}
