import { afterEach, describe, expect, test, vi } from "vitest";
import { answerOf, frames } from "../../test/answer-of.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Pieces of one long JSON argument. */
function pieces(count: number): readonly string[] {
  return ['{"text":"', ...Array.from({ length: count }, (_, at) => `line ${at} {} \\" `), '"}'];
}

/** A long call in each format that streams arguments. */
const CALLS: Readonly<Record<string, (texts: readonly string[]) => string>> = {
  "anthropic-messages": (texts) =>
    frames(
      { type: "message_start", message: { id: "m" } },
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "write" } },
      ...texts.map((partial_json) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json },
      })),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ),
  "openai-responses": (texts) =>
    frames(
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "function_call", id: "f", call_id: "c" },
      },
      ...texts.map((delta) => ({ type: "response.function_call_arguments.delta", output_index: 0, delta })),
      { type: "response.completed", response: { id: "m" } },
    ),
  // A gateway that renames the call in every piece, so that each piece asks whether a new call starts.
  "openai-completions": (texts) =>
    frames(
      ...texts.map((text, at) => ({
        id: "m",
        choices: [
          {
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: `c${at}`,
                  function: { ...(at === 0 ? { name: "write" } : {}), arguments: text },
                },
              ],
            },
          },
        ],
      })),
      { id: "m", choices: [{ delta: {}, finish_reason: "tool_calls" }] },
    ),
};

describe.each(Object.entries(CALLS))("%s", (api, callOf) => {
  /** Characters that were given to JSON.parse while a call of so many pieces arrived. */
  async function parsedChars(count: number) {
    const bytes = callOf(pieces(count));
    let chars = 0;
    const parse = JSON.parse;
    vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
      chars += text.length;
      return parse(text, reviver);
    });
    const { message, events } = await answerOf(api, bytes);
    vi.restoreAllMocks();
    expect(message.stopReason).toBe("toolUse");
    const texts = events.map((event) => (event.type === "toolcall_delta" ? event.delta : "")).join("");
    expect(texts).toBe(pieces(count).join(""));
    return { chars, bytes: bytes.length };
  }

  test("PF-01: arguments are parsed at their end, not at each delta", async () => {
    const [small, large] = [await parsedChars(200), await parsedChars(2000)];
    // Frames once, the arguments at most twice: at their own end and at that of the answer.
    for (const { chars, bytes } of [small, large]) expect(chars / bytes).toBeLessThan(2.5);
  });
});
