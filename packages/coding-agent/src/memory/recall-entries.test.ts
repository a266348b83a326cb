import { MemoryRepo, type Session } from "@coppice/session";
import { expect, test } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { recallEntries, recallRequestOf } from "./recall-entries.ts";

interface Told {
  readonly session: Session;
  readonly first: string;
  readonly last: string;
}

async function told(): Promise<Told> {
  const session = await new MemoryRepo().create({ cwd: "/project" });
  const say = (text: string) => session.appendMessage({ role: "user", content: text, timestamp: 1 });
  const first = await say("the port is 8421");
  const last = await say("and the host is heron");
  await session.appendCompaction({ summary: "Set up.", firstKeptEntryId: "", tokensBefore: 9 });
  return { session, first, last };
}

test("originals that a compaction put away come back by handle, by span and by words, each cited", async () => {
  const { session, first, last } = await told();
  const byHandle = await recallEntries(session, { handle: first });
  expect(byHandle.entryIds).toEqual([first]);
  expect(byHandle.text).toContain(`[${first}] user`);
  expect(byHandle.text).toContain("the port is 8421");
  expect((await recallEntries(session, { handle: `${first}..${last}` })).entryIds).toEqual([first, last]);
  expect((await recallEntries(session, { query: "heron" })).entryIds).toEqual([last]);
});

test("a budget bounds what is shown", async () => {
  const { session } = await told();
  const id = await session.appendMessage({ role: "user", content: "word ".repeat(9000), timestamp: 1 });
  const sizes = [200, 4000, undefined, 12_000, 1_000_000].map(async (budgetTokens) => {
    const budget = budgetTokens === undefined ? {} : { budgetTokens };
    return (await recallEntries(session, { handle: id, ...budget })).text.length;
  });
  const [small = 0, middle = 0, usual, large = 0, larger] = await Promise.all(sizes);
  expect(small).toBeLessThan(middle);
  expect(usual).toBe(middle);
  expect(large).toBeGreaterThan(middle);
  expect(larger).toBe(large);
});

test.each([
  { name: "an unknown entry", request: { handle: "nope" } },
  { name: "words that are nowhere", request: { query: "zebra" } },
  { name: "nothing", request: { query: " " } },
])("$name is refused by a code", async ({ request }) => {
  const { session } = await told();
  await expect(recallEntries(session, request)).rejects.toMatchObject({ code: "nothing_recalled" });
});

test("what is typed is a handle where its entry exists, and words otherwise", async () => {
  const { session, first, last } = await told();
  for (const handle of [first, `${first}@4`, `${first}..${last}`, ` ${first}@4..${last} `])
    expect(await recallRequestOf(session, handle)).toEqual({ handle: handle.trim() });
  for (const query of ["heron", `${first} heron`, "a..b", "..", "host@4"])
    expect(await recallRequestOf(session, query)).toEqual({ query });
});

test("the agent recalls for its user without a write and without pinning", async () => {
  const { session, last } = await told();
  const { agent } = await createScenario({ session, answers: [] });
  const count = (await session.getEntries()).length;
  for (const _ of [1, 2, 3]) expect((await agent.recall({ query: "heron" })).entryIds).toEqual([last]);
  expect(await session.getEntries()).toHaveLength(count);
  expect(await agent.pins()).toEqual([]);
});
