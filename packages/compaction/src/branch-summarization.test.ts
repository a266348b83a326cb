import { describe, expect, test } from "vitest";
import {
  collectEntriesForBranchSummary,
  EMPTY_BRANCH_SUMMARY,
  generateBranchSummary,
} from "./branch-summarization.ts";
import { scriptEstimator } from "./estimate-text.ts";
import { BRANCH_SUMMARIZATION_PROMPT } from "./prompts.ts";
import { goodSummary, pathBuilder, requestText, scriptedComplete, testModel } from "./testing/index.ts";

const model = testModel();

/** `e1 e2` shared; the left branch goes on from there. */
function branches() {
  const shared = pathBuilder();
  shared.user("shared question");
  shared.assistant("shared answer");
  const left = pathBuilder(shared.path);
  left.user("left question", "l1");
  left.toolCall("t1", "read", { path: "left.ts" });
  left.toolResult("t1", "content of left.ts");
  left.toolCall("t2", "edit", { path: "left.ts" });
  left.toolResult("t2", "edited");
  left.assistant("left answer");
  return { shared, left };
}

describe("collectEntriesForBranchSummary", () => {
  test("takes the entries below the deepest common ancestor, oldest first", () => {
    const { shared, left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    expect(branch.commonAncestorId).toBe("e2");
    expect(branch.entries.map(({ id }) => id)).toEqual(["l1", "e4", "e5", "e6", "e7", "e8"]);
    expect(branch.files).toEqual({ readFiles: [], modifiedFiles: ["left.ts"] });
  });

  test("moving to the end of the own branch leaves nothing", () => {
    const { left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: left.path });
    expect([branch.entries, branch.messages]).toEqual([[], []]);
  });

  test("CO-21: hidden, replaced and failed messages are taken as the projection shows them", () => {
    const { shared, left } = branches();
    const hidden = left.user("hidden");
    left.entry("context_edit", { targetId: hidden, replacement: null });
    left.entry("context_edit", { targetId: "l1", replacement: { content: "replaced" } });
    left.assistant("broken off", { stopReason: "error" });
    const { messages } = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const text = JSON.stringify(messages);
    expect(text).toContain("replaced");
    for (const absent of ["hidden", "left question", "broken off", "shared question"]) {
      expect(text).not.toContain(absent);
    }
  });
});

