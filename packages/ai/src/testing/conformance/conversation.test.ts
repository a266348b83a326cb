import { describe, expect, test } from "vitest";
import { builtinProviders } from "../../builtin-providers.ts";
import { converse } from "./conversation.ts";

const apis = Object.keys(builtinProviders);
const pairs = apis.flatMap((from) => apis.map((to) => ({ from, to })));

const STRICTNESS = [{}, { thinkingStartsToolTurns: true }];

describe.each(STRICTNESS)(
  "AI-01 to AI-06, AI-11, B111, B118: one conversation over two models, nothing refused (server: %o)",
  (strictness) => {
    test.each(pairs)("$from and $to", async ({ from, to }) => {
      const { messages, server } = await converse({
        providers: builtinProviders,
        from,
        to,
        server: strictness,
      });
      const last = server.requests.at(-1);
      expect(last?.model).toBe("first");
      const turns = last?.turns ?? [];
      expect(turns.filter((turn) => turn.role === "user").map((turn) => turn.text)).toEqual(
        expect.arrayContaining([
          "hello",
          "think about it",
          "compare a and b",
          "and this?",
          "now you",
          "done?",
        ]),
      );
      const asked = turns.flatMap((turn) => turn.calls);
      expect(asked.map((call) => call.arguments)).toEqual(
        ["a", "b", "c", "d", "e", "f"].map((path) => JSON.stringify({ path })),
      );
      const answered = turns.filter((turn) => turn.role === "tool");
      expect(answered.map((turn) => [turn.resultFor, turn.text])).toEqual(
        asked.map((call) => [call.id, `Content of ${JSON.parse(call.arguments).path}`]),
      );
      expect(turns.reduce((sum, turn) => sum + turn.imageCount, 0)).toBe(2);
      expect(messages.filter((message) => message.role === "assistant")).toHaveLength(12);
    });
  },
);
