/** Tests of upload/chosen.js: which files are score notebooks. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isNotebook } from "../../records/static/records/upload/chosen.js";

const PASTED = [{ name: "paste.kafu" }];

test("spreadsheet alone is a notebook by its name", () => {
  for (const name of ["points.csv", "a.tsv", "A.XLSX"]) assert.ok(isNotebook([{ name }], ""), name);
  for (const name of ["a.kafu", "csv", "a.csv.gz"]) assert.ok(!isNotebook([{ name }], ""), name);
});

test("pasted table is a notebook by its separators", () => {
  for (const table of ["Aya\tBen\n7\t0", "Aya,Ben\n7,0", "Aya;Ben\n7;0"]) assert.ok(isNotebook(PASTED, table), table);
});

test("pasted game, JSON or line is no notebook", () => {
  for (const text of ['[Kafu "1"]\n1. A, B', "Aya\tBen", '{"a": 1,\n"b": 2}', "hello\nworld, all", "a,b\n[Kafu"])
    assert.ok(!isNotebook(PASTED, text), text);
});

test("notebook among other files is sent as it is", () => {
  assert.ok(!isNotebook([{ name: "a.csv" }, { name: "b.csv" }], ""));
  assert.ok(!isNotebook([{ name: "a.csv" }, ...PASTED], "Aya,Ben\n7,0"));
});
