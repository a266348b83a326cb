import { expect, test } from "vitest";
import { defineEntry, projectorsOf } from "./define-entry.ts";
import { isSessionError } from "./errors.ts";
import { MemoryRepo } from "./memory-repo.ts";
import { userMessage } from "./testing/index.ts";

interface Note {
  readonly text: string;
}

const note = defineEntry<Note>({
  customType: "test.note",
  parse: (data) => {
    const { text } = data as Note;
    return typeof text === "string" ? { text } : undefined;
  },
  toMessages: ({ text }) => [userMessage(`note: ${text}`)],
});
const silent = defineEntry({ customType: "test.silent", parse: (data) => data as Note });

test("an own kind is appended, read back, and seen by the model where it has a projector", async () => {
  const repo = new MemoryRepo({ projectors: projectorsOf([note, silent]) });
  const session = await repo.create({ cwd: "/w" });
  await session.appendBatch([note.draft({ text: "a" }), silent.draft({ text: "b" })]);
  const entries = await session.getEntries();
  expect(entries.map(note.read)).toEqual([{ text: "a" }, undefined]);
  expect(entries.map(silent.read)).toEqual([undefined, { text: "b" }]);
  expect((await session.buildContext()).messages).toEqual([userMessage("note: a")]);
});

test("data of another shape is kept and gives no messages, whether parsing returns nothing or throws", async () => {
  const repo = new MemoryRepo({ projectors: projectorsOf([note]) });
  const session = await repo.create({ cwd: "/w" });
  for (const data of [{ text: 1 }, null, undefined]) await session.appendCustomEntry("test.note", data);
  expect((await session.getEntries()).map(note.read)).toEqual([undefined, undefined, undefined]);
  expect((await session.buildContext()).messages).toEqual([]);
});

test("two kinds of one name are refused", () => {
  const error = (() => {
    try {
      return projectorsOf([note, note]);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(isSessionError(error, "invalid_entry")).toBe(true);
});
