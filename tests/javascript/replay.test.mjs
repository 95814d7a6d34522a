/** Tests of the replay's modules without DOM: field, positions, moments, knowledge, sums, chart, keys. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { collectCostlyChoices } from "../../records/static/records/analysis/analysis.js";
import { findBestOption } from "../../records/static/records/analysis/review.js";
import { spreadLabels, computeLines, selectNumberedDeals } from "../../records/static/records/replay/chart.js";
import { updateSlots, computeSlots } from "../../records/static/records/replay/field.js";
import { commandForKey } from "../../records/static/records/replay/keys.js";
import { visibleHands } from "../../records/static/records/replay/knowledge.js";
import { findCards, findNewYaku, findMoments } from "../../records/static/records/replay/moments.js";
import { clamp, buildCourse, format, fromIndex, parse, toIndex, destinations } from "../../records/static/records/replay/position.js";
import { findNearYaku, setsOf, computeStanding } from "../../records/static/records/replay/progress.js";
import { countCardPoints, formatFigure, formatSum, formatWorth, sumsAt } from "../../records/static/records/replay/sums.js";

test("card that stays on the field keeps its place", () => {
  assert.deepEqual(updateSlots(["A", "E", "I"], "AI"), ["A", "", "I"]);
  assert.deepEqual(updateSlots(["A", "", "I"], "AIM"), ["A", "M", "I"]);
});

test("places of the field follow it from step to step", () => {
  // tests/records/pages/test_replay_data.py compares the same fields with the places on the server.
  const fields = ["AEIM", "AIM", "IM?", "I??", "IA?N", "", "EQ"];
  const places = [
    ["A", "E", "I", "M"],
    ["A", "", "I", "M"],
    ["?", "", "I", "M"],
    ["?", "?", "I", ""],
    ["?", "A", "I", "N"],
    ["", "", "", ""],
    ["E", "Q", "", ""],
  ];
  assert.deepEqual(computeSlots(fields), places);
  assert.deepEqual(computeSlots(["??"]), [["?", "?"]]);
});

test("several costly choices of a step are one mark", () => {
  const rows = [["1.1", "1.0", "A"], ["1.1", "1.0", "B"], ["1.4", "1.3", "C"]].map(
    ([markAt, markBefore, mark]) => ({ dataset: { markAt, markBefore, mark } }),
  );
  assert.deepEqual(collectCostlyChoices({ querySelectorAll: () => rows }), [
    { before: "1.0", at: "1.1", text: "A · B" },
    { before: "1.3", at: "1.4", text: "C" },
  ]);
});

test("the best move of a card has a signed value", () => {
  const options = [{ move: "AxB", mean: -0.04 }, { move: "AxC", mean: 1.26 }, { move: "D", mean: 3 }];
  const best = findBestOption(options, "A");
  assert.equal(best?.move, "AxC");
  assert.equal(findBestOption(options, "E"), null);
  assert.deepEqual([1.26, -0.04, -2].map(formatFigure), ["+1.3", "0.0", "−2.0"]);
});

const step = (kind, turn, seat) => ({ kind, turn, seat });
const STEPS = [
  step("deal", 0, null),
  step("hand", 1, 1),
  step("stock", 1, 1),
  step("hand", 2, 2),
  step("stock", 2, 2),
  step("say", 2, 2),
  step("end", 2, 2),
];
const COURSE = buildCourse([{ steps: STEPS }, { steps: [step("deal", 0, null)] }]);

test("course of a game counts its steps and finds the end of each turn", () => {
  assert.deepEqual(COURSE, { counts: [7, 1], starts: [0, 7], total: 8, turns: [[0, 2, 6], [0]] });
});

for (const [way, from, to] of [
  ["nextTurn", "1.0", "1.2"],
  ["nextTurn", "1.1", "1.2"],
  ["nextTurn", "1.2", "1.6"],
  ["nextTurn", "1.6", "2.0"],
  ["previousTurn", "1.6", "1.2"],
  ["previousTurn", "1.1", "1.0"],
  ["previousTurn", "1.0", "1.0"],
  ["previousTurn", "2.0", "1.6"],
]) {
  test(`${way} leads from ${from} to ${to}`, () => {
    assert.equal(format(destinations[way](COURSE, parse(from))), to);
  });
}

test("address of a step is parsed and anything else is refused", () => {
  assert.deepEqual(parse("#3.14"), { deal: 3, step: 14 });
  assert.deepEqual(parse("3"), { deal: 3, step: 0 });
  for (const text of ["#main", "-1.2", "3.14.1", ""]) assert.equal(parse(text), null, text);
});

test("position past the end is the last one", () => {
  assert.deepEqual(clamp(COURSE, { deal: 9, step: 9 }), { deal: 2, step: 0 });
});

test("position and index are converted both ways", () => {
  assert.deepEqual(fromIndex(COURSE, toIndex(COURSE, { deal: 2, step: 0 })), { deal: 2, step: 0 });
});

const moment = (kind, ...yaku) => ({ kind, yaku: [yaku.map((id) => ({ id, value: 1 }))] });
const MOMENTS = [
  moment("deal"),
  moment("show"),
  moment("hand", "tane"),
  moment("say", "tane"),
  moment("stock", "tane", "tan"),
  moment("end", "tane", "tan"),
];

test("moments are yaku, shown hands, decisions and the fault", () => {
  const data = { deals: [{ steps: MOMENTS }], error: {} };
  const course = { counts: [6], starts: [0], total: 6 };
  assert.deepEqual(findMoments(data, course), { yaku: [1, 2, 4], decision: [3], costly: [], fault: [5] });
});

test("yaku of a step are those that the step before lacks", () => {
  assert.deepEqual(findNewYaku(MOMENTS, 4), [{ id: "tan", value: 1, seat: 1 }]);
});

test("yaku of a deal are those of every month and its own", () => {
  const sets = [{ id: "tan" }];
  assert.deepEqual(setsOf({ sets }, {}), sets);
  assert.deepEqual(setsOf({ sets }, { sets: [{ id: "tsukifuda" }] }), [...sets, { id: "tsukifuda" }]);
});

test("cards of a yaku are those of its set that a seat has captured", () => {
  const sets = [
    { id: "tan", cards: "BFJ" },
    { id: "tane", cards: "EI" },
  ];
  assert.equal(findCards(sets, [{ id: "tan" }], "EFAJ"), "FJ");
});

for (const [way, from, to] of [["nextYaku", 2, 4], ["nextYaku", 4, 4], ["previousYaku", 2, 1]]) {
  test(`${way} leads from step ${from} to ${to}`, () => {
    const course = { counts: [6], starts: [0], total: 6, stops: { yaku: [1, 2, 4] } };
    assert.equal(destinations[way](course, { deal: 1, step: from }).step, to);
  });
}

test("seat sees its own hand and the shown cards of others", () => {
  const seen = { hands: ["ABC", "DE?"], known: ["B", ""] };
  assert.deepEqual(visibleHands(seen, 0), ["ABC", "DE?"]);
  assert.deepEqual(visibleHands(seen, 2), ["#B#", "DE?"]);
  assert.deepEqual(visibleHands(seen, 1), ["ABC", "###"]);
});

const GOALS = [
  { id: "akatan", cards: "BFJ", need: 3, value: 6, must: "", over: [] },
  { id: "ameshiko", cards: "AIcso", need: 4, value: 7, must: "o", over: [] },
  { id: "tan", cards: "BFJNRV", need: 5, value: 1, must: "", over: [] },
];

for (const [have, own, others, expected] of [
  [[], "BF", "", ["akatan 2/3"]],
  [[], "BF", "J", []],
  [[], "BFN", "J", ["tan 3/5"]],
  [["akatan"], "BFJ", "", ["tan 3/5"]],
  [[], "AIc", "", ["ameshiko 3/4"]],
  [[], "AIc", "o", []],
  [[], "", "", []],
]) {
  test(`captured ${own || "nothing"} against ${others || "nothing"} is near ${expected}`, () => {
    const found = findNearYaku(GOALS, have, own, others).map(({ goal, have, need }) => `${goal.id} ${have}/${need}`);
    assert.deepEqual(found, expected);
  });
}

test("set with one missing card stands open", () => {
  const { left, open } = computeStanding(GOALS[1], "AIcs", "");
  assert.deepEqual([left, open], [1, true]);
});

test("sum is written in kan and mon, with its sign", () => {
  const written = { 0: "0", 5: "+5 mon", "-7": "−7 mon", 12: "+1 kan", 90: "+7 kan 6 mon", "-90": "−7 kan 6 mon", 1201: "+100 kan 1 mon" };
  for (const [points, text] of Object.entries(written)) assert.equal(formatSum(Number(points), [" kan ", " mon"]), text);
  assert.equal(formatSum(-90, ["貫", "文"]), "−7貫6文");
  assert.equal(formatWorth(7, [" kan ", " mon"]), "7 kan");
  assert.equal(formatSum(-3, null), "−3");
});

test("card points count known cards, where the ruleset has points", () => {
  assert.equal(countCardPoints("AB?", { A: 20, B: 5 }), 25);
  assert.equal(countCardPoints("AB", null), null);
});

test("labels of the chart keep apart within its height", () => {
  assert.deepEqual(spreadLabels([50, 50, 52], 15, 0, 100), [50, 65, 80]);
  assert.deepEqual(spreadLabels([99, 98], 15, 0, 100), [100, 85]);
});

const ENDED = {
  players: ["Aya", "Ben"],
  deals: [
    { before: [0, 0], totals: [3, -3], steps: [{ kind: "deal" }, { kind: "end" }] },
    { before: [3, -3], totals: [1, -1], steps: [{ kind: "deal" }, { kind: "end" }] },
  ],
  settlement: [{ amounts: [5, 0] }, { amounts: [2, 1] }],
};

test("lines of the chart run over the totals of each seat to the settlement", () => {
  assert.deepEqual(computeLines(ENDED), [
    [0, 3, 1, 8],
    [0, -3, -1, 0],
  ]);
  assert.deepEqual(computeLines({ ...ENDED, settlement: [] })[0], [0, 3, 1]);
});

test("sums at the last step include the settlement, at steps before it they do not", () => {
  const [first, last] = ENDED.deals;
  assert.deepEqual(sumsAt(ENDED, first, first.steps[1]), [3, -3]);
  assert.deepEqual(sumsAt(ENDED, last, last.steps[0]), [3, -3]);
  assert.deepEqual(sumsAt(ENDED, last, last.steps[1]), [8, 0]);
});

test("a month has its number at its first deal, if there is room since the last number", () => {
  const deals = [1, 1, 2, 3, 3, 3, 4].map((month) => ({ month }));
  const months = (width) => deals.flatMap(({ month }, i) => (selectNumberedDeals(deals, width)[i] ? [month] : []));
  assert.deepEqual(months(20), [1, 2, 3, 4]);
  assert.deepEqual(months(9), [1, 2, 4]);
});

for (const [key, action] of Object.entries({
  ArrowLeft: "previous",
  " ": "play",
  "+": "faster",
  "?": "help",
  PageUp: "previousDeal",
  y: "nextYaku",
  d: "nextDecision",
  c: "nextCostly",
  f: "nextFault",
})) {
  test(`key “${key}” means ${action}`, () => assert.equal(commandForKey({ key }), action));
}

test("shift turns a key back, and keys of the browser are left to it", () => {
  assert.equal(commandForKey({ key: "ArrowLeft", shiftKey: true }), "previousTurn");
  assert.equal(commandForKey({ key: "Y", shiftKey: true }), "previousYaku");
  assert.ok(!commandForKey({ key: "ArrowLeft", ctrlKey: true }));
  assert.ok(!commandForKey({ key: "x" }));
});
