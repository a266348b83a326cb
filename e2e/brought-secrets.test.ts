import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { scriptedModel } from "@coppice/ai/testing";
import { createScenario, seededSecrets } from "@coppice/coding-agent/testing";
import { type AnyEntry, isEntry, JsonlRepo } from "@coppice/session";
import { expect, test, vi } from "vitest";
import { createPlayground, type Playground, runCoppice } from "./spawn-coppice.ts";

// Each case starts the program several times, on machines that have other things to do.
vi.setConfig({ testTimeout: 120_000 });

const SECRETS = seededSecrets(500, 47);
const TOLD = SECRETS.map(({ text }) => text).join("\n\n");
/** What quotes may take at once holds so many. */
const AT_ONCE = 50;
/** A model that keeps every secret, as one that was told to keep exact values would. */
const SUMMARY = [
  "## Goal\nFinish the task.",
  "## Constraints & Preferences\n- none",
  "## Progress\n### Done\n- read\n### In Progress\n- work\n### Blocked\n- none",
  "## Key Decisions\n- none",
  "## Next Steps\n1. go on",
  `## Critical Context\n${TOLD}`,
].join("\n\n");

/** Secrets of which a line is left in a text, as it is or as JSON has it. */
function leaksIn(text: string): readonly string[] {
  const isLeft = (line: string) => text.includes(line) || text.includes(JSON.stringify(line).slice(1, -1));
  return SECRETS.filter(({ secret }) => secret.split("\n").some(isLeft)).map(({ kind }) => kind);
}

/** A session on disk: one branch says the secrets, the other one brings its entries and its summary, and is compacted. */
async function sessionThatBrought({ project }: Playground) {
  await mkdir(project, { recursive: true });
  const repo = new JsonlRepo({ directory: join(project, "..", "sessions") });
  const { agent, model } = await createScenario({
    session: await repo.create({ cwd: project }),
    model: scriptedModel({ contextWindow: 600_000 }),
    compaction: { enabled: false },
    answers: ({ messages }) => {
      const isSummary = /<conversation>|summar/i.test(JSON.stringify(messages.at(-1)?.content));
      return isSummary ? SUMMARY : "word ".repeat(20_000);
    },
  });
  await agent.prompt("begin");
  const fork = agent.session.getLeafId();
  for (let from = 0; from < SECRETS.length; from += AT_ONCE) {
    const told = SECRETS.slice(from, from + AT_ONCE).map(({ text }) => text);
    await agent.session.appendMessage({ role: "user", content: told.join("\n\n"), timestamp: 1 });
  }
  const left = (await agent.session.getBranch()).slice(-SECRETS.length / AT_ONCE);
  await agent.navigate(fork);
  await agent.prompt("another way");
  for (const { id } of left) await agent.bringEntries({ entryIds: [id] });
  await agent.bringEntries({ branchOf: left.at(-1)?.id ?? "" });
  await agent.prompt("go on");
  const sent = JSON.stringify(model.requests.at(-1)?.messages);
  await agent.compact();
  const entries = await agent.session.getEntries();
  const path = agent.session.path ?? "";
  await agent.dispose();
  return { entries, path, sent };
}

const isSummary = (entry: AnyEntry) => isEntry(entry, "branch_summary") || isEntry(entry, "compaction");
const isQuote = (entry: AnyEntry) =>
  isEntry(entry, "custom_message") && entry.customType === "coppice.brought";

test("entries that are brought keep their secrets for the model alone: summaries, pages and redacted copies hold none", async () => {
  await using playground = await createPlayground();
  const { entries, path, sent } = await sessionThatBrought(playground);
  const quotes = JSON.stringify(entries.filter(isQuote));
  expect(leaksIn(quotes)).toHaveLength(SECRETS.length);
  expect(leaksIn(sent)).toHaveLength(SECRETS.length);
  const summaries = entries.filter(isSummary);
  expect(summaries.map(({ type }) => type)).toEqual(["branch_summary", "compaction"]);
  expect(JSON.stringify(summaries)).toContain("[redacted:github-token:");
  expect(leaksIn(JSON.stringify(summaries))).toEqual([]);

  const page = await runCoppice({ playground, args: ["export", path, "-o", "page.html"] });
  expect(page, page.stderr).toMatchObject({ exitCode: 0 });
  const html = await readFile(join(playground.project, "page.html"), "utf8");
  expect(html).toContain("Brought here from another branch");
  expect(leaksIn(html)).toEqual([]);

  const copy = await runCoppice({ playground, args: ["sessions", "redact", path, "copy.jsonl"] });
  expect(copy, copy.stderr).toMatchObject({ exitCode: 0 });
  const redacted = await readFile(join(playground.project, "copy.jsonl"), "utf8");
  expect(redacted).toContain("Brought here from another branch");
  expect(leaksIn(redacted)).toEqual([]);
  const back = await runCoppice({ playground, args: ["sessions", "restore", "copy.jsonl", "back.jsonl"] });
  expect(back, back.stderr).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(playground.project, "back.jsonl"), "utf8")).toBe(await readFile(path, "utf8"));
});
