/** Tests of records/static/records/retry.js with a busy server. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createServer } from "node:http";

import { fetchWithRetry } from "../../records/static/records/retry.js";

let server;
let statuses = [];
let retryAfter = "0";
let requests = 0;

before(async () => {
  server = createServer((request, response) => {
    const status = statuses[requests] ?? 200;
    requests += 1;
    response.writeHead(status, status === 200 ? {} : { "Retry-After": retryAfter }).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(() => server.close());

function ask(given, wait, options) {
  [statuses, retryAfter, requests] = [given, wait, 0];
  return fetchWithRetry(`http://127.0.0.1:${server.address().port}/`, options);
}

test("busy server is asked again until it serves", async () => {
  assert.equal((await ask([503, 429], "0")).status, 200);
  assert.equal(requests, 3);
});

test("server that stays busy is asked four times", async () => {
  assert.equal((await ask(Array(9).fill(429), "0")).status, 429);
  assert.equal(requests, 4);
});

test("long Retry-After is returned at once", async () => {
  assert.equal((await ask([429], "60")).status, 429);
  assert.equal(requests, 1);
});

test("other errors are returned at once", async () => {
  assert.equal((await ask([500], "0")).status, 500);
  assert.equal(requests, 1);
});

test("abort ends the wait", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(ask([503], "9", { signal: controller.signal }), { name: "AbortError" });
});
