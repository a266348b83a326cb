import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedText, scriptedToolCall } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry } from "@coppice/session";
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
  expect(text).toContain(`- store.ts (sha256 ${brought.files[0]?.hash?.slice(0, 12)}): as it left it`);
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
