import { expect, test } from "vitest";
import type { Fact } from "./fact.ts";
import { reportOf } from "./report.ts";
import type { SessionOutcome } from "./run-session.ts";
import { passes, scoresOf } from "./score.ts";
import { judge } from "./verdict.ts";

const fact: Fact = { id: "a", kind: "recall", text: "port = 1", question: "port" };
const old: Fact = { id: "old", kind: "decision", text: "use X", question: "X or Y", supersededBy: "new" };
const end: Fact = { id: "new", kind: "decision", text: "not X any more, use Y", question: "X or Y" };
const facts = [fact, old, end];

test.each([
  { fact, view: ["the port = 1 here"], recall: undefined, verdict: "in-context" },
  { fact, view: [], recall: "found: port = 1", verdict: "by-recall" },
  { fact, view: [], recall: "found: port = 2", verdict: "lost" },
  { fact, view: [], recall: undefined, verdict: "lost" },
  { fact: old, view: ["not X any more, use Y"], recall: undefined, verdict: "in-context" },
  { fact: old, view: [], recall: "use X … not X any more, use Y", verdict: "by-recall" },
  { fact: old, view: [], recall: undefined, verdict: "lost" },
  { fact: old, view: ["say use X", "not X any more, use Y"], recall: undefined, verdict: "in-context" },
  { fact: old, view: ["not X any more, use Y; before: use X"], recall: undefined, verdict: "in-context" },
])("$fact.id with a view of $view and '$recall' recalled is $verdict", async (row) => {
  const recall = row.recall === undefined ? undefined : async () => row.recall;
  expect((await judge(row.fact, { view: row.view, facts, recall })).verdict).toBe(row.verdict);
});

test.each([
  { name: "the old words alone, no recall", view: ["use X"], recall: undefined },
  { name: "the old words alone, their end only by recall", view: ["use X"], recall: "not X any more, use Y" },
  {
    name: "the old words again after their end",
    view: ["not X any more, use Y", "use X"],
    recall: undefined,
  },
  { name: "recalled without their end", view: [], recall: "you said: use X" },
])("an agent that shows a superseded fact as if it held does not pass: $name", async ({ view, recall }) => {
  const options = { view, facts, recall: recall === undefined ? undefined : async () => recall };
  const verdict = await judge(old, options);
  expect(verdict.verdict).toBe("bare");
  const sound = await judge(end, { ...options, recall: async () => end.text });
  const session = outcome({ verdicts: [verdict, sound] });
  expect(passes([session], { compactions: 3 })).toBe(false);
  expect(reportOf([{ agent: "bad", sessions: [session] }])).toContain(
    "| bad | superseded, shown as such | 1 | 0 | 0 | 0 | 1 | 0.0 % | 100 % |",
  );
});

const outcome = (patch: Partial<SessionOutcome>): SessionOutcome => ({
  ...{ seed: 1, compactions: 3, fillerTurns: 5, refused: 0 },
  verdicts: [
    { fact, verdict: "by-recall" },
    { fact: old, verdict: "in-context" },
  ],
  ...patch,
});

test("facts are counted by kind, superseded ones for themselves", () => {
  const rows = scoresOf([outcome({})]).map(({ row, total, reached }) => [row, total, reached]);
  expect(rows).toEqual([
    ["artifact", 0, 1],
    ["continuation", 0, 1],
    ["decision", 0, 1],
    ["recall", 1, 1],
    ["superseded", 1, 1],
  ]);
});

test.each([
  { name: "all found", sessions: [outcome({})], expected: true },
  { name: "too few compactions", sessions: [outcome({ compactions: 2 })], expected: false },
  { name: "a refused request", sessions: [outcome({ refused: 1 })], expected: false },
  {
    name: "a lost value of twenty",
    sessions: [
      ...Array.from({ length: 19 }, () => outcome({})),
      outcome({ verdicts: [{ fact, verdict: "lost" }] }),
    ],
    expected: true,
  },
  { name: "a lost value", sessions: [outcome({ verdicts: [{ fact, verdict: "lost" }] })], expected: false },
])("$name: passes is $expected", ({ sessions, expected }) => {
  expect(passes(sessions, { compactions: 3 })).toBe(expected);
});
