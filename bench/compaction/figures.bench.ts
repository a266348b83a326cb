import type { ChatRequest, Message, ToolSpec } from "@coppice/ai";
import {
  collectEntriesForBranchSummary,
  compact,
  compactWithText,
  DEFAULT_STRATEGIES,
  generateBranchSummary,
  prepareCompaction,
  resolveCompactionSettings,
  shrinkContext,
} from "@coppice/compaction";
import { assistantMessage, goodSummary, pathBuilder, testModel } from "@coppice/compaction/testing";
import { buildContext } from "@coppice/session";

/**
 * Files: those modified before any compaction (by tools, by a reported command, on a left branch) and named after it.
 * Prefix: bytes of the request before that stand unchanged at the head of the on-prefix summary request.
 * Calls: what one shrinking costs when the provider always answers that the prompt is too long.
 */
const ROUNDS = 6;
const SYSTEM_PROMPT = "You are a coding agent. ".repeat(100);
const tools: readonly ToolSpec[] = [
  { name: "read", description: "Reads a file.", parameters: { type: "object" } as ToolSpec["parameters"] },
];

async function filesFigure(contextWindow: number) {
  const settings = resolveCompactionSettings({ contextWindow });
  const model = testModel({ contextWindow, maxTokens: 1024 });
  const builder = pathBuilder();
  const modified: string[] = [];
  let named = 0;
  let asked = 0;
  for (let round = 0; round < ROUNDS; round++) {
    builder.user(`Round ${round}: change the files.`);
    for (let index = 0; index < 15; index++) {
      const path = `packages/core/src/round-${round}/file-${index}.ts`;
      const id = `r${round}-${index}`;
      builder.toolCall(id, index % 2 === 0 ? "edit" : "write", { path });
      builder.toolResult(id, "changed line\n".repeat(200), { toolName: "edit" });
      modified.push(path);
    }
    const byCommand = `packages/core/src/generated/round-${round}.ts`;
    builder.toolCall(`b${round}`, "bash", { command: "pnpm generate" });
    builder.toolResult(`b${round}`, "generated", {
      toolName: "bash",
      details: { modifiedFiles: [byCommand], readFiles: [] },
    });
    modified.push(byCommand);
    if (round === 1) await leaveBranch();
    builder.assistant("Changed.");
    const plan = prepareCompaction({
      path: builder.path,
      contextWindow,
      settings,
      tokensBefore: contextWindow,
    });
    if (plan === undefined) throw new Error("nothing to compact");
    const complete = async () => assistantMessage(goodSummary(`Round ${round}.`));
    const result = await compact(plan, { complete, model });
    for (const { targetId, text } of result.shortenings) {
      builder.entry("context_edit", { targetId, replacement: { content: [{ type: "text", text }] } });
    }
    const { summary, firstKeptEntryId, tokensBefore, details, checkpoint } = result;
    builder.compaction(summary, firstKeptEntryId, { tokensBefore, details, checkpoint });
    const shown = JSON.stringify(buildContext(builder.path).messages);
    asked += modified.length;
    named += modified.filter((path) => shown.includes(path)).length;
  }
  return { contextWindow, files: modified.length, named, asked };

  /** A branch that changed one file and was left with a summary. */
  async function leaveBranch(): Promise<void> {
    const left = pathBuilder(builder.path);
    left.toolCall("left", "write", { path: "packages/core/src/left-branch.ts" });
    left.toolResult("left", "written", { toolName: "write" });
    left.assistant("Written on the branch.");
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: builder.path });
    const complete = async () => assistantMessage(goodSummary("The branch."));
    const { summary, details } = await generateBranchSummary({ branch, complete, model });
    builder.entry("branch_summary", { fromId: left.path.at(-1)?.id ?? "root", summary, details });
    modified.push("packages/core/src/left-branch.ts");
  }
}

