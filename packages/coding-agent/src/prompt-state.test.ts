import type { SystemMessage } from "@coppice/ai";
import { foldSystemMessages } from "@coppice/session";
import fc from "fast-check";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { type PromptState, promptStateChange } from "./prompt-state.ts";

const tool = (name: string, description = "d") => ({
  name,
  description,
  parameters: Type.Object({ path: Type.String(), limit: Type.Optional(Type.Number()) }),
});
const stored = (fields: Partial<SystemMessage>): SystemMessage => ({
  role: "system",
  content: "",
  timestamp: 0,
  ...fields,
});

test("the first state is stored whole", () => {
  const read = tool("read");
  expect(promptStateChange(undefined, { sections: { preamble: "p" }, tools: [read] }, 7)).toEqual({
    role: "system",
    content: "",
    sections: { preamble: "p" },
    toolsAdded: [read],
    timestamp: 7,
  });
});

test("only what differs is stored: changed and removed sections, changed tools removed and added again", () => {
  const before = stored({
    sections: { a: "1", b: "2", c: "3" },
    toolsAdded: [tool("x"), tool("y"), tool("z")],
  });
  const wanted: PromptState = { sections: { a: "1", b: "two" }, tools: [tool("x"), tool("y", "other")] };
  expect(promptStateChange(before, wanted, 7)).toEqual({
    role: "system",
    content: "",
    sections: { b: "two", c: null },
    toolsAdded: [tool("y", "other")],
    toolsRemoved: [{ name: "y" }, { name: "z" }],
    timestamp: 7,
  });
});

test("AG-13: another order of tools, sections or schema keys is no change", () => {
  const read = tool("read");
  const { parameters } = read;
  const reordered = {
    parameters: Object.fromEntries(Object.entries(parameters).reverse()),
    ...{ name: "read", description: "d" },
  };
  const before = stored({ sections: { b: "2", a: "1" }, toolsAdded: [tool("edit"), reordered as never] });
  expect(
    promptStateChange(before, { sections: { a: "1", b: "2" }, tools: [read, tool("edit")] }, 7),
  ).toBeUndefined();
});

test("a session that folds the change has the wanted state, and then nothing more changes", () => {
  const sections = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.string(), { noNullPrototype: true });
  const tools = fc
    .dictionary(fc.constantFrom("x", "y", "z"), fc.constantFrom("1", "2"), { noNullPrototype: true })
    .map((known) => Object.entries(known).map(([name, description]) => tool(name, description)));
  const state = fc.record({ sections, tools });
  fc.assert(
    fc.property(state, state, (first, second) => {
      const initial = promptStateChange(undefined, first, 1);
      const folded = initial === undefined ? undefined : foldSystemMessages(undefined, initial);
      const change = promptStateChange(folded, second, 2);
      const after = change === undefined ? folded : foldSystemMessages(folded, change);
      expect(after?.sections ?? {}).toEqual(second.sections);
      expect(promptStateChange(after, second, 3)).toBeUndefined();
    }),
  );
});
