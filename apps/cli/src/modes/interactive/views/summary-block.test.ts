import type { AgentEvent } from "@coppice/agent";
import type { Extension } from "@coppice/coding-agent";
import { createScenario } from "@coppice/coding-agent/testing";
import { expect, test } from "vitest";
import { eventNotice } from "../event-notice.ts";
import { createPaint } from "../theme.ts";
import { TranscriptView } from "./transcript-view.ts";

const summaryOf = (goal: string) =>
  `## Goal\n${goal}\n\n## Progress\n### Done\n- [x] Some of it.\n\n## Next Steps\n1. Go on.`;

const ownSummary: Extension = {
  name: "own-summary",
  setup: () => undefined,
  onCompaction: async ({ messages }) => ({
    summary: summaryOf("By an extension."),
    keptMessages: messages.slice(-1),
  }),
};

test.each([
  { name: "the built-in summary", extensions: [], goal: "By the model." },
  { name: "an extension's summary", extensions: [ownSummary], goal: "By an extension." },
])(
  "CO-25: of two compactions with $name one block stands in the transcript, and each is told once",
  async ({ extensions, goal }) => {
    const { agent, events } = await createScenario({
      extensions,
      answers: (request) =>
        /<conversation>|replaced by a summary/.test(JSON.stringify(request.messages.at(-1)))
          ? summaryOf("By the model.")
          : "word ".repeat(2000),
    });
    const view = new TranscriptView(createPaint(false));
    view.reset((await agent.getContext()).messages);
    for (const texts of [
      ["one", "two", "three"],
      ["four", "five", "six"],
    ]) {
      for (const text of texts) await agent.prompt(text);
      await agent.compact();
    }
    for (const event of events) view.handle(event as AgentEvent);
    const blocks = () =>
      view.render(80).filter((line) => line.includes("Summary of what came before")).length;
    expect(blocks()).toBe(0);
    const notices = events.filter(({ type }) => type === "compaction_end").map((event) => eventNotice(event));
    expect(notices.map((notice) => notice?.level)).toEqual(["info", "info"]);
    for (let times = 0; times < 2; times++) {
      view.reset((await agent.getContext()).messages);
      expect(blocks()).toBe(1);
      expect(view.render(80).join("\n")).toContain(goal);
    }
  },
);
