import assert from "node:assert/strict";
import { isSessionError } from "../errors.ts";
import type { SessionRepo } from "../repo.ts";
import type { Session } from "../session.ts";
import { isMetadata } from "../tree.ts";
import { ClosingRepo } from "./closing-repo.ts";
import { assistantMessage, userMessage } from "./sample-messages.ts";

/** One behaviour that every store must have; `run` rejects when it does not. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface ConformanceOptions {
  /** A repository without sessions; called once per case. */
  readonly createRepo: () => SessionRepo | Promise<SessionRepo>;
}

/**
 * The behaviours of a session store, for any test runner:
 * `for (const { name, run } of sessionRepoCases({ createRepo })) test(name, run);`
 */
export function sessionRepoCases({ createRepo }: ConformanceOptions): readonly ConformanceCase[] {
  return Object.entries(CASES).map(([name, run]) => ({
    name,
    run: async () => {
      const repo = new ClosingRepo(await createRepo());
      try {
        await run(repo);
      } finally {
        await repo.closeAll();
      }
    },
  }));
}

const CWD = "/w/project";

async function filled(repo: SessionRepo): Promise<{ session: Session; ids: readonly string[] }> {
  const session = await repo.create({ cwd: CWD });
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.push(await session.appendMessage(userMessage(text)));
    ids.push(await session.appendMessage(assistantMessage(`answer ${text}`)));
  }
  return { session, ids };
}

async function texts(session: Session): Promise<readonly string[]> {
  const { messages } = await session.buildContext();
  return messages.map((message) => {
    if ("summary" in message) return `(${message.summary})`;
    const content = "content" in message ? message.content : "";
    return typeof content === "string"
      ? content
      : content.map((b) => (b.type === "text" ? b.text : "")).join("");
  });
}

async function listed(repo: SessionRepo, cwd?: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const item of repo.list(cwd === undefined ? {} : { cwd })) if ("id" in item) ids.push(item.id);
  return ids.sort();
}

