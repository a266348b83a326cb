import type { AgentMessage } from "@coppice/agent";
import { expect, test } from "vitest";
import { transcriptText } from "./transcript.ts";

declare module "@coppice/agent" {
  interface CustomAgentMessages {
    weather: { readonly role: "weather"; readonly degrees: number; readonly timestamp: number };
  }
}

test("a role that an application added by declaration merging is named, and what it says stays inert", () => {
  const messages: readonly AgentMessage[] = [
    { role: "user", content: "hello", timestamp: 1 },
    { role: "weather", degrees: 21, timestamp: 2 },
    { role: "user", content: "bye", timestamp: 3 },
  ];
  expect(transcriptText(messages)).toBe("## user\nhello\n\n## weather\n\n## user\nbye");
});

test("a role that nobody knows, from a file, cannot drive the terminal", () => {
  const message = { role: "\u001b]0;owned\u0007odd", timestamp: 1 } as unknown as AgentMessage;
  expect(transcriptText([message])).toBe("## odd");
});
