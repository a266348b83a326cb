import { copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { userMessage } from "./testing/index.ts";
import { hashOf, SessionFolder } from "./testing/session-folder.ts";

// Many files or many runs: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const fixtures = join(import.meta.dirname, "../fixtures");
const samples = (await readdir(fixtures)).filter((name) => name.endsWith(".jsonl"));

async function copyOf(folder: SessionFolder, name: string): Promise<string> {
  const path = join(folder.directory, name);
  await copyFile(join(fixtures, name), path);
  return path;
}

/** Roles that the projection of each sample has. */
const ROLES: Readonly<Record<string, string>> = {
  "legacy-v1-after-pi-migration.jsonl": "compactionSummary user user",
  "legacy-v1-input.jsonl": "compactionSummary user user",
  "legacy-v2-input.jsonl": "user custom",
  "pi-1.6.0-overflow-recovery.jsonl": "compactionSummary assistant",
  "pi-1.6.0-rich-tree.jsonl":
    "compactionSummary assistant user assistant toolResult assistant user assistant",
  "pi-1.6.0-simple-tools.jsonl":
    "user assistant user assistant toolResult toolResult toolResult toolResult assistant",
};

describe.each(samples)("%s", (name) => {
  test("projects as its writer would, without a fault and without a change to the file", async () => {
    await using folder = await SessionFolder.create();
    const path = await copyOf(folder, name);
    const before = await hashOf(path);
    const session = await folder.repo().open(path);
    const { messages, diagnostics } = await session.buildContext();
    expect(messages.map(({ role }) => role).join(" ")).toBe(ROLES[name]);
    expect([diagnostics, session.diagnostics.filter(({ code }) => code !== "migrated")]).toEqual([[], []]);
    await session.close();
    expect(await hashOf(path)).toBe(before);
  });

  test("SE-19: continues, and keeps every line and field", async () => {
    await using folder = await SessionFolder.create();
    const path = await copyOf(folder, name);
    const session = await folder.repo().open(path);
    const before = await session.getEntries();
    const context = await session.buildContext();
    await session.appendMessage(userMessage("next"));
    await session.close();
    const again = await folder.repo().open(path);
    expect((await again.getEntries()).slice(0, -1)).toEqual(before);
    expect((await again.buildContext()).messages).toEqual([...context.messages, userMessage("next")]);
    if (!name.startsWith("legacy")) {
      const original = await readFile(join(fixtures, name), "utf8");
      expect((await readFile(path, "utf8")).startsWith(original)).toBe(true);
    }
  });

  test("SE-05: forks at every entry to the same context", async () => {
    await using folder = await SessionFolder.create();
    const repo = folder.repo();
    const source = await repo.open(await copyOf(folder, name), { readOnly: true });
    for (const { id } of await source.getBranch()) {
      const fork = await repo.fork(source, { entryId: id });
      const again = await repo.fork(fork);
      expect((await again.buildContext()).messages).toEqual((await fork.buildContext()).messages);
      expect(fork.diagnostics).toEqual([]);
    }
  });
});

describe("an old version", () => {
  test("B030: gives the migration that its own program made, ids aside", async () => {
    await using folder = await SessionFolder.create();
    const repo = folder.repo();
    const read = async (name: string) => {
      const session = await repo.open(await copyOf(folder, name), { readOnly: true });
      const { messages } = await session.buildContext();
      const chain = (await session.getBranch()).map(({ type }) => type);
      return { messages, chain };
    };
    expect(await read("legacy-v1-input.jsonl")).toEqual(await read("legacy-v1-after-pi-migration.jsonl"));
  });

  test.each([
    ["legacy-v1-input.jsonl", "v1"],
    ["legacy-v2-input.jsonl", "v2"],
  ])(
    "SE-19: %s is upgraded with the first append, with the original kept beside it",
    async (name, suffix) => {
      await using folder = await SessionFolder.create();
      const path = await copyOf(folder, name);
      const session = await folder.repo().open(path);
      const before = (await session.getEntries()).map(({ id }) => id);
      const added = await session.appendMessage(userMessage("next"));
      const second = await session.appendMessage(userMessage("more"));
      await session.close();
      expect(await hashOf(`${path}.${suffix}`)).toBe(await hashOf(join(fixtures, name)));
      const again = await folder.repo().open(path);
      expect([again.header.version, again.diagnostics]).toEqual([3, []]);
      expect((await again.getEntries()).map(({ id }) => id)).toEqual([...before, added, second]);
      expect(await folder.files()).toEqual([name, `${name}.lock`, `${name}.${suffix}`]);
    },
  );
});
