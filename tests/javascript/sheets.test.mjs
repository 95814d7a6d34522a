/** Tests of sheets/entered.js: a month of a score sheet as it is entered and as it is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { blank, mark, opened, sent, stored } from "../../records/static/records/sheets/entered.js";

const line = (label, marks = false) => ({ seat: 1, label, gain: "", payer: 0, half: false, void: null, marks });
const FILLED = { points: ["5", "-5"], captured: ["100", "164"], sums: ["7", "-7"] };

test("new month is entered in the way of the one before", () => {
  const { short, counted, lines } = blank({ ...blank(), short: true, counted: true, lines: [line("aka")] });
  assert.deepEqual([short, counted, lines], [true, true, []]);
});

test("month of payments is sent with its lines and card points, without marks and sums", () => {
  const month = { ...blank(), ...FILLED, lines: [line("aka"), line("fuke", true)], stone: 2 };
  const { marks: _, ...plain } = line("aka");
  const { lines, points, captured, sums, stone, ...others } = sent(month);
  assert.deepEqual([lines[0], lines.length], [plain, 2]);
  assert.deepEqual([points, captured, sums, stone], [FILLED.points, [], [], 2]);
  assert.deepEqual(Object.keys(others).sort(), ["ba", "dealer", "nothing", "out"]);
});

test("captured card points are sent instead of those that are paid", () => {
  const { points, captured } = sent({ ...blank({ counted: true }), ...FILLED });
  assert.deepEqual([points, captured], [[], FILLED.captured]);
});

test("short month is sent with its sums alone", () => {
  const { lines, points, captured, sums } = sent({ ...blank({ short: true }), ...FILLED, lines: [line("aka")] });
  assert.deepEqual([lines, points, captured, sums], [[], [], [], FILLED.sums]);
});

test("short month with a mark is sent without sums", () => {
  const { lines, sums } = sent({ ...blank({ short: true }), ...FILLED, lines: [line("aka"), line("fuke", true)] });
  assert.deepEqual([lines.map(({ label }) => label), sums], [["fuke"], []]);
});

test("mark is of one player, and of nobody there is none", () => {
  const month = { ...blank(), nothing: true, lines: [line("aka")] };
  for (const [seat, seats] of [[1, [1]], [2, [2]], [0, []]]) {
    mark(month, "fuke", seat);
    assert.deepEqual(month.lines.filter(({ label }) => label === "fuke").map((one) => one.seat), seats);
  }
  assert.deepEqual([month.nothing, month.lines.length], [false, 1]);
});

test("stored month is opened as it was entered, without what it was not made of", () => {
  const counted = { ...blank({ counted: true }), lines: [line("aka")], captured: FILLED.captured };
  const short = { ...blank({ short: true }), lines: [line("fuke", true)] };
  for (const month of [counted, short]) assert.deepEqual(opened(stored(month)), month);
  const { lines, sums, points } = opened(stored({ ...counted, ...FILLED, short: true }));
  assert.deepEqual([lines, sums, points], [[], FILLED.sums, []]);
});
