// @ts-check
/**
 * Answers a problem at the tap on an action, and stores the answers of daily problems: on the device, and
 * for users who are logged in on the account too.
 */

import { csrf } from "../retry.js";
import { loadValue, storeText } from "../storage.js";

/** The first answers of a ruleset by day: the action, and whether it was the best one. */
/** @typedef {Record<string, [string, boolean]>} Answers */

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days that the device remembers. */
const MOST_DAYS = 400;

/** @param {string} ruleset */
const nameStore = (ruleset) => `hana-problems-${ruleset}`;

/**
 * Returns the answers that the device remembers.
 * @param {string} ruleset
 * @returns {Answers}
 */
function loadAnswers(ruleset) {
  const answers = loadValue(nameStore(ruleset));
  return answers && typeof answers === "object" && !Array.isArray(answers) ? answers : {};
}

/**
 * Remembers the first answer of a day.
 * @param {string} ruleset
 * @param {string} day
 * @param {[string, boolean]} answer
 */
function storeAnswer(ruleset, day, answer) {
  const answers = { [day]: answer, ...loadAnswers(ruleset) };
  const days = Object.keys(answers).sort().slice(-MOST_DAYS);
  storeText(nameStore(ruleset), JSON.stringify(Object.fromEntries(days.map((each) => [each, answers[each]]))));
}

/**
 * Returns the number of consecutive days with the best action, up to `today` or the day before.
 * @param {Answers} answers
 * @param {string} today an ISO date
 * @returns {number}
 */
function countStreak(answers, today) {
  let day = answers[today] ? today : findDayBefore(today);
  let count = 0;
  for (; answers[day]?.[1]; day = findDayBefore(day)) count += 1;
  return count;
}

/** @param {string} day */
const findDayBefore = (day) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);

/** A problem of the page. */
class Problem {
  /** @param {HTMLElement} root templates/records/_problem.html */
  constructor(root) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("button[data-move]")]);
    const { best, day, ruleset } = root.dataset;
    this.best = best;
    /** The day of a daily problem; undefined for an own choice, whose answers are not stored. */
    this.day = day;
    this.ruleset = ruleset;
  }

  start() {
    this.root.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.choose(/** @type {HTMLButtonElement} */ (event.submitter));
    });
    const [move] = (this.day && loadAnswers(this.ruleset)[this.day]) || [];
    if (this.buttons.some((button) => button.dataset.move === move)) this.reveal(move);
  }

  /** @param {HTMLButtonElement} button */
  choose(button) {
    const { move } = button.dataset;
    this.reveal(move);
    const answer = /** @type {HTMLElement} */ (this.root.querySelector("[data-answer]"));
    answer.focus({ preventScroll: true });
    answer.scrollIntoView({ block: "nearest" });
    if (!this.day) return;
    storeAnswer(this.ruleset, this.day, [move, move === this.best]);
    if (button.name === "answer") sendAnswers(button.form.action, [button.value]);
    showHistory();
  }

  /** Shows the values of all actions, and marks the chosen one. */
  reveal(move) {
    for (const button of this.buttons) {
      button.classList.toggle("best", button.dataset.move === this.best);
      button.classList.toggle("chosen", button.dataset.move === move && move !== this.best);
    }
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("tr[data-move]"))) {
      row.querySelector("[data-yours]").toggleAttribute("hidden", row.dataset.move !== move);
    }
    this.root.querySelector("[data-right]").toggleAttribute("hidden", move !== this.best);
    this.root.querySelector("[data-wrong]").toggleAttribute("hidden", move === this.best);
    this.root.querySelector("[data-answer]").removeAttribute("hidden");
  }
}

/**
 * Stores answers on the account; a failure leaves them on the device for the next visit.
 * @param {string} address
 * @param {string[]} answers
 */
function sendAnswers(address, answers) {
  const body = new URLSearchParams(answers.map((answer) => ["answer", answer]));
  fetch(address, { method: "POST", headers: csrf(), body, redirect: "manual" }).catch(() => null);
}

/** Marks earlier days with their answers, and shows the streak. Does nothing without a list of days. */
function showHistory() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-history]"));
  if (!root) return;
  const { ruleset, today } = root.dataset;
  const answers = { ...loadAnswers(ruleset), ...loadAccountAnswers() };
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-date]"))) {
    const [, isBest] = answers[link.dataset.date] ?? [];
    link.querySelector("[data-mark=right]").toggleAttribute("hidden", isBest !== true);
    link.querySelector("[data-mark=wrong]").toggleAttribute("hidden", isBest !== false);
  }
  const streak = countStreak(answers, today);
  const text = /** @type {HTMLElement} */ (root.querySelector("[data-streak]"));
  text.hidden = !streak;
  text.querySelector("b").textContent = String(streak);
}

/** Returns the answers on the account that the page came with. */
function loadAccountAnswers() {
  return JSON.parse(document.querySelector("#account-answers")?.textContent ?? "{}");
}

/** Sends answers that only the device has, given before the login, to the account. */
function mergeAnswers() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-history][data-account]"));
  if (!root) return;
  const { ruleset, account } = root.dataset;
  const stored = loadAccountAnswers();
  const missing = Object.entries(loadAnswers(ruleset)).filter(([day]) => !stored[day]);
  if (missing.length) sendAnswers(account, missing.map(([day, [move]]) => `${ruleset} ${day} ${move}`));
}

for (const root of document.querySelectorAll("[data-problem]")) new Problem(/** @type {HTMLElement} */ (root)).start();
mergeAnswers();
showHistory();