/** The summary of one span that modified very many files, twenty a folder. */
function manyFilesBlock(count: number, contextWindow: number): string {
  const settings = resolveCompactionSettings({ contextWindow });
  const builder = pathBuilder();
  builder.user("Change all files.");
  for (let index = 0; index < count; index++) {
    builder.toolCall(`t${index}`, "edit", {
      path: `packages/core/src/part-${Math.floor(index / 20)}/name-${index}.ts`,
    });
    builder.toolResult(`t${index}`, "changed line\n".repeat(20), { toolName: "edit" });
  }
  builder.assistant("words ".repeat(20_000));
  builder.user("Go on.");
  builder.assistant("words ".repeat(3000));
  const plan = prepareCompaction({
    path: builder.path,
    contextWindow,
    settings,
    tokensBefore: contextWindow,
  });
  if (plan === undefined) throw new Error("nothing to compact");
  return /<modified-files>[\s\S]*/.exec(compactWithText(plan, goodSummary()).summary)?.[0] ?? "";
}

function readingPath() {
  const builder = pathBuilder();
  builder.user("Read all files.");
  for (let index = 0; index < 20; index++) {
    builder.toolCall(`t${index}`, "read", { path: `src/${index}.ts` });
    builder.toolResult(`t${index}`, `line ${index} of the file\n`.repeat(200));
  }
  return builder;
}

const window = 32_768;
const model = testModel({ contextWindow: window, maxTokens: 1024 });
const settings = resolveCompactionSettings({ contextWindow: window });

async function prefixFigure(): Promise<number> {
  const { path } = readingPath();
  const sessionRequest: ChatRequest = {
    model,
    systemPrompt: SYSTEM_PROMPT,
    tools,
    messages: buildContext(path).messages as readonly Message[],
  };
  const plan = prepareCompaction({
    path,
    contextWindow: window,
    settings,
    tokensBefore: 26_000,
    systemPrompt: SYSTEM_PROMPT,
    tools,
  });
  if (plan === undefined) throw new Error("nothing to compact");
  const requests: ChatRequest[] = [];
  await compact(plan, {
    model,
    sessionRequest,
    complete: async (request) => {
      requests.push(request);
      return assistantMessage(goodSummary());
    },
  });
  const before = bytesOf(sessionRequest);
  const after = bytesOf(requests[0] ?? sessionRequest);
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same / before.length;
}

/** What providers cache, in their order: tools, system prompt, messages. */
function bytesOf({ tools: sent, systemPrompt, messages }: ChatRequest): Buffer {
  return Buffer.from(JSON.stringify([sent, systemPrompt, messages]));
}

async function callsFigure(isOnPrefix: boolean) {
  const { path } = readingPath();
  let calls = 0;
  const { strategy } = await shrinkContext({
    path,
    contextWindow: window,
    settings: { ...settings, keepRecentTokens: 6000 },
    tokensBefore: 26_000,
    strategies: DEFAULT_STRATEGIES.filter(({ name }) => name !== "mask"),
    call: {
      model,
      ...(isOnPrefix
        ? { sessionRequest: { model, messages: buildContext(path).messages as readonly Message[] } }
        : {}),
      complete: async () => {
        calls++;
        return assistantMessage([], {
          stopReason: "error",
          errorMessage: "prompt is too long",
          error: { code: "context_overflow", retryable: false },
        });
      },
    },
  });
  return { calls, strategy };
}

for (const contextWindow of [8192, 16_384, 32_768]) {
  const { files, named, asked } = await filesFigure(contextWindow);
  console.log(
    `files, window ${contextWindow}: ${((100 * named) / asked).toFixed(1)} % named after each of ${ROUNDS} compactions (${files} files)`,
  );
}
for (const count of [500, 1000, 2000, 4000]) {
  for (const contextWindow of [32_768, 200_000]) {
    const text = manyFilesBlock(count, contextWindow);
    const named = text.match(/name-\d+\.ts/g)?.length ?? 0;
    const counted = [...text.matchAll(/\((\d+) files\)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
    console.log(
      `${count} modified files, window ${contextWindow}: ${named} named, ${counted} by folder and count, ${count - named - counted} in details alone`,
    );
  }
}
console.log(
  `prefix: ${(100 * (await prefixFigure())).toFixed(2)} % of the bytes stand at the head of the summary request`,
);
for (const isOnPrefix of [true, false]) {
  const { calls, strategy } = await callsFigure(isOnPrefix);
  console.log(
    `always too long, ${isOnPrefix ? "on the prefix" : "serialised"}: ${calls} summary request, then "${strategy}"`,
  );
}
