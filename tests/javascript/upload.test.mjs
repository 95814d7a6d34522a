/** Tests of upload/: score notebooks, the body of an upload, and the stored uploads. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { isNotebook } from "../../records/static/records/upload/chosen_files.js";
import { loadSentUploads } from "../../records/static/records/upload/sent_uploads.js";
import { createBody, Transfer } from "../../records/static/records/upload/transfer.js";

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

test("several files are one ZIP, the same for the same files", async () => {
  const library = import.meta.resolve("../../records/static/records/vendor/client-zip.2.5.1.js");
  const zip = async () => {
    const files = ["a.kafu", "2025/b.kafu"].map((name) => ({ file: new File([name], name, { lastModified: 0 }), name }));
    const { body, name } = await createBody(files, library);
    return { name, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  const [first, second] = [await zip(), await zip()];
  assert.equal(first.name, "files.zip"); // records/base/labels.py omits the name
  assert.ok(first.bytes.includes("2025/b.kafu"));
  assert.ok(first.bytes.equals(second.bytes)); // a reloaded page resumes only an equal body
});

test("one file is sent as it is", async () => {
  const file = new File(["x"], "a.kafu");
  assert.deepEqual(await createBody([{ file, name: "a.kafu" }], "no library"), { body: file, name: "a.kafu" });
});

test("uploads that an older version remembered have their secrets", () => {
  const stored = [{ key: "b", secret: "new" }, { key: "a", words: "old" }];
  globalThis.localStorage = { getItem: () => JSON.stringify(stored) };
  assert.deepEqual(loadSentUploads().map(({ key, secret }) => [key, secret]), [["b", "new"], ["a", "old"]]);
});

test("transfer resumed before its earlier parts are known begins once", async () => {
  let starts = 0;
  const { promise: earlierUploads, resolve: answer } = deferred();
  globalThis.document = { documentElement: { lang: "en" } };
  globalThis.window = {
    tus: {
      Upload: class {
        findPreviousUploads = () => earlierUploads;
        start = () => (starts += 1);
        abort = () => {};
      },
    },
  };
  const transfer = new Transfer({ library: "data:text/javascript,", body: new Blob(), name: "a" }, () => {});
  transfer.run();
  await new Promise(setImmediate);
  transfer.pause();
  transfer.resume();
  answer([]);
  await new Promise(setImmediate);
  assert.equal(starts, 1);
});

function deferred() {
  let resolve;
  const promise = new Promise((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}
