import { expect, test } from "vitest";
import { ioError } from "./errors.ts";
import { userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";

test("an id that many begin with names the newest five and says how many there are", async () => {
  await using folder = await SessionFolder.create();
  const repo = folder.repo();
  for (let number = 1; number <= 7; number++) {
    const session = await repo.create({ cwd: "/w", id: `a-${number}` });
    await session.appendMessage(userMessage("x"));
    await session.close();
  }
  await expect(repo.open("a-")).rejects.toMatchObject({
    code: "ambiguous",
    message: '"a-" is the start of 7 session ids: a-3, a-4, a-5, a-6, a-7 and 2 earlier ones.',
    data: { matches: expect.objectContaining({ length: 7 }) },
  });
});

test("what the system said is told without its path, which is named already", () => {
  const message = (cause: string) => ioError("Cannot open", "/s/a.jsonl", new Error(cause)).message;
  expect(message("EACCES: permission denied, open '/s/a.jsonl'")).toBe(
    "Cannot open /s/a.jsonl: EACCES: permission denied",
  );
  expect(message("EXDEV: cross-device link, rename '/a' -> '/b'")).toBe(
    "Cannot open /s/a.jsonl: EXDEV: cross-device link",
  );
  expect(message("short read")).toBe("Cannot open /s/a.jsonl: short read");
});
