import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeEntry, encodeHeader, newHeader } from "./codec.ts";
import { buildContext } from "./context.ts";
import { type AnyEntry, isEntry } from "./entry.ts";
import { entryText } from "./entry-text.ts";
import { MemoryRepo } from "./memory-repo.ts";
import type { SearchMatch } from "./search.ts";
import type { Session } from "./session.ts";
import { playSteps, treeSteps, userMessage } from "./testing/index.ts";
import { SessionFolder } from "./testing/session-folder.ts";
import { EntryTree } from "./tree.ts";

const header = newHeader({ id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" });
/** So long that a page holds only a few entries. */
const PADDING = "lorem ipsum ".repeat(2000);

/** The entries of a script; messages are padded, so that the file has many pages. */
async function written(numbers: readonly number[]): Promise<readonly AnyEntry[]> {
  const session = await new MemoryRepo().create({ cwd: "/w" });
  await playSteps(session, treeSteps(numbers));
  return (await session.getEntries()).map(padded);
}

function padded(entry: AnyEntry): AnyEntry {
  if (!isEntry(entry, "message") || entry.message.role !== "user") return entry;
  const content = [...(entry.message.content as readonly { type: "text"; text: string }[])];
  return { ...entry, message: { ...entry.message, content: [...content, { type: "text", text: PADDING }] } };
}

const numbers = fc.array(fc.nat(10_000), { minLength: 5, maxLength: 40 });

describe("a file of many pages with damaged lines", () => {
  test("gives the context, the tree and the faults that reading all of it gives, and goes on alike", async () => {
    await fc.assert(
      fc.asyncProperty(numbers, fc.array(fc.nat(39), { maxLength: 3 }), async (script, damaged) => {
        await using folder = await SessionFolder.create();
        const lines = (await written(script)).map(encodeEntry);
        for (const at of damaged) if (lines[at] !== undefined) lines[at] = `${lines[at].slice(0, 200)}\n`;
        const path = await folder.write("s.jsonl", encodeHeader(header) + lines.join(""));
        const session = await folder.repo().open(path);
        const whole = new EntryTree();
        for (const line of lines) addLine(whole, line);
        const expected = () =>
          buildContext(whole.path(whole.position), { hasGapBefore: (entry) => whole.hasGapBefore(entry) });
        expect(session.getLeafId()).toBe(whole.position);
        expect(await session.buildContext()).toEqual(expected());
        await session.buildIndex();
        expect((await session.getEntries()).map(({ id }) => id)).toEqual(whole.entries.map(({ id }) => id));
        expect((await session.getEntriesFrom(2, 3)).map(({ id }) => id)).toEqual(
          whole.entries.slice(2, 5).map(({ id }) => id),
        );
        const some = ["nope", ...whole.entries.slice(-3).map(({ id }) => id)];
        expect(await session.getEntriesById(some)).toEqual(whole.entries.slice(-3));
        expect(await session.getBranch()).toEqual(whole.path(whole.position));
        expect(await session.getBranchIds()).toEqual(whole.path(whole.position).map(({ id }) => id));
        expect(await session.getTree()).toEqual(whole.nodes());
        const faults = session.diagnostics.filter(({ code }) => code !== "unreadable_line");
        expect(faults).toEqual(whole.diagnostics);
        const next = await session.getEntry(await session.appendMessage(userMessage("next")));
        whole.add(next as AnyEntry);
        expect(await session.buildContext()).toEqual(expected());
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

function addLine(tree: EntryTree, line: string): void {
  try {
    tree.add(JSON.parse(line) as AnyEntry);
  } catch {
    const [, id = ""] = /"id":"([^"]+)"/.exec(line) ?? [];
    const parent = /"parentId":(?:"([^"]+)"|null)/.exec(line);
    const parentId = parent === null ? {} : { parentId: parent[1] ?? null };
    tree.addDamage({ kind: "unreadable", reason: "not JSON", id, ...parentId });
  }
}

describe("a long file that was opened from its end", () => {
  async function longFile(folder: SessionFolder): Promise<{ path: string; ids: readonly string[] }> {
    const session = await folder.repo().create({ cwd: "/w" });
    const ids: string[] = [];
    for (let index = 0; index < 40; index++) {
      ids.push(await session.appendMessage(userMessage(`${index} ${PADDING}`)));
    }
    await session.appendLabel(ids[3] ?? "", "old");
    await session.appendCompaction({
      summary: "S",
      firstKeptEntryId: ids[38] ?? "",
      tokensBefore: 1,
      checkpoint: {},
    });
    await session.close();
    return { path: session.path ?? "", ids };
  }
  const seen = async (session: Session) =>
    (await session.buildContext()).messages.map((message) =>
      "summary" in message
        ? message.summary
        : entryText({ type: "message", message } as AnyEntry)
            .slice(0, 2)
            .trim(),
    );

  test("goes to an old entry, back, and undoes its compaction, with what the context then needs", async () => {
    await using folder = await SessionFolder.create();
    const { path, ids } = await longFile(folder);
    const session = await folder.repo().open(path);
    const compaction = session.getLeafId() ?? "";
    expect(await seen(session)).toEqual(["S", "38", "39"]);
    await session.moveTo(ids[2] ?? null);
    expect([session.getLeafId(), await seen(session)]).toEqual([ids[2], ["0", "1", "2"]]);
    const branch = await session.appendMessage(userMessage("b"));
    expect([await seen(session), await session.getLabel(ids[3] ?? "")]).toEqual([
      ["0", "1", "2", "b"],
      "old",
    ]);
    expect((await session.getChildren(ids[2] ?? null)).map(({ id }) => id)).toEqual([ids[3], branch]);
    await session.moveTo(compaction);
    expect(await seen(session)).toEqual(["S", "38", "39"]);
    await session.appendContextEdit(compaction, null);
    expect(await seen(session)).toEqual(Array.from({ length: 40 }, (_, index) => `${index}`));
    await session.close();
    expect(await seen(await folder.repo().open(path))).toHaveLength(40);
  });

  test("takes appends while its index is being built, and knows them afterwards", async () => {
    await using folder = await SessionFolder.create();
    const { path, ids } = await longFile(folder);
    const session = await folder.repo().open(path);
    const indexing = session.buildIndex();
    const added = await Promise.all(["x", "y", "z"].map((text) => session.appendMessage(userMessage(text))));
    await indexing;
    const entries = await session.getEntries();
    expect(entries.map(({ id }) => id)).toEqual([
      ...ids,
      ...entries.slice(40, 42).map(({ id }) => id),
      ...added,
    ]);
    expect((await session.getOutline()).length).toBe(1);
    expect((await session.getBranch()).at(-1)?.id).toBe(added[2]);
  });

  test("PF-02: a context is the same list while nothing is new, and one that was handed out never changes", async () => {
    const session = await new MemoryRepo().create({ cwd: "/w" });
    await session.appendMessage(userMessage("a"));
    const first = await session.buildContext();
    expect((await session.buildContext()).messages).toBe(first.messages);
    await session.appendMessage(userMessage("b"));
    expect([first.messages.length, (await session.buildContext()).messages.length]).toEqual([1, 2]);
  });
});

async function all(matches: AsyncIterable<SearchMatch>): Promise<readonly SearchMatch[]> {
  const found: SearchMatch[] = [];
  for await (const match of matches) found.push(match);
  return found;
}

describe("a search", () => {
  const word = fc.constantFrom(
    "alpha",
    "Beta",
    "naïve",
    "中文字",
    'quo"te',
    "back\\slash",
    "line\nend",
    "ÉTÉ",
    "a/b",
  );
  const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
  const query = fc.oneof(
    word,
    text,
    fc.constantFrom("zzzz", "ALPHA", "ta", "a", "été", "e b", '"', "\\", "/", "\n"),
  );

  test("finds the same cold, with an index, and when it knows the pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        query,
        fc.boolean(),
        async (texts, wanted, isEscaped) => {
          await using folder = await SessionFolder.create();
          const session = await folder.repo().create({ cwd: "/w" });
          for (const [index, each] of texts.entries()) {
            await session.appendMessage(userMessage(`${each} ${PADDING}`));
            if (index === 5) await session.moveTo(null);
          }
          await session.close();
          const path = session.path ?? "";
          if (isEscaped) await folder.escapeLetters(path);
          const opened = await folder.repo().open(path, { readOnly: true });
          const found = async () => all(opened.search(wanted));
          const entries = await opened.getEntries();
          const branch = new Set((await opened.getBranch()).map(({ id }) => id));
          const expected = entries
            .filter((entry) => entryText(entry).toLowerCase().includes(wanted.toLowerCase()))
            .map(({ id }) => [id, branch.has(id)])
            .reverse();
          const cold = await all((await folder.repo().open(path, { readOnly: true })).search(wanted));
          expect(cold.map(({ entryId, isOnBranch }) => [entryId, isOnBranch])).toEqual(expected);
          await opened.buildIndex();
          expect(await found()).toEqual(cold);
          expect(await found()).toEqual(cold);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
