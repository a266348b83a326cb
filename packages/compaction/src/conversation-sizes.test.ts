import type { AgentMessage } from "@coppice/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { conversationSizes } from "./conversation-sizes.ts";
import { scriptEstimator } from "./estimate-text.ts";

const user = (size: number): AgentMessage => ({ role: "user", content: "x", timestamp: size });
const sizeOf = (message: AgentMessage) => message.timestamp;

test("a conversation that grows, shrinks or changes anywhere is measured as it is now", () => {
  const messages = Array.from({ length: 12 }, (_, index) => user(10 ** (index % 8)));
  const lists = fc.array(fc.subarray(messages, { minLength: 1 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lists, (versions) => {
      for (const version of versions) {
        const { sizes, total } = conversationSizes(version, scriptEstimator, sizeOf);
        expect([...Array.from(sizes)]).toEqual(version.map(sizeOf));
        expect(total).toBe(version.reduce((sum, message) => sum + sizeOf(message), 0));
      }
    }),
  );
});

test.each([
  ["appended", (list: AgentMessage[]) => list.push(user(5)), 1],
  ["put in", (list: AgentMessage[]) => list.splice(50, 0, user(5)), 1],
  ["replaced", (list: AgentMessage[]) => list.splice(50, 1, user(5)), 1],
  ["taken out", (list: AgentMessage[]) => list.splice(50, 1), 0],
  ["left as it is", () => undefined, 0],
])("of a message %s in the list of a host only what is new is measured", (_name, change, expected) => {
  const list = Array.from({ length: 100 }, (_, index) => user(index));
  const measured: AgentMessage[] = [];
  const counting = (message: AgentMessage) => {
    measured.push(message);
    return sizeOf(message);
  };
  conversationSizes(list, scriptEstimator, counting);
  measured.length = 0;
  change(list);
  conversationSizes(list, scriptEstimator, counting);
  expect(measured).toHaveLength(expected);
});
