/** Tests of records/static/records/times.js. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { formatTime } from "../../records/static/records/times.js";

test("time is shown in the zone and language of its reader", () => {
  const moment = "2026-11-26T15:14:00+00:00";
  assert.equal(formatTime(moment, "en", "Europe/Berlin"), "26 November 2026 at 16:14");
  assert.equal(formatTime(moment, "ja", "Asia/Tokyo"), "2026年11月27日 0:14");
  assert.equal(formatTime(undefined, "en"), "");
});