const CASES: Readonly<Record<string, (repo: SessionRepo) => Promise<void>>> = {
  "lists no session before its first append": async (repo) => {
    const session = await repo.create({ cwd: CWD });
    assert.deepEqual(await listed(repo), []);
    await session.appendMessage(userMessage("hello"));
    assert.deepEqual(await listed(repo), [session.id]);
  },

  "keeps entries, position and context over close and open": async (repo) => {
    const { session, ids } = await filled(repo);
    const entries = await session.getEntries();
    await session.close();
    const again = await repo.open(session.id);
    assert.deepEqual(await again.getEntries(), JSON.parse(JSON.stringify(entries)));
    assert.equal(again.getLeafId(), ids[5]);
    assert.deepEqual(await texts(again), ["one", "answer one", "two", "answer two", "three", "answer three"]);
  },

  "writes appends that are not awaited in the order of the calls, each under the one before": async (
    repo,
  ) => {
    const session = await repo.create({ cwd: CWD });
    const ids = await Promise.all(["a", "b", "c"].map((text) => session.appendMessage(userMessage(text))));
    const entries = await session.getEntries();
    assert.deepEqual(
      entries.map(({ id, parentId }) => [id, parentId]),
      [
        [ids[0], null],
        [ids[1], ids[0]],
        [ids[2], ids[1]],
      ],
    );
  },

  "writes a batch as one, in order": async (repo) => {
    const session = await repo.create({ cwd: CWD });
    const ids = await session.appendBatch([
      { type: "message", message: userMessage("a") },
      { type: "custom", customType: "x", data: 1 },
      { type: "session_info", name: "n" },
    ]);
    assert.deepEqual(
      (await session.getEntries()).map(({ id, type }) => [id, type]),
      [
        [ids[0], "message"],
        [ids[1], "custom"],
        [ids[2], "session_info"],
      ],
    );
    assert.equal(session.getLeafId(), ids[1]);
  },

  "rejects what refers to an unknown entry and stores nothing of it": async (repo) => {
    const { session } = await filled(repo);
    const before = await session.getEntries();
    for (const attempt of [
      () => session.appendLabel("nowhere", "x"),
      () => session.appendContextEdit("nowhere", null),
      () => session.moveTo("nowhere"),
      () => session.getBranch("nowhere"),
    ]) {
      await assert.rejects(attempt, (error) => isSessionError(error, "unknown_entry"));
    }
    assert.deepEqual(await session.getEntries(), before);
  },

  "moves without losing the other branch, and remembers the move": async (repo) => {
    const { session, ids } = await filled(repo);
    await session.moveTo(ids[1] ?? null);
    await session.close();
    const again = await repo.open(session.id);
    assert.equal(again.getLeafId(), ids[1]);
    const other = await again.appendMessage(userMessage("other"));
    assert.deepEqual(await texts(again), ["one", "answer one", "other"]);
    assert.deepEqual(
      (await again.getChildren(ids[1] ?? null)).map(({ id }) => id),
      [ids[2], other],
    );
  },

  "moves before the first entry, so that a second root can grow": async (repo) => {
    const { session, ids } = await filled(repo);
    await session.moveTo(null);
    assert.equal(session.getLeafId(), null);
    const root = await session.appendMessage(userMessage("again"));
    assert.deepEqual(await texts(session), ["again"]);
    assert.deepEqual(
      (await session.getTree()).map(({ entry }) => entry.id),
      [ids[0], root],
    );
  },

  "never moves for labels, names and usage, and never uses them as a parent": async (repo) => {
    const { session, ids } = await filled(repo);
    await session.appendLabel(ids[0] ?? "", "start");
    await session.appendSessionName("  A\nname ");
    const { usage } = assistantMessage("");
    await session.appendUsage({ kind: "cache_warm", provider: "p", model: "m", usage });
    assert.equal(session.getLeafId(), ids[5]);
    const next = await session.appendMessage(userMessage("next"));
    assert.equal((await session.getEntry(next))?.parentId, ids[5]);
    assert.equal(await session.getLabel(ids[0] ?? ""), "start");
    assert.equal(await session.getName(), "A name");
    await session.appendLabel(ids[0] ?? "", undefined);
    await session.appendSessionName("");
    assert.equal(await session.getLabel(ids[0] ?? ""), undefined);
    assert.equal(await session.getName(), undefined);
  },

  "projects a compaction, what it keeps and what follows": async (repo) => {
    const { session, ids } = await filled(repo);
    await session.appendCompaction({ summary: "S", firstKeptEntryId: ids[4] ?? "", tokensBefore: 9 });
    await session.appendMessage(userMessage("four"));
    assert.deepEqual(await texts(session), ["(S)", "three", "answer three", "four"]);
  },

  "undoes a compaction by an edit, and follows branches that do not have it": async (repo) => {
    const { session, ids } = await filled(repo);
    const all = await texts(session);
    const compaction = await session.appendCompaction({
      summary: "S",
      firstKeptEntryId: "",
      tokensBefore: 9,
    });
    assert.equal(
      ((await session.getEntry(compaction)) as { firstKeptEntryId?: string }).firstKeptEntryId,
      compaction,
    );
    assert.deepEqual(await texts(session), ["(S)"]);
    await session.appendContextEdit(compaction, null);
    assert.deepEqual(await texts(session), all);
    await session.moveTo(ids[3] ?? null);
    assert.deepEqual(await texts(session), all.slice(0, 4));
  },

  "B028, SE-14: a branch summary hangs on the target and names the position that was left": async (repo) => {
    const { session, ids } = await filled(repo);
    const id = await session.branchWithSummary(ids[1] ?? null, { summary: "left" });
    const entry = (await session.getEntry(id)) as { parentId: string | null; fromId?: string };
    assert.deepEqual([entry.parentId, entry.fromId], [ids[1], ids[5]]);
    assert.deepEqual(await texts(session), ["one", "answer one", "(left)"]);
    const following = { type: "custom", customType: "carried", data: 1 } as const;
    const next = await session.branchWithSummary(ids[1] ?? null, { summary: "again" }, [following]);
    const last = (await session.getBranch()).at(-1);
    assert.deepEqual([last?.type, last?.parentId], ["custom", next]);
  },

  "SE-05, B022: a fork holds the path, its labels and the name, and leaves the source alone": async (
    repo,
  ) => {
    const { session, ids } = await filled(repo);
    await session.appendLabel(ids[1] ?? "", "here");
    await session.appendSessionName("Forked");
    await session.appendCompaction({ summary: "S", firstKeptEntryId: ids[2] ?? "", tokensBefore: 9 });
    const before = await session.getEntries();
    const context = await texts(session);
    const fork = await repo.fork(session);
    assert.notEqual(fork.id, session.id);
    assert.equal(fork.header.parentSession, session.path ?? session.id);
    assert.deepEqual(await texts(fork), context);
    assert.equal(await fork.getLabel(ids[1] ?? ""), "here");
    assert.equal(await fork.getName(), "Forked");
    await fork.appendMessage(userMessage("only here"));
    assert.deepEqual(await session.getEntries(), before);
    const path = (await fork.getEntries()).filter((entry) => !isMetadata(entry));
    assert.deepEqual(
      path.map(({ parentId }) => parentId),
      [null, ...path.slice(0, -1).map(({ id }) => id)],
    );
  },

  "forks at an entry, and before the first one": async (repo) => {
    const { session, ids } = await filled(repo);
    assert.deepEqual(await texts(await repo.fork(session, { entryId: ids[1] ?? null })), [
      "one",
      "answer one",
    ]);
    const empty = await repo.fork(session, { entryId: null, cwd: "/w/other" });
    assert.deepEqual([await empty.getEntries(), empty.cwd], [[], "/w/other"]);
  },

  "SE-13: opens by id and by a unique start of it, and says which ids an ambiguous start has": async (
    repo,
  ) => {
    for (const id of ["aaa-1", "aaa-2", "bbb-1"]) {
      const session = await repo.create({ cwd: CWD, id });
      await session.appendMessage(userMessage(id));
      await session.close();
    }
    assert.equal((await repo.open("bbb", { readOnly: true })).id, "bbb-1");
    assert.equal((await repo.open("aaa-2", { readOnly: true })).id, "aaa-2");
    await assert.rejects(
      repo.open("aaa"),
      (error) => isSessionError(error, "ambiguous") && /aaa-1.*aaa-2/.test(error.message),
    );
    await assert.rejects(repo.open("ccc"), (error) => isSessionError(error, "not_found"));
    await assert.rejects(repo.open(""), (error) => isSessionError(error, "not_found"));
  },

  "B009: refuses a second writer until the first one closes; readers are welcome": async (repo) => {
    const { session } = await filled(repo);
    await assert.rejects(repo.open(session.id), (error) => isSessionError(error, "locked"));
    const reader = await repo.open(session.id, { readOnly: true });
    assert.equal((await texts(reader)).length, 6);
    await assert.rejects(reader.appendMessage(userMessage("x")), (error) =>
      isSessionError(error, "read_only"),
    );
    await session.close();
    await (await repo.open(session.id)).close();
  },

  "B009: opens a fork in place of a session that is being written, when asked": async (repo) => {
    const { session } = await filled(repo);
    const fork = await repo.open(session.id, { whenLocked: "fork" });
    assert.notEqual(fork.id, session.id);
    assert.equal(fork.header.parentSession, session.path ?? session.id);
    assert.deepEqual(await texts(fork), await texts(session));
    await session.close();
    assert.equal((await repo.open(session.id, { whenLocked: "fork" })).id, session.id);
  },

  "refuses appends after close": async (repo) => {
    const { session } = await filled(repo);
    await session.close();
    await session.close();
    await assert.rejects(session.appendMessage(userMessage("x")), (error) => isSessionError(error, "closed"));
  },

  "lists name, first prompt, last message, counts and working directory": async (repo) => {
    const session = await repo.create({ cwd: CWD });
    await session.appendMessage(userMessage("first\nprompt", 1_000));
    await session.appendMessage(assistantMessage("a", { timestamp: 3_000 }));
    await session.appendSessionName("Name");
    const other = await repo.create({ cwd: "/w/other" });
    await other.appendMessage(userMessage("x"));
    assert.deepEqual(await listed(repo), [session.id, other.id].sort());
    assert.deepEqual(await listed(repo, "/w/other"), [other.id]);
    for await (const item of repo.list({ cwd: CWD })) {
      assert.ok("id" in item);
      const { name, firstPrompt, lastMessageAt, messageCount, cwd } = item;
      assert.deepEqual(
        [name, firstPrompt, lastMessageAt, messageCount, cwd],
        ["Name", "first prompt", "1970-01-01T00:00:03.000Z", 2, CWD],
      );
    }
  },

  "deletes a session, but not under a writer": async (repo) => {
    const { session } = await filled(repo);
    await assert.rejects(repo.delete(session.id), (error) => isSessionError(error, "locked"));
    await session.close();
    await repo.delete(session.id);
    assert.deepEqual(await listed(repo), []);
    await assert.rejects(repo.open(session.id), (error) => isSessionError(error, "not_found"));
  },

  "SE-07: refuses to create a session whose id is taken": async (repo) => {
    const session = await repo.create({ cwd: CWD, id: "taken" });
    await session.appendMessage(userMessage("x"));
    await assert.rejects(repo.create({ cwd: "/w/other", id: "taken" }), (error) =>
      isSessionError(error, "exists"),
    );
  },
};
