import { toolCallsOf } from "@coppice/ai";
import type { AgentMessage } from "../index.ts";

/**
 * What is wrong with the pairing of calls and results in a transcript, one line each; empty = sound.
 *
 * Sound: directly after an assistant message come the results of its calls, each once, in the order of the calls, and
 * nowhere else is a result.
 */
export function unpairedCalls(messages: readonly AgentMessage[]): readonly string[] {
  const problems: string[] = [];
  let expected: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") {
      const id = expected.shift();
      if (id !== message.toolCallId) {
        problems.push(`${index}: result of ${message.toolCallId}, expected ${id ?? "none"}`);
      }
      continue;
    }
    for (const id of expected) problems.push(`${index}: no result of ${id}`);
    expected = message.role === "assistant" ? toolCallsOf(message).map((call) => call.id) : [];
  }
  for (const id of expected) problems.push(`end: no result of ${id}`);
  return problems;
}
