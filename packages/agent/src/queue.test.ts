import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentMessage } from "./messages.ts";
import { MessageQueue } from "./queue.ts";

const user = (content: string): AgentMessage => ({ role: "user", content, timestamp: 1 });

test("takes the oldest alone, or all, by its mode at that moment", () => {
  const queue = new MessageQueue();
  for (const text of ["1", "2", "3"]) queue.push(user(text));
  expect(queue.take()).toEqual([user("1")]);
  queue.mode = "all";
  expect(queue.take()).toEqual([user("2"), user("3")]);
  expect(queue.take()).toEqual([]);
});

test("every message leaves exactly once and in order, however it is taken", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("push", "take", "mode", "clear")), (steps) => {
      const queue = new MessageQueue();
      const out: AgentMessage[] = [];
      let count = 0;
      for (const step of steps) {
        if (step === "push") queue.push(user(String(count++)));
        else if (step === "mode") queue.mode = queue.mode === "all" ? "one-at-a-time" : "all";
        else out.push(...queue[step as "take" | "clear"]());
      }
      out.push(...queue.clear());
      expect(out.map((message) => (message as { content: string }).content)).toEqual(
        Array.from({ length: count }, (_, index) => String(index)),
      );
    }),
  );
});
