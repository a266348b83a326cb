import { dirname, join } from "node:path";
import { createLocalEnvironment, loadExtensions } from "@coppice/coding-agent";
import { createScenario } from "@coppice/coding-agent/testing";
import { DEFAULT_STRATEGIES, resolveCompactionSettings, shrinkContext } from "@coppice/compaction";
import { type PathBuilder, pathBuilder, scriptedComplete, testModel } from "@coppice/compaction/testing";
import { expect, test } from "vitest";
import { userWords } from "./user-words.ts";

const contextWindow = 16_384;

function say(builder: PathBuilder, questions: readonly string[]): PathBuilder {
  for (const question of questions) {
    builder.user(question);
    builder.assistant("words ".repeat(1500));
  }
  return builder;
}

async function shrink(builder: PathBuilder) {
  const { complete, requests } = scriptedComplete();
  const shrunk = await shrinkContext({
    path: builder.path,
    contextWindow,
    settings: resolveCompactionSettings({ contextWindow }),
    tokensBefore: 13_000,
    strategies: [userWords, ...DEFAULT_STRATEGIES],
    call: { complete, model: testModel({ contextWindow, maxTokens: 1024 }) },
  });
  return { ...shrunk, requests };
}

test("what the user said goes on word for word through two compactions, and no model is asked", async () => {
  const builder = say(pathBuilder(), ["one", "two\nlines", "three", "four", "five"]);
  const first = await shrink(builder);
  if (first.outcome?.type !== "compaction") throw new Error("no compaction");
  expect([first.strategy, first.requests]).toEqual(["user-words", []]);
  const { summary, firstKeptEntryId } = first.outcome.result;
  expect(summary).toBe("## What the user said, word for word\n- one\n- two\n  lines\n- three\n- four");
  builder.compaction(summary, firstKeptEntryId);
  const second = await shrink(say(builder, ["six", "seven"]));
  expect(second.outcome).toMatchObject({ result: { summary: `${summary}\n- five\n- six` } });
});

test("where that has no room the next rung is asked", async () => {
  const { strategy, failures } = await shrink(say(pathBuilder(), ["long ".repeat(12_000), "two", "three"]));
  expect([strategy, failures.map((failure) => failure.error.code)]).toEqual([
    "summarize",
    ["summary_rejected"],
  ]);
});

test("the package loads into a coding agent by its folder, and makes its compactions", async () => {
  const { files } = createLocalEnvironment({ environmentVariables: {} });
  const { extensions, diagnostics } = await loadExtensions({
    files,
    userExtensions: join(import.meta.dirname, "none"),
    named: [{ source: "cli", specs: ["./user-words"], base: dirname(import.meta.dirname) }],
  });
  expect(diagnostics).toEqual([]);
  const { agent, model } = await createScenario({ answers: () => "word ".repeat(3000), extensions });
  for (const text of ["first wish", "second wish", "third wish"]) await agent.prompt(text);
  const asked = model.requests.length;
  const { summary } = await agent.compact();
  expect(summary).toContain("## What the user said, word for word\n- first wish");
  expect(model.requests).toHaveLength(asked);
  const entry = (await agent.session.getEntries()).find(({ type }) => type === "compaction");
  expect(entry).toMatchObject({ fromHook: true });
});
