import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examineSession, repairSession } from "./doctor.ts";
import { isSessionError } from "./errors.ts";
import { hashOf, SessionFolder } from "./testing/session-folder.ts";

const fixtures = join(import.meta.dirname, "../fixtures");
const samples = (await readdir(fixtures)).filter((name) => name.startsWith("pi-"));
const linesOf = async (name: string) =>
  (await readFile(join(fixtures, name), "utf8")).split("\n").slice(0, -1);
const idOf = (line: string | undefined) => (JSON.parse(line ?? "{}") as { readonly id?: string }).id;

test("says nothing about a sound session", async () => {
  for (const name of samples) {
    const report = await examineSession(join(fixtures, name));
    expect([report.problems, report.isHeaderReadable, report.entryCount]).toEqual([
      [],
      true,
      (await linesOf(name)).length - 1,
    ]);
  }
});

test.each(["cut", "zero", "flip"])(
  "a line that is %s costs that line only, is reported, and is mended beside",
  async (kind) => {
    for (const name of samples) {
      const lines = await linesOf(name);
      for (let at = 1; at < lines.length; at++) {
        await using folder = await SessionFolder.create();
        const line = lines[at] ?? "";
        const damaged = {
          cut: line.slice(0, line.length / 2),
          zero: "\0".repeat(line.length),
          flip: `${line.slice(0, -1)}#`,
        }[kind];
        const path = await folder.write("s.jsonl", `${lines.with(at, damaged ?? "").join("\n")}\n`);
        const before = await hashOf(path);
        const report = await examineSession(path);
        expect(
          report.problems.filter(({ code }) => code === "unreadable_line").map((problem) => problem.line),
        ).toEqual([at + 1]);
        const kept = lines
          .slice(1)
          .filter((_, index) => index !== at - 1)
          .map(idOf);
        const repaired = await repairSession(path);
        const session = await folder.repo().open(repaired, { readOnly: true });
        expect((await session.getEntries()).map(({ id }) => id)).toEqual(kept);
        expect([await hashOf(path), (await examineSession(repaired)).problems]).toEqual([before, []]);
        // The end of the branch is what it was, unless that was the damaged line itself.
        const broken = await folder.repo().open(path, { readOnly: true });
        expect(session.getLeafId()).toBe(broken.getLeafId());
      }
    }
  },
  60_000,
);

test("a repeated line is reported and changes nothing", async () => {
  for (const name of samples) {
    await using folder = await SessionFolder.create();
    const lines = await linesOf(name);
    const sound = await folder.repo().open(join(fixtures, name), { readOnly: true });
    for (let at = 1; at < lines.length; at++) {
      const path = await folder.write("s.jsonl", `${lines.toSpliced(at, 0, lines[at] ?? "").join("\n")}\n`);
      const session = await folder.repo().open(path, { readOnly: true });
      expect(session.diagnostics.map(({ code, entryId }) => [code, entryId])).toEqual([
        ["duplicate_id", idOf(lines[at])],
      ]);
      expect(await session.buildContext()).toEqual(await sound.buildContext());
    }
  }
});

test("SE-02: a damaged header refuses the file, and the doctor makes one from name and entries", async () => {
  await using folder = await SessionFolder.create();
  const lines = await linesOf("pi-1.6.0-simple-tools.jsonl");
  const path = await folder.write(
    "2026-11-30T14-02-34-233Z_abc-1.jsonl",
    `${lines.with(0, "#").join("\n")}\n`,
  );
  await expect(folder.repo().open(path)).rejects.toSatisfy((error) => isSessionError(error, "not_a_session"));
  const session = await folder.repo().open(await repairSession(path), { readOnly: true });
  expect([session.id, (await session.getEntries()).length]).toEqual(["abc-1", lines.length - 1]);
});

test("a file without any entry cannot be mended, and a repaired copy is never replaced", async () => {
  await using folder = await SessionFolder.create();
  const hopeless = await folder.write("a.jsonl", "hello\n");
  await expect(repairSession(hopeless)).rejects.toSatisfy((error) => isSessionError(error, "not_a_session"));
  const path = await folder.write("b.jsonl", `${(await linesOf("pi-1.6.0-rich-tree.jsonl")).join("\n")}\n`);
  await repairSession(path);
  await expect(repairSession(path)).rejects.toSatisfy((error) => isSessionError(error, "io"));
});
