import { type EntryMap, type Session, sessionEntryToContextMessages } from "@coppice/session";
import {
  assistantMessage,
  playSteps,
  toolResultMessage,
  treeSteps,
  userMessage,
} from "@coppice/session/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coppiceView, piView } from "./pi-view.ts";
import { ScratchFolder } from "./scratch-folder.ts";

type Script = (session: Session, ids: readonly string[]) => Promise<unknown>;

const CALL: EntryMap["message"]["message"] = assistantMessage("calling", {
  content: [{ type: "toolCall", id: "t1", name: "read", arguments: { path: "a" } }],
  stopReason: "toolUse",
});

/** Two turns, the second with a tool call; ids in the order of writing. */
async function begun(session: Session): Promise<readonly string[]> {
  const messages = [
    userMessage("one"),
    assistantMessage("answer one"),
    userMessage("two"),
    CALL,
    toolResultMessage("t1", "result"),
    assistantMessage("answer two"),
  ];
  const ids: string[] = [];
  for (const message of messages) ids.push(await session.appendMessage(message));
  return ids;
}

const compaction = (firstKeptEntryId: string): EntryMap["compaction"] => ({
  summary: "what came before",
  firstKeptEntryId,
  tokensBefore: 100,
  details: { readFiles: ["a"], modifiedFiles: [] },
  fromHook: false,
  checkpoint: {
    model: { provider: "anthropic", modelId: "model-1" },
    files: { readFiles: ["a"], modifiedFiles: [] },
  },
});

const SCRIPTS: Readonly<Record<string, Script>> = {
  "a linear conversation": async () => undefined,
  "a navigation without a summary": (session, ids) => session.moveTo(ids[1] ?? null),
  "a navigation before the first entry": (session) => session.moveTo(null),
  "a second root": async (session) => {
    await session.moveTo(null);
    await session.appendMessage(userMessage("again"));
  },
  "a branch": async (session, ids) => {
    await session.moveTo(ids[1] ?? null);
    await session.appendMessage(userMessage("other"));
  },
  "a branch and the way back": async (session, ids) => {
    await session.moveTo(ids[1] ?? null);
    await session.appendMessage(userMessage("other"));
    await session.moveTo(ids[5] ?? null);
  },
  "a branch summary": (session, ids) => session.branchWithSummary(ids[1] ?? null, { summary: "left" }),
  "labels, also after a navigation": async (session, ids) => {
    await session.appendLabel(ids[0] ?? "", "start");
    await session.appendLabel(ids[2] ?? "", "gone");
    await session.moveTo(ids[1] ?? null);
    await session.appendLabel(ids[1] ?? "", "here");
    await session.appendLabel(ids[2] ?? "", undefined);
  },
  "names, and a cleared one": async (session) => {
    await session.appendSessionName("First");
    await session.appendSessionName("");
    await session.appendSessionName(" Last\nname ");
  },
  "a compaction that keeps a turn": async (session, ids) => {
    await session.appendCompaction(compaction(ids[2] ?? ""));
    await session.appendMessage(userMessage("three"));
  },
  "a compaction that keeps nothing": (session) => session.appendCompaction(compaction("")),
  "two compactions": async (session, ids) => {
    await session.appendCompaction(compaction(ids[2] ?? ""));
    await session.appendMessage(userMessage("three"));
    await session.appendCompaction({ ...compaction(ids[4] ?? ""), summary: "second" });
  },
  "a compaction undone by going back to its parent": async (session, ids) => {
    await session.appendCompaction(compaction(""));
    await session.moveTo(ids[5] ?? null);
  },
  "a compaction undone by an edit and brought back": async (session) => {
    const id = await session.appendCompaction(compaction(""));
    await session.appendContextEdit(id, null);
    await session.appendMessage(userMessage("three"));
    await session.appendContextEdit(id, { content: "what came before" });
  },
  "edits of every role": async (session, ids) => {
    await session.appendContextEdit(ids[0] ?? "", null);
    await session.appendContextEdit(ids[1] ?? "", { content: "shorter" });
    await session.appendContextEdit(ids[2] ?? "", { content: [{ type: "text", text: "two!" }] });
    await session.appendContextEdit(ids[4] ?? "", { content: "r…" });
  },
  "edits that a compaction keeps": async (session, ids) => {
    await session.appendContextEdit(ids[4] ?? "", { content: "r…" });
    await session.appendCompaction(compaction(ids[2] ?? ""));
    await session.appendContextEdit(ids[5] ?? "", null);
  },
  "choices of model, level and tools": async (session) => {
    await session.appendModelChange("openai", "model-2");
    await session.appendThinkingLevelChange("high");
    await session.appendActiveToolsChange(["read", "bash"]);
  },
  "entries of extensions, usage and bash": async (session) => {
    await session.appendCustomEntry("coppice.pin", { id: "p", text: "never" });
    await session.appendCustomMessageEntry({
      customType: "note",
      content: "text",
      display: false,
      details: 1,
    });
    const { usage } = assistantMessage("");
    await session.appendUsage({ kind: "cache_warm", provider: "p", model: "m", usage });
    await session.appendMessage({
      role: "bashExecution",
      command: "ls",
      output: "a",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 1,
    });
  },
  "system messages": async (session) => {
    await session.appendMessage({
      role: "system",
      content: "",
      sections: { rules: "be kind", cwd: "/w" },
      timestamp: 1,
    });
    await session.appendMessage({ role: "system", content: "", sections: { cwd: null }, timestamp: 2 });
  },
  "a failed answer that is hidden": async (session) => {
    const failed = assistantMessage("", { content: [], stopReason: "error", errorMessage: "overloaded" });
    await session.appendContextEdit(await session.appendMessage(failed), null);
    await session.appendMessage(assistantMessage("better"));
  },
};

