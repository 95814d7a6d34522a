/** Tests of the editor: keys, taking back, names of deals, results, rules of the last game, requests. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { actionForKey } from "../../records/static/records/editor/keys.js";
import { loadLastOptions, loadLastRuleset } from "../../records/static/records/editor/presets.js";
import { formatFinalSums, describeResult } from "../../records/static/records/editor/result.js";
import { post, Refused } from "../../records/static/records/editor/server.js";
import { nameDeals } from "../../records/static/records/editor/steps.js";
import { formatSpan, findTakeBack } from "../../records/static/records/editor/take_back.js";

const KINDS = { A: "bright", g: "chaff" };

/** Creates an editor that records the calls of its methods. */
function editorAt(response) {
  const done = [];
  const note = (name) => (...given) => void done.push([name, ...given].join(" "));
  return {
    done,
    response: { at: "2.1", deals: [{ steps: 4 }, { steps: 3 }, { steps: 0 }], steps: [1, 2, 3], table: {}, due: null, ...response },
    step: note("step"),
    takeBack: note("takeBack"),
    look: note("look"),
    dealing: { root: { requestSubmit: note("deal") }, tap: note("tap") },
    table: { press: note("press") },
  };
}

/** Returns the calls that a key causes; "" without calls. */
function doneBy(key, response = {}, flags = {}, isOnButton = false) {
  const editor = editorAt(response);
  const target = { closest: () => isOnButton };
  actionForKey({ key, target, ...flags }, editor, KINDS)?.();
  return editor.done.join();
}

test("Ctrl-Z undoes, Ctrl-Y and Ctrl-Shift-Z redo, and other keys with Ctrl are the browser's", () => {
  assert.equal(doneBy("z", {}, { ctrlKey: true }), "step past future");
  assert.equal(doneBy("z", {}, { metaKey: true }), "step past future");
  assert.equal(doneBy("y", {}, { ctrlKey: true }), "step future past");
  assert.equal(doneBy("Z", {}, { ctrlKey: true, shiftKey: true }), "step future past");
  assert.equal(doneBy("A", {}, { ctrlKey: true }), "");
});

for (const [key, at, expected] of [
  ["ArrowLeft", "2.1", "look 2.0"],
  ["ArrowUp", "2.1", "look 2.0"],
  ["ArrowRight", "2.1", "look 2.2"],
  ["ArrowDown", "2.1", "look 2.2"],
  ["ArrowLeft", "2.0", "look 1.3"], // the end of the deal before
  ["ArrowRight", "1.2", "look 2.0"],
  ["ArrowRight", "2.2", ""], // the next deal has no steps yet
  ["ArrowLeft", "1.0", ""],
  ["ArrowLeft", null, ""],
]) {
  test(`${key} at ${at} does ${expected || "nothing"}`, () => assert.equal(doneBy(key, { at }), expected));
}

test("letters are cards of the table, and of the pack while cards are laid out", () => {
  assert.equal(doneBy("A"), "press A");
  assert.equal(doneBy("g", { due: { month: 1 } }), "tap g");
  assert.equal(doneBy("g", { table: null }), "");
  assert.equal(doneBy("x"), "");
});

test("Backspace takes a step back", () => assert.equal(doneBy("Backspace"), "takeBack"));

test("Enter deals what is laid out, unless a button has the focus", () => {
  assert.equal(doneBy("Enter", { due: { month: 1 } }), "deal");
  assert.equal(doneBy("Enter", { due: { month: 1 } }, {}, true), "");
  assert.equal(doneBy("Enter"), "");
});

const DEALS = [{ month: 1 }, { month: 2 }, { month: 3 }];
const [WRITTEN, BY_RULE] = [{ written: true }, { written: false }];

for (const [at, steps, last, lost] of [
  ["3.1", [WRITTEN, WRITTEN], "3.0", []],
  ["3.2", [WRITTEN, WRITTEN, BY_RULE], "3.0", []], // together with the turn that caused the step
  ["1.1", [WRITTEN, WRITTEN, WRITTEN], "1.0", DEALS.slice(1)], // the confirmation lists whole deals only
  ["2.0", [WRITTEN], "2.-1", DEALS.slice(2)], // the deal itself
  ["", [WRITTEN], "1.-1", DEALS.slice(1)], // typed text has no current step
]) {
  test(`taking back at "${at}" leaves ${last} and loses ${lost.length} whole months`, () =>
    assert.deepEqual(findTakeBack(at, { deals: DEALS, steps }), { at: last, deals: lost }));
}

