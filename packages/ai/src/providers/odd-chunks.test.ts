import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, frames } from "../../test/answer-of.ts";
import { builtinProviders } from "../builtin-providers.ts";
import { eventOrderProblem } from "../testing/conformance/event-order.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const REMOVED = Symbol("removed");

/** A JSON value with the `at`-th field of it (depth first) replaced or removed. */
function mutated(value: unknown, at: number, replacement: unknown): unknown {
  let count = 0;
  const walk = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).flatMap(([key, child]): [string, unknown][] => {
      if (count++ !== at) return [[key, walk(child)]];
      return replacement === REMOVED ? [] : [[key, replacement]];
    });
    return Array.isArray(node) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
  };
  return walk(value);
}

/** Streams that give each of their blocks the place 0. */
const REPEATED: Readonly<Record<string, readonly object[]>> = {
  "anthropic-messages": [
    { type: "message_start", message: { id: "m" } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "c1", name: "ls" } },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"n":1}' } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "again" } },
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ],
  "openai-responses": [
    { type: "response.created", response: { id: "m" } },
    { type: "response.output_text.delta", output_index: 0, delta: "Hi" },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "function_call", call_id: "c1", name: "ls", arguments: '{"n":1}' },
    },
    { type: "response.output_text.delta", output_index: 0, delta: "again" },
    { type: "response.completed", response: { id: "m" } },
  ],
};

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  const streams = globSync(`${api}/*/response.sse`, { cwd: FIXTURES })
    .sort()
    .map((path) => readFileSync(join(FIXTURES, path), "utf8"));

  test("AI-21, B099: any field missing, null or of another type: no throw, one terminal event, only known codes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...streams),
        fc.nat(),
        fc.nat(40),
        fc.constantFrom<unknown[]>(REMOVED, null, 0, "", "x", [], {}, [null], true),
        async (stream, frameAt, fieldAt, replacement) => {
          const lines = stream.split("\n");
          const data = lines.flatMap((line, at) => (/^data: (\{|\[\{)/.test(line) ? [at] : []));
          const place = data[frameAt % data.length] ?? 0;
          const json: unknown = JSON.parse((lines[place] ?? "").slice("data: ".length));
          lines[place] = `data: ${JSON.stringify(mutated(json, fieldAt, replacement))}`;
          const { message, events } = await answerOf(api, lines.join("\n"));
          expect(eventOrderProblem(events)).toBeUndefined();
          const { totalTokens, input, output, cacheRead, cacheWrite } = message.usage;
          expect(totalTokens).toBe(input + output + cacheRead + cacheWrite);
          // A slip of ours would surface as an error of JavaScript's.
          expect(message.errorMessage ?? "").not.toMatch(
            /undefined|not a function|not iterable|cannot read/i,
          );
        },
      ),
      { numRuns: 250 },
    );
  });
});

test.each(Object.keys(builtinProviders).filter((api) => api in REPEATED))(
  "%s: a place that comes again for another block is a block of its own",
  async (api) => {
    const { message, events } = await answerOf(api, frames(...(REPEATED[api] ?? [])));
    expect(eventOrderProblem(events)).toBeUndefined();
    expect(message.content).toEqual([
      { type: "text", text: "Hi" },
      { type: "toolCall", id: "c1", name: "ls", arguments: { n: 1 } },
      { type: "text", text: "again" },
    ]);
  },
);
