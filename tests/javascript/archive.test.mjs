/** The archive of kafu.js: what it sends, how it waits, and its errors. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { Archive, Game } from "../../kafu/javascript/kafu.js";

const GAME = new Game("koikoi", ["Aya", "Ben"], { tags: { Termination: "unfinished" } });
const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

/** Lets `fetch` give these responses in order. Returns the list of requests. */
function respond(...responses) {
  const requests = [];
  globalThis.fetch = async (address, options) => {
    requests.push({ address, ...options });
    const [body, init] = responses.shift();
    return new Response(JSON.stringify(body), init);
  };
  return requests;
}

test("upload is sent with the token and awaited until it is done", async () => {
  const requests = respond(
    [{ key: "k", state: "waiting" }, { status: 202 }],
    [{ key: "k", state: "working" }, { headers: { "Retry-After": "0.01" } }],
    [{ key: "k", state: "done" }, {}],
  );
  const archive = new Archive("https://archive.example", { token: "hana_x" });
  const upload = await archive.upload(GAME, { visibility: "private" });
  assert.equal((await archive.wait(upload)).state, "done");
  assert.deepEqual(
    requests.map(({ method, address }) => [method, address.replace("https://archive.example/api/v1/", "")]),
    [
      ["POST", "uploads?visibility=private"],
      [undefined, "uploads/k?wait=20"],
      [undefined, "uploads/k?wait=20"],
    ],
  );
  assert.ok(requests.every(({ headers }) => headers.Authorization === "Bearer hana_x"));
  assert.ok(requests[0].body.startsWith('[Kafu "1"]'));
});

test("text of a game is sent as it is", async () => {
  const requests = respond([{ status: "malformed" }, {}]);
  await new Archive("https://archive.example").verify('[Kafu "2"]');
  assert.equal(requests[0].body, '[Kafu "2"]');
});

test("refusal has status, code and the id of the request", async () => {
  respond([{ detail: "Too many games.", code: "quota", request_id: "r1" }, { status: 429 }]);
  await assert.rejects(new Archive("https://archive.example").verify(GAME), {
    name: "ArchiveError",
    message: "Too many games.",
    status: 429,
    code: "quota",
    requestId: "r1",
  });
});

test("response that is no JSON is a refusal too", async () => {
  globalThis.fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" });
  await assert.rejects(new Archive("https://archive.example").verify(GAME), {
    name: "ArchiveError",
    message: "502 Bad Gateway",
    code: "",
  });
});
