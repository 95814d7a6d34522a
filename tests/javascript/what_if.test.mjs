/** Tests of what_if/branch.js: the branch in an address. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { parseBranch, branchQuery, removeLastAction, formatBranch } from "../../records/static/records/what_if/branch.js";

const TEXT = "AxD/BxC,E=koikoi/F";
const ACTIONS = ["AxD", "/BxC", "E", "=koikoi", "/F"];

test("branch of an address is read and written as its actions", () => {
  assert.deepEqual(parseBranch(TEXT), ACTIONS);
  assert.equal(formatBranch(ACTIONS), TEXT);
});

test("text that is no branch has no actions", () => {
  for (const text of [null, "", "<x-evil>", "A".repeat(601)]) assert.deepEqual(parseBranch(text), [], text);
});

test("actions that are longer than a branch are not written", () => {
  assert.equal(formatBranch(Array(301).fill("A")), null);
  assert.equal(branchQuery("1.0", Array(301).fill("A")), "?at=1.0&then=");
});

test("query of a branch leaves its characters as they are", () => {
  assert.equal(branchQuery("1.0", ["AxD", "/B", "=sanbon ABC"]), "?at=1.0&then=AxD/B=sanbon+ABC");
});

test("undo takes a turn, and leaves the card that came before anything was chosen", () => {
  assert.deepEqual(removeLastAction(ACTIONS, ""), ACTIONS.slice(0, 3));
  assert.deepEqual(removeLastAction(["/B", "E", "/F"], "/B"), ["/B"]);
  assert.deepEqual(removeLastAction(["/B"], "/B"), ["/B"]);
  assert.deepEqual(removeLastAction(["/BxC"], ""), []);
  assert.deepEqual(removeLastAction([], ""), []);
});
