import { MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { chosenPosition } from "./chosen-position.ts";

test("the words of a person come back for editing, the notice of a pin does not", async () => {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  const userId = await session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
  const message = { content: "From now on …", display: true };
  const pinId = await session.appendCustomMessageEntry({ customType: "coppice.pin", ...message });
  const otherId = await session.appendCustomMessageEntry({ customType: "weather", ...message });
  expect(await chosenPosition(session, userId)).toEqual({ targetId: null, editorText: "hello" });
  expect(await chosenPosition(session, pinId)).toEqual({ targetId: pinId, editorText: undefined });
  expect(await chosenPosition(session, otherId)).toEqual({ targetId: pinId, editorText: "From now on …" });
  expect(await chosenPosition(session, null)).toEqual({ targetId: null, editorText: undefined });
  await expect(chosenPosition(session, "none")).rejects.toMatchObject({ code: "unknown_entry" });
});
