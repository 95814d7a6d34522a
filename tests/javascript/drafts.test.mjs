/** Tests of drafts/restored.js: drafts of older and newer versions. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { redirectToDraft } from "../../records/static/records/drafts/drafts.js";
import { restoreGame, restoreSheet, exportText, VERSION } from "../../records/static/records/drafts/restored.js";
import { createBlankMonth } from "../../records/static/records/sheets/entered.js";

const KAFU = '[Kafu "1"]\n[Rules "koikoi"]\n';

for (const [name, draft] of Object.entries({
  "without a version": { state: { kafu: KAFU } },
  "without a state": { text: KAFU, title: "koi-koi" },
  "with fields of another type": { version: 1, state: { kafu: KAFU, at: 7, open: null }, past: [{}, "x"] },
})) {
  test(`draft of a game ${name} is restored`, () => {
    const { state, past, future, version } = restoreGame({ id: "a", ...draft });
    assert.deepEqual(state, { begin: null, kafu: KAFU, at: "", open: "" });
    assert.deepEqual([past, future, version], [[], [], VERSION]);
  });
}

test("draft of a game that begins names its ruleset either way", () => {
  for (const name of ["rules", "ruleset"]) {
    const begin = { [name]: "koikoi", players: ["Aya", "Ben"] };
    const { state } = restoreGame({ id: "a", state: { begin, kafu: "" } });
    assert.deepEqual(state.begin, { ruleset: "koikoi", players: ["Aya", "Ben"] });
  }
});

test("undone states and the account of a draft are restored", () => {
  const past = [{ kafu: "before" }];
  const found = restoreGame({ id: "a", state: { kafu: KAFU }, past, owner: "7", sent: 5 });
  assert.deepEqual([found.past[0].kafu, found.owner, found.sent], ["before", "7", 5]);
});

test("draft of a newer version is not restored, and its text is handed out", () => {
  const draft = { id: "a", version: VERSION + 1, state: { game: { text: KAFU } } };
  assert.equal(restoreGame(draft), null);
  const sheet = { ruleset: "koikoi", players: ["Aya", "Ben"] };
  assert.equal(restoreSheet({ ...draft, state: sheet }, createBlankMonth), null);
  assert.equal(restoreGame({ ...draft, state: { kafu: KAFU } }), null);
  assert.equal(exportText(draft), KAFU);
});

test("draft without a game is handed out as it is", () => {
  const draft = { id: "a", state: {} };
  assert.equal(restoreGame(draft), null);
  assert.equal(exportText(draft), JSON.stringify(draft, null, 2));
});

test("draft of a sheet lacks no field once it is restored", () => {
  const state = { rules: "koikoi", players: ["Aya", "Ben"] };
  assert.deepEqual(restoreSheet({ id: "a", kind: "sheet", state }, createBlankMonth).state, {
    ruleset: "koikoi",
    players: ["Aya", "Ben"],
    options: {},
    tags: {},
    months: [createBlankMonth()],
    at: 1,
  });
});

test("draft of a sheet opens at one of its months", () => {
  const state = { ruleset: "koikoi", players: ["Aya", "Ben"], months: [{ dealer: 2 }, {}] };
  for (const [at, expected] of [[9, 2], [0, 2], [-1, 1], [1, 1]]) {
    assert.equal(restoreSheet({ id: "a", state: { ...state, at } }, createBlankMonth).state.at, expected);
  }
  assert.equal(restoreSheet({ id: "a", state }, createBlankMonth).state.months[0].dealer, 2);
});

test("draft of a correction is opened with the game that it replaces", () => {
  const draft = restoreGame({ id: "a", state: { kafu: KAFU }, replaces: "Game1" });
  const targets = [];
  const go = (target) => targets.push(target);
  assert.ok(redirectToDraft(draft, { search: "?draft=a" }, go));
  assert.ok(!redirectToDraft(draft, { search: "?record=Game1&draft=a" }, go));
  assert.ok(!redirectToDraft(restoreGame({ id: "a", state: { kafu: KAFU } }), { search: "?draft=a" }, go));
  assert.deepEqual(targets, ["?record=Game1&draft=a"]);
});

test("draft of a club is opened with its club", () => {
  const draft = restoreGame({ id: "a", state: { kafu: KAFU }, club: "kai" });
  const targets = [];
  const go = (target) => targets.push(target);
  assert.ok(redirectToDraft(draft, { search: "?draft=a" }, go));
  assert.ok(!redirectToDraft(draft, { search: "?club=kai&draft=a" }, go));
  assert.deepEqual(targets, ["?club=kai&draft=a"]);
});
