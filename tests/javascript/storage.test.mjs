/** Tests of storage.js in browsers that block storage, and with contents of other programs. */
import assert from "node:assert/strict";
import { test } from "node:test";

import * as storage from "../../records/static/records/storage.js";

const NAMES = ["localStorage", "sessionStorage", "indexedDB", "caches", "BroadcastChannel", "document"];

/** Defines each global of storage, by default as one that throws at each access. */
function define(names, get = () => { throw new DOMException("blocked", "SecurityError"); }) {
  for (const name of names) Object.defineProperty(globalThis, name, { configurable: true, get });
}

test("blocked storage contains nothing and throws nothing", async () => {
  define(NAMES);
  assert.equal(storage.loadText("a", "sessionStorage"), null);
  assert.equal(storage.loadValue("a"), null);
  assert.equal(storage.storeText("a", "b"), false);
  assert.equal(storage.canStore(), false);
  assert.equal(storage.loadCookie("a"), "");
  storage.storeCookie("a", "b", 1);
  assert.equal(storage.openChannel("a"), null);
  await assert.rejects(storage.openDatabase("a", "b"), { name: "SecurityError" });
  await assert.rejects(storage.openCache("a"), { name: "SecurityError" });
});

test("storage that is no object contains nothing", () => {
  define(NAMES, () => null);
  assert.equal(storage.loadText("a"), null);
  assert.equal(storage.canStore(), false);
  assert.equal(storage.openChannel("a"), null);
});

test("stored texts, values and cookies are returned", () => {
  const texts = new Map([["broken", "{"]]);
  const area = {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  };
  define(["localStorage"], () => area);
  assert.equal(storage.canStore(), true);
  assert.equal(texts.size, 1);
  storage.storeText("a", "[1]");
  assert.deepEqual([storage.loadText("a"), storage.loadValue("a"), storage.loadValue("broken")], ["[1]", [1], null]);
  define(["document"], () => ({ cookie: "xspoilers=no; spoilers=hide; csrftoken=a=b" }));
  assert.deepEqual([storage.loadCookie("spoilers"), storage.loadCookie("csrftoken"), storage.loadCookie("x")], ["hide", "a=b", ""]);
});
