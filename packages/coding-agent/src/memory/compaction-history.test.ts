import { expect, test } from "vitest";
import {
  answer,
  compact,
  compareUndonePreviews,
  compareUndoTwins,
  newSession,
  nextRequest,
  user,
} from "../../test/undo-twins.ts";
import { CompactionHistory } from "./compaction-history.ts";

test("after undo the next request is byte-equal to that of a twin that never compacted; redo and undo alternate (10,000 trees)", async () => {
  expect(await compareUndoTwins(10_000)).toBe(10_000);
}, 600_000);

test("after undo the request that an agent shows as its next is the one that an agent on the twin shows", async () => {
  expect(await compareUndonePreviews(300)).toBe(300);
}, 300_000);

test("several compactions are undone from the newest to the oldest and come back in the other order", async () => {
  const session = await newSession();
  const contexts: string[] = [];
  const undone: string[] = [];
  for (const text of ["one", "two", "three"]) {
    const [id = ""] = await session.appendBatch([user(text)]);
    await session.appendBatch([answer(text)]);
    contexts.push(await nextRequest(session));
    undone.unshift(await compact(session, { summary: text, firstKeptEntryId: id, shorten: [id] }));
  }
  const history = new CompactionHistory(session);
  const last = await nextRequest(session);
  for (const id of undone) expect((await history.undo()).entryId).toBe(id);
  expect((await session.buildContext()).messages).toHaveLength(6);
  await expect(history.undo()).rejects.toMatchObject({ code: "nothing_to_undo" });
  for (const id of undone.toReversed().slice(0, 2)) expect(await history.redo()).toBe(id);
  // The third one hung on what is no longer the end of the branch: it comes back as a copy.
  expect(undone).not.toContain(await history.redo());
  expect(await nextRequest(session)).toBe(last);
  await expect(history.redo()).rejects.toMatchObject({ code: "nothing_to_redo" });
  expect(contexts).toHaveLength(3);
});

test("a compaction that a newer one has replaced does not come back", async () => {
  const session = await newSession();
  const [id = ""] = await session.appendBatch([user("one")]);
  await compact(session, { summary: "old", firstKeptEntryId: id });
  const history = new CompactionHistory(session);
  await history.undo();
  await session.appendBatch([user("two")]);
  await compact(session, { summary: "new", firstKeptEntryId: id });
  await session.appendBatch([user("three")]);
  await expect(history.redo()).rejects.toMatchObject({ code: "nothing_to_redo" });
  await history.undo();
  await history.redo();
  expect((await session.buildContext()).messages[0]).toMatchObject({ summary: "new" });
});

test("a copy speaks for the state of now and keeps the turns that came since, also where the first kept nothing", async () => {
  const session = await newSession();
  await session.appendBatch([user("one"), answer("two")]);
  await compact(session, { summary: "all", firstKeptEntryId: "" });
  const history = new CompactionHistory(session);
  await history.undo();
  await session.appendBatch([
    { type: "custom", customType: "coppice.pin", data: { id: "q", text: "new rule", source: "user" } },
    { type: "model_change", provider: "p", modelId: "later" },
    user("three"),
  ]);
  const id = await history.redo();
  const { messages } = await session.buildContext();
  expect(messages.map(({ role }) => role)).toEqual(["compactionSummary", "user"]);
  expect(await session.getEntry(id)).toMatchObject({
    checkpoint: { pins: [{ id: "q" }], model: { provider: "p", modelId: "later" } },
  });
});
