import { scriptedError, scriptedModel } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, MemoryRepo } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryEnvironment } from "./testing/memory-environment.ts";
import { createScenario } from "./testing/scenario.ts";

const isSummary = (content: unknown) => JSON.stringify(content).includes("## Critical Context");

async function workedSession() {
  const session = await new MemoryRepo({ now: () => 0 }).create({ cwd: "/project" });
  let failed = false;
  return createScenario({
    session,
    model: scriptedModel({ contextWindow: 40_000 }),
    environment: createMemoryEnvironment({ files: { "/project/AGENTS.md": "Be brief. ".repeat(50) } }),
    answers: ({ messages }) => {
      if (isSummary(messages.at(-1)?.content)) return goodSummary("Go on.");
      if (failed) return "word ".repeat(3000);
      failed = true;
      return scriptedError({ code: "overloaded" });
    },
  });
}

test("every entry is listed with its state and reason, and the sources sum to the size of the request", async () => {
  const { agent } = await workedSession();
  await agent.pin("Never push.");
  for (const text of ["one", "two", "three"]) await agent.prompt(text);
  await agent.compact();
  await agent.prompt("four");
  const path = await agent.session.getBranch();
  const four = path.findLast((entry) => isEntry(entry, "message") && entry.message.role === "user");
  await agent.navigate(four?.id ?? null);
  await agent.session.appendLabel(path[0]?.id ?? "", "start");
  const { entries, sources, tokens } = await agent.inspectContext();
  expect(entries.map(({ entryId }) => entryId)).toEqual(
    (await agent.session.getEntries()).map(({ id }) => id),
  );
  const states = (state: string) => entries.filter((entry) => entry.state === state);
  expect(states("hidden")).toMatchObject([
    { role: "assistant", reason: "The answer failed and was asked for again." },
  ]);
  expect(states("summarised").some(({ role }) => role === "user")).toBe(true);
  expect(states("other_branch").map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(states("not_sent").some(({ type }) => type === "label")).toBe(true);
  expect(states("in").find(({ type }) => type === "compaction")?.tokens).toBeGreaterThan(0);
  expect(sources.map(({ source }) => source)).toEqual([
    ...["system", "contextFiles", "summary", "pins"],
    ...["user", "assistant"],
  ]);
  expect(sources.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
  expect(tokens).toBe((await agent.getContextUsage()).tokens);
  const ofEntries = entries.reduce((sum, entry) => sum + entry.tokens, 0);
  const overhead = sources.filter(({ source }) => ["system", "tools", "contextFiles"].includes(source));
  expect(ofEntries + overhead.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
});

test("the sources sum to the size of the request after any prompts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
        { maxLength: 4 },
      ),
      async (prompts) => {
        const { agent } = await createScenario({ answers: () => "fine" });
        for (const prompt of prompts) await agent.prompt(prompt);
        const { sources, tokens } = await agent.inspectContext();
        expect(sources.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
      },
    ),
    { numRuns: 20 },
  );
});

test("a fork is a session of its own up to the chosen message; without a repository it is refused", async () => {
  const repo = new MemoryRepo({ now: () => 0 });
  const session = await repo.create({ cwd: "/project" });
  const { agent } = await createScenario({ session, repo, answers: () => "fine" });
  for (const text of ["one", "two"]) await agent.prompt(text);
  const users = (await session.getEntries()).filter(
    (entry) => isEntry(entry, "message") && entry.message.role === "user",
  );
  const fork = await agent.fork({ entryId: users[1]?.id ?? null });
  expect(fork.editorText).toBe("two");
  expect((await fork.session.buildContext()).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(agent.session).toBe(session);
  const lone = await createScenario({ session: fork.session, answers: () => "fine" });
  await expect(lone.agent.fork()).rejects.toMatchObject({ code: "fork_unavailable" });
});
