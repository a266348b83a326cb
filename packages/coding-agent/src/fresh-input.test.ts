import { type ChatRequest, textOf } from "@coppice/ai";
import { scriptedModel } from "@coppice/ai/testing";
import { expect, test } from "vitest";
import type { Extension } from "./extension.ts";
import { createScenario } from "./testing/scenario.ts";

const summary = "All of it.";

/** Extensions that would put everything away, the question that is about to be asked included. */
const GREEDY: readonly Extension[] = [
  { name: "onCompaction", setup: () => undefined, onCompaction: () => ({ summary, keptMessages: [] }) },
  {
    name: "onCompaction that keeps the oldest",
    setup: () => undefined,
    onCompaction: ({ messages }) => ({ summary, keptMessages: messages.slice(0, 1) }),
  },
  {
    name: "a hook",
    setup: (api) =>
      api.on("session_before_compact", () => ({ compaction: { summary, firstKeptEntryId: "" } })),
  },
  {
    name: "a strategy",
    setup: (api) =>
      api.registerCompactionStrategy({
        name: "greedy",
        async shrink({ preparation }) {
          if (preparation === undefined) return undefined;
          const { tokensBefore, checkpoint, fileOps } = preparation;
          return {
            type: "compaction",
            result: {
              ...{ summary, firstKeptEntryId: "", tokensBefore, tokensAfter: 1, retainedTail: [] },
              ...{ details: fileOps, usage: undefined, shortenings: [], checkpoint, isExtract: false },
            },
          };
        },
      }),
  },
];

test.each(GREEDY)("CO-05: input that nobody has answered outlives $name", async (extension) => {
  const scenario = await createScenario({
    model: scriptedModel({ contextWindow: 16_000, maxTokens: 1024 }),
    extensions: [extension],
    compaction: { background: false },
    answers: () => "word ".repeat(3000),
  });
  const asked = (request: ChatRequest | undefined) =>
    request?.messages.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : []));
  for (const text of ["one", "two", "three", "four", "five"]) {
    await scenario.agent.prompt(text);
    expect(asked(scenario.model.requests.at(-1))).toContain(text);
  }
  expect(scenario.eventsOf("compaction_end").length).toBeGreaterThan(0);
});
