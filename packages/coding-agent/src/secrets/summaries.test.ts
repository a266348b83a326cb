import { scriptedModel } from "@coppice/ai/testing";
import { type AnyEntry, isEntry } from "@coppice/session";
import { expect, test } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { seededSecrets } from "../testing/seeded-secrets.ts";

const SECRETS = seededSecrets(500, 23);
/** A model that keeps every secret, as one that was told to keep exact values would. */
const SUMMARY = [
  "## Goal\nFinish the task.",
  "## Constraints & Preferences\n- none",
  "## Progress\n### Done\n- read\n### In Progress\n- work\n### Blocked\n- none",
  "## Key Decisions\n- none",
  "## Next Steps\n1. go on",
  `## Critical Context\n${SECRETS.map(({ text }) => text).join("\n")}`,
].join("\n\n");

const isSummaryRequest = (request: { readonly messages: readonly { readonly content: unknown }[] }) =>
  /<conversation>|summar/i.test(JSON.stringify(request.messages.at(-1)?.content));

/** An agent that has talked for long enough to be compacted. */
async function talkedScenario() {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 400_000 }),
    answers: (request) => (isSummaryRequest(request) ? SUMMARY : "word ".repeat(40_000)),
  });
  for (const text of ["one", "two", "three"]) await scenario.agent.prompt(text);
  return scenario;
}

/** Secrets of which a line is left in a text. */
function leaksIn(text: string): readonly string[] {
  const isLeft = ({ secret }: { readonly secret: string }) =>
    secret.split("\n").some((line) => text.includes(line));
  return SECRETS.filter(isLeft).map(({ kind }) => kind);
}

function summariesOf(entries: readonly AnyEntry[]): readonly string[] {
  return entries.flatMap((entry) =>
    isEntry(entry, "compaction") || isEntry(entry, "branch_summary") ? [entry.summary] : [],
  );
}

test("500 seeded secrets that a model puts into a compaction's summary are not stored, told or sent", async () => {
  const { agent, eventsOf, model } = await talkedScenario();
  await agent.compact();
  const summaries = summariesOf(await agent.session.getEntries());
  expect(summaries).toHaveLength(1);
  expect(leaksIn(summaries[0] ?? "")).toEqual([]);
  expect(summaries[0]).toContain("[redacted:github-token:");
  expect(leaksIn(JSON.stringify(eventsOf("compaction_end")))).toEqual([]);
  await agent.prompt("go on");
  expect(leaksIn(JSON.stringify(model.requests.at(-1)?.messages))).toEqual([]);
});

test("nor those that it puts into the summary of a branch", async () => {
  const { agent } = await talkedScenario();
  const first = (await agent.session.getEntries()).find(
    (entry) => isEntry(entry, "message") && entry.message.role === "assistant",
  );
  await agent.navigate(first?.id ?? null, { summarize: true });
  const summaries = summariesOf(await agent.session.getEntries());
  expect(summaries).toHaveLength(1);
  expect(summaries[0]).toContain("[redacted:github-token:");
  expect(leaksIn(summaries[0] ?? "")).toEqual([]);
});
