import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedMessage, scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { type EntryDraft, isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { createMemoryEnvironment, type MemoryEnvironment } from "../testing/memory-environment.ts";
import { createScenario, type Scenario } from "../testing/scenario.ts";
import { createBuiltinTools } from "../tools/builtin-tools.ts";

const NOW = 1_800_000_000_000;

interface Branches extends Scenario {
  readonly environment: MemoryEnvironment;
  /** The last answer of the branch that was left. */
  readonly leftId: string;
  readonly finding: string;
}

const isBranchSummary = ({ messages, tools }: ChatRequest) =>
  tools === undefined && textOf(messages.at(-1)?.content ?? "").includes("<conversation>");

/** Two ways from one beginning: the first wrote a file and found something out, the second is the present one. */
async function branches(): Promise<Branches> {
  const environment = createMemoryEnvironment({ now: () => NOW });
  const finding = "The cache is never cleared: see store.ts.";
  const scenario = await createScenario({
    cwd: "/project",
    environment,
    now: () => NOW,
    tools: createBuiltinTools({ cwd: "/project", environment }),
    answers: (request) => {
      if (isBranchSummary(request)) return goodSummary("Find the leak.");
      const last = request.messages.at(-1);
      if (last?.role === "toolResult") {
        const isWritten = request.messages.filter(({ role }) => role === "toolResult").length > 1;
        const edits = [{ oldText: "one", newText: "two" }];
        return isWritten ? finding : scriptedToolCall("edit", { path: "store.ts", edits });
      }
      const said = textOf(last?.content ?? "");
      return said === "look"
        ? scriptedToolCall("write", { path: "store.ts", content: "one\n" })
        : [scriptedText("Here.")];
    },
  });
  const { agent } = scenario;
  await agent.prompt("begin");
  const root = agent.session.getLeafId();
  await agent.prompt("look");
  const leftId = agent.session.getLeafId() ?? "";
  await agent.navigate(root);
  await agent.prompt("another way");
  return { ...scenario, environment, leftId, finding };
}

const lastMessage = async ({ agent }: Scenario) => (await agent.getContext()).messages.at(-1);

test("chosen entries come word for word with origin, files and hashes; a second time nothing changes", async () => {
  const on = await branches();
  const brought = await on.agent.bringEntries({ entryIds: [on.leftId] });
  expect(brought).toMatchObject({ alreadyHere: false, files: [{ path: "store.ts", state: "same" }] });
  expect(brought.files[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  const message = await lastMessage(on);
  expect(message).toMatchObject({ role: "custom", customType: "coppice.brought" });
  const text = message?.role === "custom" ? textOf(message.content) : "";
  expect(text).toContain(`[${on.leftId}] assistant`);
  expect(text).toContain(on.finding);
  expect(text).toContain(`- store.ts (sha256 ${brought.files[0]?.hash?.slice(0, 12)}): as it was left there`);
  expect(on.eventsOf("entries_brought")).toEqual([{ type: "entries_brought", entryId: brought.entryId }]);
  const entries = await on.agent.session.getEntries();
  const again = await on.agent.bringEntries({ entryIds: [on.leftId] });
  expect(again).toEqual({ ...brought, alreadyHere: true });
  expect(await on.agent.session.getEntries()).toEqual(entries);
  await on.agent.prompt("go on");
  expect(JSON.stringify(on.model.requests.at(-1)?.messages)).toContain(on.finding);
});

test("a file that differs or is gone is named as such, to the user and to the model", async () => {
  const on = await branches();
  const text = async () => {
    const message = await lastMessage(on);
    return message?.role === "custom" ? textOf(message.content) : "";
  };
  const path = "/project/store.ts";
  await on.environment.files.writeFile(path, new TextEncoder().encode("three\n"));
  const changed = await on.agent.bringEntries({ entryIds: [on.leftId] });
  expect(changed.files).toMatchObject([{ path: "store.ts", state: "changed" }]);
  expect(await text()).toContain("DIFFERENT now");
  await on.environment.files.remove?.(path);
  const again = await on.agent.bringEntries({ entryIds: [on.leftId] });
  expect(again).toMatchObject({ alreadyHere: true, files: [{ state: "missing" }] });
});

test("a whole branch comes as a summary whose origin is its end, once, with its file lists", async () => {
  const on = await branches();
  const { entryId } = await on.agent.bringEntries({ branchOf: on.leftId });
  const entry = await on.agent.session.getEntry(entryId);
  expect(entry).toMatchObject({
    type: "branch_summary",
    fromId: on.leftId,
    details: { modifiedFiles: ["store.ts"], files: [{ path: "store.ts", state: "same" }] },
  });
  expect(entry && isEntry(entry, "branch_summary") && entry.summary).toContain("Find the leak.");
  expect((await lastMessage(on))?.role).toBe("branchSummary");
  const asked = on.model.requests.length;
  expect(await on.agent.bringEntries({ branchOf: on.leftId })).toMatchObject({ entryId, alreadyHere: true });
  expect(on.model.requests).toHaveLength(asked);
});

test("what is here, holds no text or does not exist is refused, and nothing is written", async () => {
  const on = await branches();
  const { agent } = on;
  const before = await agent.session.getEntries();
  const here = agent.session.getLeafId() ?? "";
  await expect(agent.bringEntries({ entryIds: [here] })).rejects.toMatchObject({ code: "nothing_to_bring" });
  await expect(agent.bringEntries({ entryIds: [] })).rejects.toMatchObject({ code: "nothing_to_bring" });
  await expect(agent.bringEntries({ branchOf: here })).rejects.toMatchObject({ code: "nothing_to_bring" });
  await expect(agent.bringEntries({ entryIds: ["nope"] })).rejects.toMatchObject({ code: "unknown_entry" });
  expect(await agent.session.getEntries()).toEqual(before);
});

/** A second branch beside the left one, which wrote another file; the position is where it was. */
async function withSecondBranch(on: Branches): Promise<{ readonly secondId: string }> {
  const { agent } = on;
  const here = agent.session.getLeafId();
  const [rootId = null] = await agent.session.getBranchIds();
  await agent.navigate(rootId);
  const secondId = (await agent.session.appendBatch(OTHER_FILE)).at(-1) ?? "";
  await agent.navigate(here);
  return { secondId };
}

const OTHER_FILE: readonly EntryDraft[] = [
  {
    type: "message",
    message: scriptedMessage({
      content: [
        { type: "toolCall", id: "w1", name: "write", arguments: { path: "other.ts", content: "left\n" } },
      ],
    }),
  },
  {
    type: "message",
    message: {
      ...{ role: "toolResult", toolCallId: "w1", toolName: "write", isError: false, timestamp: NOW },
      content: [{ type: "text", text: "Wrote other.ts." }],
    },
  },
];

/** Ids of the branch that was left, below where it parts. */
async function leftIds({ agent, leftId }: Branches): Promise<readonly string[]> {
  const here = new Set(await agent.session.getBranchIds());
  return (await agent.session.getBranchIds(leftId)).filter((id) => !here.has(id));
}

test("entries of two branches come with the files of both, each once", async () => {
  const on = await branches();
  const { secondId } = await withSecondBranch(on);
  for (const entryIds of [
    [on.leftId, secondId],
    [secondId, on.leftId],
  ]) {
    const { files } = await on.agent.bringEntries({ entryIds });
    expect(files.map(({ path, state }) => `${path} ${state}`).sort()).toEqual([
      "other.ts missing",
      "store.ts same",
    ]);
  }
});

test("what is here already is not brought again, in whatever company it is asked for", async () => {
  const on = await branches();
  const { agent } = on;
  const { secondId } = await withSecondBranch(on);
  const [a = "", b = "", c = ""] = await leftIds(on);
  const first = await agent.bringEntries({ entryIds: [a, b] });
  expect(await agent.bringEntries({ entryIds: [b] })).toMatchObject({ ...first, alreadyHere: true });
  expect(await agent.bringEntries({ entryIds: [b, a, b] })).toMatchObject({
    entryId: first.entryId,
    alreadyHere: true,
  });
  const more = await agent.bringEntries({ entryIds: [b, c, secondId] });
  expect(more.alreadyHere).toBe(false);
  const entry = await agent.session.getEntry(more.entryId);
  expect(entry).toMatchObject({ details: { entryIds: [c, secondId] } });
  const count = (await agent.session.getEntries()).length;
  const here = agent.session.getLeafId() ?? "";
  expect(await agent.bringEntries({ entryIds: [a, c, here] })).toMatchObject({
    entryId: more.entryId,
    alreadyHere: true,
  });
  expect(await agent.session.getEntries()).toHaveLength(count);
});

test("a span as summaries name it brings every entry of it; one across branches or of nothing is refused", async () => {
  const on = await branches();
  const { agent } = on;
  const { secondId } = await withSecondBranch(on);
  const branch = await leftIds(on);
  const { entryId } = await agent.bringEntries({ entryIds: [`${branch[0]}..${on.leftId}`] });
  const entry = await agent.session.getEntry(entryId);
  expect(entry).toMatchObject({ details: { entryIds: branch } });
  for (const span of [`${branch[0]}..${secondId}`, `nope..${secondId}`, `${secondId}..`])
    await expect(agent.bringEntries({ entryIds: [span] })).rejects.toMatchObject({ code: "unknown_entry" });
});

test("files that a branch changed before its own compaction are compared as well", async () => {
  const on = await branches();
  const { agent } = on;
  const here = agent.session.getLeafId();
  await agent.navigate(on.leftId);
  await agent.session.appendCompaction({
    summary: "Found it.",
    firstKeptEntryId: on.leftId,
    tokensBefore: 9,
  });
  const afterId = await agent.session.appendMessage(
    scriptedMessage({ content: [{ type: "text", text: "Done." }] }),
  );
  await agent.navigate(here);
  const { files } = await agent.bringEntries({ entryIds: [afterId] });
  expect(files).toMatchObject([{ path: "store.ts", state: "same" }]);
});
