import { expect, test } from "vitest";
import { inspectFuzzedSessions } from "../../test/inspected-sessions.ts";

test("in any session each entry has one state, the parts sum to the payload, and the payload shown is the one then sent", async () => {
  const { sessions, sameRequests, compactedFirst } = await inspectFuzzedSessions(60);
  expect(sessions).toBe(60);
  expect(sameRequests + compactedFirst).toBe(60);
  expect(sameRequests).toBeGreaterThan(20);
}, 300_000);
