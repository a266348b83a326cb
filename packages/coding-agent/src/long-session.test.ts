import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedModel, scriptedText } from "@coppice/ai/testing";
import { type AnyEntry, isEntry, JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createScenario } from "./testing/scenario.ts";

const TRIGGER_TOKENS = 183_616;
/** An answer of about 6,000 tokens. */
const LONG_ANSWER = "word ".repeat(4800);

const isSummaryRequest = (request: ChatRequest) =>
  JSON.stringify(request.messages.at(-1)?.content).includes("<conversation>");

/** What a request says, without functions, signals and keys of the run around it. */
const body = ({ model, messages, systemPrompt, tools, thinkingLevel }: ChatRequest) =>
  JSON.stringify({ model, messages, systemPrompt, tools, thinkingLevel });

const userEntries = (entries: readonly AnyEntry[]) =>
  entries.filter((entry) => isEntry(entry, "message") && entry.message.role === "user");

test("the life of a long session: exact trigger, three compactions, a left branch, the same after reopening", async () => {
  const directory = await temporaryFolder();
  const session = await new JsonlRepo({ directory: join(directory, "a"), fsync: "off" }).create({
    cwd: "/project",
  });
  let reported = 0;
  const summaryInputs: string[] = [];
  const answers = (request: ChatRequest) => {
    if (isSummaryRequest(request)) {
      summaryInputs.push(JSON.stringify(request.messages));
      return `## Goal\nGoal ${summaryInputs.length}.\n\n## Constraints & Preferences\n- none\n\n## Progress\n### Done\n- d\n### In Progress\n- p\n### Blocked\n- b\n\n## Key Decisions\n- k\n\n## Next Steps\n1. n\n\n## Critical Context\n- c`;
    }
    return {
      content: [scriptedText(LONG_ANSWER)],
      usage: { input: reported - 6000, output: 6000, cacheRead: 0, cacheWrite: 0 },
    };
  };
  const now = () => Date.now();
  const model = scriptedModel({ contextWindow: 200_000 });
  const scenario = await createScenario({ session, model, answers, now });
  const { agent } = scenario;
  const compactions = () => scenario.eventsOf("compaction_end").length;

  // Two messages of one token each: turn 7 leaves exactly the trigger in the next request, turn 8 one token more.
  const turn = async (tokens: number) => {
    reported = tokens;
    await agent.prompt("next");
  };
  for (let number = 1; number <= 6; number++) await turn(20_000 * number);
  await turn(TRIGGER_TOKENS - 1);
  await turn(TRIGGER_TOKENS);
  expect(compactions()).toBe(0);
  const verbatim = (await agent.getContext()).messages.slice(-2);
  await turn(40_000);
  expect(compactions()).toBe(1);
  const [first] = scenario.eventsOf("compaction_end");
  expect(first?.result?.tokensAfter).toBeGreaterThan(10_000);
  expect(first?.result?.tokensAfter).toBeLessThan(27_000);
  expect((await agent.getContext()).messages).toEqual(expect.arrayContaining([...verbatim]));

  for (let number = 10; number <= 25; number++) {
    await turn(number === 15 || number === 21 ? TRIGGER_TOKENS : 50_000);
  }
  expect(compactions()).toBe(3);
  expect(summaryInputs.map((input) => /<previous-summary>\\n## Goal\\nGoal (\d)/.exec(input)?.[1])).toEqual([
    undefined,
    "1",
    "2",
  ]);

  const turns = userEntries(await session.getEntries());
  expect(turns).toHaveLength(25);
  const moved = await agent.navigate(turns[8]?.id ?? null, { summarize: true });
  expect(moved.editorText).toBe("next");
  expect((await agent.getContext()).messages.at(-1)).toMatchObject({ role: "branchSummary" });
  await turn(60_000);
  await turn(66_000);

  // The same file, once opened anew and once by the process that never quit.
  const copy = join(directory, "b");
  await cp(join(directory, "a"), copy, { recursive: true, filter: (path) => !path.endsWith(".lock") });
  const reopened = await new JsonlRepo({ directory: copy }).open(session.id);
  expect(reopened.getLeafId()).toBe(session.getLeafId());
  const fixed = () => 1_900_000_000_000;
  const other = await createScenario({ session: reopened, model, answers, now: fixed });
  await other.agent.prompt("next");
  await turn(70_000);
  const mine = scenario.model.requests.at(-1);
  const theirs = other.model.requests.at(-1);
  if (mine === undefined || theirs === undefined) throw new Error("A request is missing.");
  const withoutNewest = (request: ChatRequest) =>
    body({ ...request, messages: request.messages.slice(0, -1) });
  expect(withoutNewest(theirs)).toBe(withoutNewest(mine));
  expect(theirs.messages.at(-1)).toMatchObject({ role: "user", content: [{ type: "text", text: "next" }] });
  const newest = theirs.messages.at(-1);
  expect(newest?.role === "user" && textOf(newest.content)).toBe("next");
  await other.agent.dispose();
  await agent.dispose();
});