describe("a file that Coppice wrote with", () => {
  test.each(Object.entries(SCRIPTS))(
    "%s opens in pi at the same position with the same context",
    async (_, script) => {
      await using folder = await ScratchFolder.create();
      const session = await folder.repo().create({ cwd: "/w", metadata: { by: "test" } });
      await script(session, await begun(session));
      const view = await coppiceView(session);
      await session.close();
      expect(piView(await folder.copyOf(session.path ?? "", "pi.jsonl"))).toEqual(view);
      const again = await folder.repo().open(session.path ?? "");
      expect(await coppiceView(again)).toEqual(view);
      const fork = await folder.repo().fork(again);
      if ((await fork.getEntries()).length > 0) {
        expect(piView(await folder.copyOf(fork.path ?? "", "fork.jsonl"))).toEqual(await coppiceView(fork));
      }
    },
  );

  test("an undone compaction under later turns is shown compacted by pi: the one difference in what is seen", async () => {
    await using folder = await ScratchFolder.create();
    const session = await folder.repo().create({ cwd: "/w" });
    await begun(session);
    const id = await session.appendCompaction(compaction(""));
    await session.appendMessage(userMessage("three"));
    await session.appendContextEdit(id, null);
    const ours = await coppiceView(session);
    const theirs = piView(await folder.copyOf(session.path ?? "", "pi.jsonl"));
    expect(theirs.path).toEqual(ours.path);
    expect(theirs.messages).toEqual([userMessage("three")]);
    expect(ours.messages).toHaveLength(7);
  });
});

test("any tree that Coppice writes opens in pi at the same position with the same context", async () => {
  await using folder = await ScratchFolder.create();
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(10_000), { minLength: 3, maxLength: 40 }).map(treeSteps),
      async (steps) => {
        const repo = folder.repo();
        const session = await repo.create({ cwd: "/w" });
        await session.appendMessage(userMessage("start"));
        await playSteps(session, steps);
        fc.pre(!(await hasUndoneCompaction(session)));
        const view = await coppiceView(session);
        await session.close();
        expect(piView(session.path ?? "")).toEqual(view);
        compared++;
      },
    ),
    { numRuns: 150 },
  );
  expect(compared).toBe(150);
}, 60_000);

async function hasUndoneCompaction(session: Session): Promise<boolean> {
  const path = await session.getBranch();
  const summaries = path.filter((entry) => entry.type === "compaction");
  const undone = new Set(
    path.flatMap((entry) => ("replacement" in entry && entry.replacement === null ? [entry.targetId] : [])),
  );
  return summaries.some((entry) => undone.has(entry.id) && sessionEntryToContextMessages(entry).length > 0);
}
