/** Tests of sharing: sending and copying links, with and without permission of the browser. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { canSend, copy, send } from "../../records/static/records/replay/sharing.js";

/** Sets the browser's abilities. */
function setNavigator(value) {
  Object.defineProperty(globalThis, "navigator", { value, configurable: true });
}

const refuse = (name) => async () => {
  throw Object.assign(new Error(name), { name });
};

test("link is sent where the browser offers it", async () => {
  const sent = [];
  setNavigator({ share: async (data) => sent.push(data) });
  assert.ok(canSend());
  assert.ok(await send("Aya – Ben", "https://archive.example/games/x/"));
  assert.deepEqual(sent, [{ title: "Aya – Ben", url: "https://archive.example/games/x/" }]);
});

test("closing the list of apps is no failure, a refusal is", async () => {
  setNavigator({ share: refuse("AbortError") });
  assert.equal(await send("", ""), true);
  setNavigator({ share: refuse("NotAllowedError") });
  assert.equal(await send("", ""), false);
  setNavigator({});
  assert.equal(canSend(), false);
});

test("text is selected and copied where the browser has no clipboard", async () => {
  let selected = 0;
  let copies = true;
  globalThis.document = /** @type {any} */ ({ execCommand: (name) => name === "copy" && copies });
  const written = [];
  const field = { value: "text", select: () => selected++ };
  setNavigator({ clipboard: { writeText: async (text) => written.push(text) } });
  assert.equal(await copy(field), true);
  setNavigator({});
  assert.equal(await copy(field), true);
  copies = false;
  assert.equal(await copy(field), false);
  assert.deepEqual([written, selected], [["text"], 2]);
});
