import assert from "node:assert/strict";
import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedError, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, latestEdits, MemoryRepo } from "@coppice/session";
import fc from "fast-check";
import { Type } from "typebox";
import type { AgentHarness } from "../src/agent-harness.ts";
import { createMemoryEnvironment } from "../src/testing/memory-environment.ts";
import { createScenario } from "../src/testing/scenario.ts";
import { createRecallTool } from "../src/tools/recall/tool.ts";

const NOW = 1_800_000_000_000;
const look: AnyAgentTool = {
  name: "look",
  description: "Look at something.",
  parameters: Type.Object({ size: Type.Integer() }),
  execute: async (_id, { size }: { size: number }) => ({
    content: [{ type: "text", text: `line of output ${size}\n`.repeat(size) }],
  }),
};

const isSummaryRequest = ({ messages }: ChatRequest) =>
  /## Critical Context|<conversation>/.test(textOf(messages.at(-1)?.content ?? ""));

async function fuzzed() {
  const session = await new MemoryRepo({ now: () => NOW }).create({ cwd: "/project" });
  let fails = false;
  return createScenario({
    session,
    now: () => NOW,
    model: scriptedModel({ contextWindow: 24_000 }),
    tools: [look, createRecallTool({ session })],
    environment: createMemoryEnvironment({ files: { "/project/AGENTS.md": "Be brief. ".repeat(30) } }),
    answers: (request) => {
      if (isSummaryRequest(request)) return goodSummary("Go on.");
      const last = request.messages.at(-1);
      const said = last?.role === "user" ? textOf(last.content) : "";
      fails = said === "fail" && !fails;
      if (fails) return scriptedError({ code: "overloaded" });
      if (said === "recall") return scriptedToolCall("recall", { query: "Never push" });
      const [, size] = /^look (\d+)$/.exec(said) ?? [];
      return size === undefined ? "word ".repeat(700) : scriptedToolCall("look", { size: Number(size) });
    },
  });
}

type Act = readonly [name: string, run: (agent: AgentHarness) => Promise<unknown>];
const at = (ids: readonly string[], index: number) => ids[index % Math.max(1, ids.length)];
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("go on", "fail", "Never push.", "recall")
      .map((text): Act => [text, (a) => a.prompt(text)]),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 900 })
      .map((size): Act => [`look ${size}`, (a) => a.prompt(`look ${size}`)]),
  },
  fc.constant<Act>(["compact", (a) => a.compact()]),
  fc.constant<Act>(["draft", (a) => a.draftCompaction()]),
  fc.constant<Act>(["undo", (a) => a.undoCompaction()]),
  fc.constant<Act>(["redo", (a) => a.redoCompaction()]),
  fc.constant<Act>(["pin", (a) => a.pin("Always test.")]),
  fc.constant<Act>(["tools", (a) => a.setActiveTools(["look"])]),
  fc
    .nat(50)
    .map(
      (index): Act => [
        `navigate ${index}`,
        async (a) => a.navigate(at(await a.session.getBranchIds(), index) ?? null),
      ],
    ),
  fc
    .nat(50)
    .map(
      (index): Act => [
        `leave ${index}`,
        async (a) => a.navigate(at(await a.session.getBranchIds(), index) ?? null, { summarize: true }),
      ],
    ),
  fc.tuple(fc.nat(99), fc.boolean()).map(
    ([index, isWhole]): Act => [
      `bring ${index} ${isWhole}`,
      async (a) => {
        const id =
          at(
            (await a.session.getEntries()).map((entry) => entry.id),
            index,
          ) ?? "";
        await a.bringEntries(isWhole ? { branchOf: id } : { entryIds: [id] });
      },
    ],
  ),
  fc.tuple(fc.nat(50), fc.constantFrom(null, "short")).map(
    ([index, text]): Act => [
      `edit ${index} ${text}`,
      async ({ session }) => {
        // Only what stands alone: an edit of a call would part it from its result.
        const users = (await session.getEntries()).filter(
          (entry) => isEntry(entry, "message") && entry.message.role === "user",
        );
        const target = at(
          users.map(({ id }) => id),
          index,
        );
        if (target !== undefined)
          await session.appendContextEdit(target, text === null ? null : { content: text });
      },
    ],
  ),
);

/** What a request says, without functions, signals and keys of the run around it. */
function body({ model, messages, systemPrompt, tools = [], thinkingLevel }: ChatRequest): string {
  const declared = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return JSON.stringify({ model, messages, systemPrompt, tools: declared, thinkingLevel });
}

const OVERHEAD: readonly string[] = ["system", "tools", "contextFiles", "skills"];

async function checkInspection(agent: AgentHarness): Promise<void> {
  const { entries, sources, tokens } = await agent.inspectContext();
  const all = await agent.session.getEntries();
  assert.deepEqual(
    entries.map(({ entryId }) => entryId),
    all.map(({ id }) => id),
  );
  const total = (parts: readonly { readonly tokens: number }[]) =>
    parts.reduce((sum, part) => sum + part.tokens, 0);
  assert.equal(total(sources), tokens);
  assert.equal(total(entries) + total(sources.filter(({ source }) => OVERHEAD.includes(source))), tokens);
  assert.equal(tokens, (await agent.getContextUsage()).tokens);
  const shown = new Set((await agent.getContext()).entries.map(({ entry }) => entry.id));
  const edits = latestEdits(await agent.session.getBranch());
  for (const { entryId, role, state, tokens: size } of entries) {
    const isShown = shown.has(entryId);
    const isPrompt = state === "in" && role === "system";
    assert.equal(state === "in" || state === "shortened", isShown || isPrompt);
    if (isShown) assert.equal(state === "shortened", edits.has(entryId));
    if (!isShown) assert.equal(size, 0);
  }
}

/** What was compared in fuzzed sessions. */
export interface InspectedSessions {
  readonly sessions: number;
  /** Sessions whose next request was shown and then sent, byte for byte the same. */
  readonly sameRequests: number;
  /** Sessions that said instead that they would compact first. */
  readonly compactedFirst: number;
}

/**
 * Lives so many random sessions through: each entry has one state, the parts sum to the payload, and the payload shown is
 * the one then sent. Rejects with the first that differs.
 */
export async function inspectFuzzedSessions(sessions: number): Promise<InspectedSessions> {
  const count = { sessions: 0, sameRequests: 0, compactedFirst: 0 };
  const property = fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 10 }), async (acts) => {
    const { agent, model } = await fuzzed();
    // What waits for the first prompt is no entry yet.
    await agent.prompt("begin");
    for (const [, run] of acts) {
      // A refusal (nothing to compact, nothing to undo) is an answer.
      await run(agent).catch((error: unknown) =>
        assert.ok(error instanceof Error && "code" in error, String(error)),
      );
    }
    await checkInspection(agent);
    const before = await agent.session.getEntries();
    const { request, compactsFirst } = await agent.previewRequest({ text: "what next" });
    assert.deepEqual(await agent.session.getEntries(), before);
    const sent = model.requests.length;
    await agent.prompt("what next");
    const next = model.requests.slice(sent).find((one) => !isSummaryRequest(one));
    assert.ok(next !== undefined, "Nothing was sent.");
    if (!compactsFirst) assert.equal(body(next), body(request));
    await checkInspection(agent);
    await agent.dispose();
    count.sessions++;
    if (compactsFirst) count.compactedFirst++;
    else count.sameRequests++;
  });
  await fc.assert(property, { numRuns: sessions });
  return count;
}
