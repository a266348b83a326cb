import fc from "fast-check";
import { expect, test } from "vitest";
import { convertToLlm } from "./convert-to-llm.ts";
import { growingConversion } from "./growing-conversion.ts";
import type { AgentMessage } from "./messages.ts";

const message: fc.Arbitrary<AgentMessage> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: fc.string(), timestamp: fc.nat() }),
  fc.record({
    role: fc.constant("branchSummary" as const),
    summary: fc.string(),
    fromId: fc.string(),
    timestamp: fc.nat(),
  }),
  fc.record({
    role: fc.constant("bashExecution" as const),
    command: fc.string(),
    output: fc.string(),
    cancelled: fc.boolean(),
    truncated: fc.boolean(),
    excludeFromContext: fc.boolean(),
    timestamp: fc.nat(),
  }),
);

test("gives what a conversion of the whole list gives, after any growth and any change of list", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ added: fc.array(message), isNewList: fc.boolean() })), (steps) => {
      const convert = growingConversion();
      const earlier: [given: unknown, then: unknown][] = [];
      let list: AgentMessage[] = [];
      for (const { added, isNewList } of steps) {
        if (isNewList) list = list.slice(1);
        list.push(...added);
        const converted = convert(list);
        expect(converted).toEqual(convertToLlm(list));
        earlier.push([converted, structuredClone(converted)]);
      }
      for (const [given, then] of earlier) expect(given).toEqual(then);
    }),
  );
});
