/** Tests of sheets/*.js: months of a score sheet, and amounts in two fields. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { parseAmount, nextSign, addUnits, isCarried, isFilled, joinAmount, splitAmount, splitNumber } from "../../records/static/records/sheets/amount.js";
import { createBlankMonth, isBlank, setMark, fromStoredMonth, toRequestMonth, toStoredMonth } from "../../records/static/records/sheets/entered.js";
import { nextMonthNumber, findLackingSeat, listRows } from "../../records/static/records/sheets/paper.js";

const line = (label, marks = false) => ({ seat: 1, label, gain: "", payer: 0, half: false, void: null, marks });
const FILLED = { points: ["5", "-5"], captured: ["100", "164"], sums: ["7", "-7"] };

test("new month is entered in the way of the one before", () => {
  const { short, counted, lines } = createBlankMonth({ ...createBlankMonth(), short: true, counted: true, lines: [line("aka")] });
  assert.deepEqual([short, counted, lines], [true, true, []]);
});

test("month of payments is sent with its lines and card points, without marks and sums", () => {
  const month = { ...createBlankMonth(), ...FILLED, lines: [line("aka"), line("fuke", true)], stone: 2 };
  const { marks: _, ...plain } = line("aka");
  const { lines, points, captured, sums, stone, ...others } = toRequestMonth(month);
  assert.deepEqual([lines[0], lines.length], [plain, 2]);
  assert.deepEqual([points, captured, sums, stone], [FILLED.points, [], [], 2]);
  assert.deepEqual(Object.keys(others).sort(), ["ba", "dealer", "nothing", "out"]);
});

test("captured card points are sent instead of those that are paid", () => {
  const { points, captured } = toRequestMonth({ ...createBlankMonth({ counted: true }), ...FILLED });
  assert.deepEqual([points, captured], [[], FILLED.captured]);
});

test("short month is sent with its sums alone", () => {
  const { lines, points, captured, sums } = toRequestMonth({ ...createBlankMonth({ short: true }), ...FILLED, lines: [line("aka")] });
  assert.deepEqual([lines, points, captured, sums], [[], [], [], FILLED.sums]);
});

test("short month with a mark is sent without sums", () => {
  const { lines, sums } = toRequestMonth({ ...createBlankMonth({ short: true }), ...FILLED, lines: [line("aka"), line("fuke", true)] });
  assert.deepEqual([lines.map(({ label }) => label), sums], [["fuke"], []]);
});

test("mark is of one player, and of nobody there is none", () => {
  const month = { ...createBlankMonth(), nothing: true, lines: [line("aka")] };
  for (const [seat, seats] of [[1, [1]], [2, [2]], [0, []]]) {
    setMark(month, "fuke", seat);
    assert.deepEqual(month.lines.filter(({ label }) => label === "fuke").map((one) => one.seat), seats);
  }
  assert.deepEqual([month.nothing, month.lines.length], [false, 1]);
});

test("stored month is opened as it was entered, without what it was not made of", () => {
  const counted = { ...createBlankMonth({ counted: true }), lines: [line("aka")], captured: FILLED.captured };
  const short = { ...createBlankMonth({ short: true }), lines: [line("fuke", true)] };
  for (const month of [counted, short]) assert.deepEqual(fromStoredMonth(toStoredMonth(month)), month);
  const { lines, sums, points } = fromStoredMonth(toStoredMonth({ ...counted, ...FILLED, short: true }));
  assert.deepEqual([lines, sums, points], [[], FILLED.sums, []]);
});

test("amount is a sign, kan and the small unit, in any form that people write", () => {
  const forms = [
    ["-1k10", ["-", "1", "10"], -22],
    ["22", ["", "", "22"], 22],
    ["▲18", ["-", "", "18"], -18],
    ["+5k", ["+", "5", ""], 60],
    ["１２", ["", "", "１２"], 12],
  ];
  for (const [word, [sign, kan, rest], amount] of forms) {
    assert.deepEqual([splitAmount(word), parseAmount(word)], [{ sign, kan, rest }, amount], word);
    if (word !== "▲18") assert.equal(joinAmount({ sign, kan, rest }), word);
  }
  for (const word of ["", "-", "x", "1kx"]) assert.equal(parseAmount(word), null, word);
});

test("sum of a response has the units of the page, in Japanese its own", () => {
  const units = { kan: "kan", rest: "pt" };
  const written = { "+5k10": "+5 kan 10 pt", "−14k": "−14 kan", "−8": "−8 pt", 0: "0", "+5貫10点": "+5貫10点" };
  for (const [sum, text] of Object.entries(written)) assert.equal(addUnits(sum, units).replaceAll("\u00a0", " "), text);
  assert.equal(addUnits("+7", { kan: "", rest: "mon" }), "+7");
});

test("sign typed into a field counts, and one without a number is not sent", () => {
  assert.equal(joinAmount({ sign: "", kan: "-1", rest: "4" }), "-1k4");
  assert.equal(joinAmount({ sign: "+", kan: "", rest: "−5" }), "-5");
  assert.deepEqual([isFilled("-"), isFilled("-5"), isFilled(undefined)], [false, true, false]);
  assert.deepEqual(toRequestMonth({ ...createBlankMonth({ short: true }), sums: ["-", "5"] }).sums, ["", "5"]);
});

test("amount that follows has the units of the ruleset", () => {
  assert.deepEqual(splitNumber(-46, true), { sign: "-", kan: "3", rest: "10" });
  assert.deepEqual(splitNumber(24, true), { sign: "", kan: "2", rest: "" });
  assert.deepEqual(splitNumber(46, false), { sign: "", kan: "", rest: "46" });
  assert.deepEqual(splitNumber(0, true), { sign: "", kan: "", rest: "0" });
  assert.deepEqual(["22", "1k11", "1k12", "x"].map(isCarried), [true, false, true, false]);
});

test("whoever comes after a gain pays", () => {
  assert.deepEqual([["5k", "", ""], ["-5", "", ""], ["5", "-5", ""], []].map(nextSign), ["-", "", "", ""]);
});

test("month by its sums lacks the first of two open amounts of those who play", () => {
  const month = (...sums) => ({ ...createBlankMonth({ short: true }), sums });
  assert.equal(findLackingSeat(month("5", "", ""), [1, 2, 3]), 2);
  assert.equal(findLackingSeat(month("5", "-5", ""), [1, 2, 3]), 0);
  assert.equal(findLackingSeat(month("", "", ""), [1, 2, 3]), 0);
  assert.equal(findLackingSeat(month("", "5"), [1, 2]), 0);
  assert.equal(findLackingSeat(month("5", "", "", "", "-5"), [1, 4, 5]), 0);
});

test("next month waits below one that has something, until the game is over", () => {
  const [filled, empty] = [{ ...createBlankMonth({ short: true }), sums: ["5"] }, createBlankMonth()];
  assert.deepEqual([isBlank(filled), isBlank(empty)], [false, true]);
  assert.equal(listRows([filled], { over: false }, createBlankMonth).length, 2);
  assert.equal(listRows([filled, empty], { over: false }, createBlankMonth).length, 2);
  assert.equal(listRows([filled], { over: true }, createBlankMonth).length, 1);
  assert.equal(nextMonthNumber({ months: [{ month: 1, done: true }], next_month: 1 }), 1);
  assert.equal(nextMonthNumber({ months: [{ month: 3, done: false }], next_month: 1 }), 4);
});