describe("generateBranchSummary", () => {
  test("summarises the left messages, results included, and appends the files", async () => {
    const { shared, left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const script = scriptedComplete(goodSummary("Left."));
    const result = await generateBranchSummary({
      branch,
      complete: script.complete,
      model,
      customInstructions: "focus",
    });
    expect(result).toMatchObject({
      summary: `${goodSummary("Left.")}\n\n<modified-files>\nleft.ts\n</modified-files>`,
      details: { readFiles: [], modifiedFiles: ["left.ts"] },
    });
    expect(requestText(script.requests[0])).toContain("[Tool result]: content of left.ts");
    expect(requestText(script.requests[0])).toContain("focus");
    expect(script.requests[0]?.maxOutputTokens).toBe(2048);
  });

  test("the prompts for it can be replaced", async () => {
    const { shared, left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const script = scriptedComplete(goodSummary("Left."));
    const prompts = { system: "You sum up.", branch: "What came of that branch?" };
    await generateBranchSummary({ branch, complete: script.complete, model, prompts });
    expect(script.requests[0]?.systemPrompt).toContain("You sum up.");
    expect(requestText(script.requests[0])).toContain("What came of that branch?");
    expect(requestText(script.requests[0])).not.toContain(BRANCH_SUMMARIZATION_PROMPT);
  });

  test("an empty branch asks no model", async () => {
    const { left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: left.path });
    const script = scriptedComplete();
    expect(await generateBranchSummary({ branch, complete: script.complete, model })).toEqual({
      summary: EMPTY_BRANCH_SUMMARY,
      details: { readFiles: [], modifiedFiles: [] },
      usage: undefined,
    });
    expect(script.requests).toEqual([]);
  });

  test("over the budget the newest messages win", async () => {
    const { shared, left } = branches();
    left.user(`${"abcd".repeat(5000)} LONG`);
    left.assistant("the newest answer");
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const script = scriptedComplete();
    const small = testModel({ contextWindow: 8192, maxTokens: 1024 });
    await generateBranchSummary({ branch, complete: script.complete, model: small });
    expect(requestText(script.requests[0])).toContain("the newest answer");
    expect(requestText(script.requests[0])).not.toContain("LONG");
  });

  test("pins of the left branch end its summary word for word", async () => {
    const { shared, left } = branches();
    left.entry("custom", {
      customType: "coppice.pin",
      data: { id: "1", text: "Never push.", source: "user" },
    });
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const { summary } = await generateBranchSummary({ branch, complete: scriptedComplete().complete, model });
    expect(summary.endsWith("## Pinned\n- Never push.")).toBe(true);
  });

  test("rules that stood before the branch are not its own, though a compaction on it carries them", async () => {
    const { left } = branches();
    const pin = (id: string, text: string) => ({
      customType: "coppice.pin",
      data: { id, text, source: "user" },
    });
    const rule = { id: "1", text: "Never push.", source: "user" };
    left.entry("custom", pin("1", "Never push."));
    const path = [...left.path];
    left.entry("custom", pin("2", "Always test."));
    const checkpoint = { pins: [rule, { id: "2", text: "Always test.", source: "user" }] };
    left.entry("compaction", { summary: "All.", firstKeptEntryId: "", tokensBefore: 1, checkpoint });
    const { pins } = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: path });
    expect(pins.map(({ id }) => id)).toEqual(["2"]);
  });

  test("a rule that was carried along and then taken back there does not come a second time", async () => {
    const { shared, left } = branches();
    const pin = (data: object) => ({ customType: "coppice.pin", data: { id: "1", ...data } });
    const rule = { text: "Never push.", source: "user" };
    left.entry("custom", pin(rule));
    shared.entry("custom", pin(rule));
    shared.entry("custom", pin({ ...rule, removed: true }));
    expect(collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path }).pins).toEqual([]);
  });

  test("names where the originals stand, only for a model that can call recall", async () => {
    const { shared, left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const ids = left.path.filter((entry) => !shared.path.includes(entry)).map(({ id }) => id);
    const summary = async (isRecallActive: boolean) => {
      const { complete } = scriptedComplete();
      return (await generateBranchSummary({ branch, complete, model, isRecallActive })).summary;
    };
    expect(await summary(true)).toContain(`<recall-handles>\n`);
    expect(await summary(true)).toContain(`\n${ids[0]}..`);
    expect(await summary(false)).not.toContain("recall-handles");
  });

  test("a bad answer is an error, not a summary", async () => {
    const { shared, left } = branches();
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const options = { branch, complete: scriptedComplete("No.").complete, model };
    await expect(generateBranchSummary(options)).rejects.toMatchObject({ code: "summary_rejected" });
  });

  test("very many files of the branch take a tenth of the budget, and all of them stand in details", async () => {
    const { shared, left } = branches();
    for (let index = 0; index < 3000; index++) {
      left.toolCall(`w${index}`, "write", { path: `src/part-${index % 50}/file-${index}.ts` });
      left.toolResult(`w${index}`, "ok", { toolName: "write" });
    }
    const branch = collectEntriesForBranchSummary({ oldBranch: left.path, newBranch: shared.path });
    const small = testModel({ contextWindow: 32_768, maxTokens: 1024 });
    const { complete } = scriptedComplete(goodSummary("Left."));
    const { summary, details } = await generateBranchSummary({ branch, complete, model: small });
    expect(scriptEstimator.estimateText(summary)).toBeLessThan(2000);
    expect(summary).toContain("src/part-49/ (60 files)");
    expect(details.modifiedFiles).toHaveLength(3001);
  });
});