test("months that would be lost are named by their ends", () => {
  assert.equal(formatSpan(DEALS, ["January", "February", "March"]), "January – March");
  assert.equal(formatSpan(DEALS.slice(2), ["January", "February", "March"]), "March");
});

test("later deals of a month are numbered", () =>
  assert.deepEqual(
    nameDeals([{ month: 7 }, { month: 7 }, { month: 8 }, { month: 7 }], Array.from({ length: 12 }, (_, i) => `M${i + 1}`), "%(month)s (%(number)s)"),
    ["M7", "M7 (2)", "M8", "M7 (3)"],
  ));

const RESULTS = { over: "over", draw: "a draw", won: "%(name)s: %(sum)s", wonTo: "%(name)s: %(sum)s to %(other)s" };
const [POINTS, IN_KAN] = [{ finalUnit: 1, units: null }, { finalUnit: 12, units: ["k", ""] }];

for (const [final, players, rules, expected] of [
  [null, ["Aya", "Ben"], POINTS, "over"],
  [[15, 70], ["Aya", "$&Ben"], POINTS, "$&Ben: 70 to 15"],
  [[30, 30], ["Aya", "Ben"], POINTS, "a draw"],
  [[13, 71, -84], ["Aya", "Ben", "Chie"], IN_KAN, "Ben: +71k"],
]) {
  test(`the result of ${final} is “${expected}”`, () => assert.equal(describeResult({ final, players }, rules, RESULTS), expected));
}

test("a final result is in the unit of the settlement", () =>
  assert.deepEqual(formatFinalSums([13, 71, -84], IN_KAN), ["+13k", "+71k", "−84k"]));

const RULES = {
  id: "koikoi",
  houses: { nintendo: "Nintendo style" },
  questions: [{ id: "goko", low: 1, high: 100, names: {} }],
  sections: [{ options: [{ id: "dealer", names: { turns: "by turns" } }] }],
};

/** Returns the ruleset and options of the last game from a stored text. */
function lastOf(text) {
  globalThis.localStorage = { getItem: () => text };
  return [loadLastRuleset(), loadLastOptions(RULES)];
}

test("rules of the last game are offered again", () => {
  const koikoi = { profile: "nintendo", goko: "15", dealer: "turns" };
  assert.deepEqual(lastOf(JSON.stringify({ ruleset: "koikoi", games: { koikoi } })), ["koikoi", koikoi]);
});

for (const options of ['{"goko": "1000"}', '{"goko": 5}', '{"goko": "1.5"}', '{"dealer": "nobody"}', '{"profile": "nowhere"}', '{"whist": "1"}', "5"])
  test(`rules ${options} of a last game are not offered`, () =>
    assert.equal(lastOf(`{"games": {"koikoi": ${options}}}`)[1], undefined));

for (const text of [null, "{", "3", "null", "{}"])
  test(`${text} has no rules of a last game`, () => assert.deepEqual(lastOf(text), [undefined, undefined]));

/** Replaces `fetch` by a request without a response, and removes what Safari 16 lacks. */
function withoutResponse(t) {
  t.mock.method(globalThis, "fetch", (_address, { signal }) => {
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  delete AbortSignal.any;
  globalThis.document = { querySelector: () => null };
}

test("cancelled request ends in a browser without AbortSignal.any", async (t) => {
  withoutResponse(t);
  const controller = new AbortController();
  const request = post("/", {}, { offline: "offline" }, controller.signal);
  controller.abort();
  await assert.rejects(request, { name: "AbortError" });
});

test("request without a response is refused after a while", async (t) => {
  withoutResponse(t);
  const timeout = new AbortController();
  t.mock.method(AbortSignal, "timeout", () => timeout.signal);
  const request = post("/", {}, { offline: "offline" }, new AbortController().signal);
  timeout.abort();
  await assert.rejects(request, new Refused("offline"));
});
