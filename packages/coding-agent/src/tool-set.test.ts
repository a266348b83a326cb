import type { AnyAgentTool } from "@coppice/agent";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { ToolSet } from "./tool-set.ts";

const tool = (name: string): AnyAgentTool => ({
  name,
  description: name,
  parameters: Type.Object({}),
  execute: async () => ({ content: [] }),
});
const set = () => new ToolSet([tool("a"), tool("b"), tool("c")]);
const active = (tools: ToolSet) => tools.active.map(({ name }) => name);

test("all tools are active until some are chosen; the order is that of registration", () => {
  const tools = set();
  expect(active(tools)).toEqual(["a", "b", "c"]);
  tools.activate(["c", "a"]);
  expect(active(tools)).toEqual(["a", "c"]);
});

test("an unknown name is refused and nothing changes", () => {
  const tools = set();
  tools.activate(["a"]);
  expect(() => tools.activate(["b", "nope"])).toThrow('No tool is named "nope". Known: a, b, c.');
  expect(active(tools)).toEqual(["a"]);
});

test("two tools of one name are refused; a removed one makes room", () => {
  const tools = set();
  expect(() => tools.add(tool("a"))).toThrow('There is already a tool named "a".');
  const remove = tools.add(tool("d"));
  remove();
  expect(tools.names).toEqual(["a", "b", "c"]);
});

test("restoring a stored choice leaves out tools that are gone and names them", () => {
  const tools = set();
  expect(tools.restore(["b", "gone"])).toEqual(["gone"]);
  expect(active(tools)).toEqual(["b"]);
});

test("MC-06: a chosen tool that comes later is active once it is there, and its choice is not lost before", () => {
  const tools = set();
  expect(() => tools.activate(["a", "late__x"])).toThrow('No tool is named "late__x"');
  const forget = tools.expect("late__");
  expect(tools.restore(["a", "late__x", "gone"])).toEqual(["gone"]);
  expect([active(tools), tools.missing]).toEqual([["a"], ["late__x"]]);
  expect(tools.changesFrom(["a", "late__x"])).toEqual([]);
  tools.add(tool("late__x"));
  expect([active(tools), tools.missing]).toEqual([["a", "late__x"], []]);
  expect(tools.changesFrom(["a", "late__x"])).toEqual([]);
  forget();
  expect(() => tools.activate(["late__y"])).toThrow('No tool is named "late__y"');
});

test("tools that come late stand behind the others by name, in whatever order they come", () => {
  const [first, second] = [set(), set()];
  for (const tools of [first, second]) tools.expect("late__");
  for (const name of ["late__z", "d", "late__a"]) first.add(tool(name));
  for (const name of ["late__a", "late__z", "d"]) second.add(tool(name));
  expect(active(first)).toEqual(["a", "b", "c", "d", "late__a", "late__z"]);
  expect([active(second), second.names]).toEqual([active(first), active(first)]);
});

test("names that the session used and nobody has yet are missing", () => {
  const tools = set();
  tools.rememberUsed(["a", "late__x"]);
  expect(tools.missing).toEqual(["late__x"]);
});

test.each([
  { name: "the untouched default of a new session", choose: undefined, stored: undefined, changes: [] },
  { name: "a first choice", choose: ["a"], stored: undefined, changes: [["a"]] },
  { name: "the stored choice, in another order", choose: ["b", "a"], stored: ["b", "a"], changes: [] },
  {
    name: "a choice that covers everything again",
    choose: ["a", "b", "c"],
    stored: ["a"],
    changes: [["a", "b", "c"]],
  },
])("entries for $name", ({ choose, stored, changes }) => {
  const tools = set();
  if (choose !== undefined) tools.activate(choose);
  expect(tools.changesFrom(stored)).toEqual(
    changes.map((activeToolNames) => ({ type: "active_tools_change", activeToolNames })),
  );
});
