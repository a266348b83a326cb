import { describe, expect, test } from "vitest";
import type { AnyEntry } from "./entry.ts";
import { userMessage } from "./testing/index.ts";
import { cleanName, EntryTree } from "./tree.ts";

const timestamp = "2026-01-01T00:00:00.000Z";
const message = (id: string, parentId: string | null): AnyEntry => ({
  type: "message",
  id,
  parentId,
  timestamp,
  message: userMessage(id),
});
const other = (type: string, id: string, parentId: string | null, fields: object = {}): AnyEntry =>
  ({ type, id, parentId, timestamp, ...fields }) as AnyEntry;

function tree(...entries: readonly AnyEntry[]): EntryTree {
  const made = new EntryTree();
  for (const entry of entries) made.add(entry);
  return made;
}

const chain = [message("e1", null), message("e2", "e1"), message("e3", "e2"), message("e4", "e3")];
const ids = (entries: readonly AnyEntry[]) => entries.map(({ id }) => id);

describe("the position", () => {
  test("is the last entry of a chain, and null in an empty session", () => {
    expect([tree().position, tree(...chain).position]).toEqual([null, "e4"]);
  });

  test.each([
    ["session_info", { name: "x" }],
    ["label", { targetId: "e1", label: "x" }],
    ["usage", { usage: {} }],
    ["model_change", { provider: "p", modelId: "m" }],
    ["thinking_level_change", { thinkingLevel: "low" }],
    ["active_tools_change", { activeToolNames: [] }],
  ])("B008: stays where a stale %s hangs on an older entry", (type, fields) => {
    expect(tree(...chain, other(type, "m1", "e2", fields)).position).toBe("e4");
  });

  test.each(["model_change", "thinking_level_change", "active_tools_change"])(
    "moves to a %s that hangs on it, also through a label",
    (type) => {
      const label = other("label", "l1", "e4", { targetId: "e1", label: "x" });
      expect(tree(...chain, other(type, "m1", "e4")).position).toBe("m1");
      expect(tree(...chain, label, other(type, "m1", "l1")).position).toBe("m1");
    },
  );

  test("moves to kinds that are not known", () => {
    expect(tree(...chain, other("from_the_future", "u1", "e2")).position).toBe("u1");
  });

  test("follows the target of a leaf entry, whatever its parent is", () => {
    expect(tree(...chain, other("leaf", "l1", "e4", { targetId: "e2" })).position).toBe("e2");
    expect(tree(...chain, other("leaf", "l1", null, { targetId: null })).position).toBeNull();
  });

  test("is the nearest real entry when a leaf entry points at metadata", () => {
    const label = other("label", "l1", "e2", { targetId: "e1", label: "x" });
    expect(tree(...chain, label, other("leaf", "l2", "l1", { targetId: "l1" })).position).toBe("e2");
  });

  test("ignores a leaf entry with an unknown target and says so", () => {
    const made = tree(...chain, other("leaf", "l1", "e2", { targetId: "gone" }));
    expect(made.position).toBe("e4");
    expect(made.diagnostics.map(({ code, entryId }) => [code, entryId])).toEqual([["unknown_target", "l1"]]);
  });
});

describe("the path", () => {
  test("walks through metadata that foreign writers use as a parent", () => {
    const label = other("label", "l1", "e4", { targetId: "e1", label: "x" });
    expect(ids(tree(...chain, label, message("e5", "l1")).path("e5"))).toEqual([
      "e1",
      "e2",
      "e3",
      "e4",
      "l1",
      "e5",
    ]);
  });

  test("walks through a leaf entry to its target", () => {
    const made = tree(...chain, other("leaf", "l1", "e4", { targetId: "e2" }), message("e5", "l1"));
    expect(ids(made.path("e5"))).toEqual(["e1", "e2", "l1", "e5"]);
  });

  test.each([
    ["itself", [message("e1", null), message("e2", "e2"), message("e3", "e2")], ["e1", "e2", "e3"]],
    ["each other", [message("e1", "e2"), message("e2", "e1"), message("e3", "e2")], ["e1", "e2", "e3"]],
    [
      "a later entry",
      [message("e1", null), message("e2", "e4"), message("e3", "e2"), message("e4", "e3")],
      ["e1", "e2", "e3", "e4"],
    ],
  ])("ends where entries have %s as a parent, and says so", (_name, entries, expected) => {
    const made = tree(...entries);
    expect(ids(made.path(made.position))).toEqual(expected);
    expect(made.diagnostics.map(({ code }) => code)).toEqual(["cycle"]);
    expect(made.nodes()).toHaveLength(1);
  });

  test("follows a parent that stands later in the file", () => {
    expect(ids(tree(message("e2", "e1"), message("e1", null)).path("e2"))).toEqual(["e1", "e2"]);
  });

  test("keeps the first of two entries with one id and reports the other", () => {
    const made = tree(...chain, { ...message("e2", "e2"), timestamp: "later" });
    expect([made.position, ids(made.path("e4"))]).toEqual(["e4", ["e1", "e2", "e3", "e4"]]);
    expect(made.diagnostics.map(({ code, entryId }) => [code, entryId])).toEqual([["duplicate_id", "e2"]]);
  });
});

describe("a missing parent", () => {
  test("is bridged to what was current before it, marked and reported", () => {
    const made = tree(...chain.slice(0, 2), message("e4", "e3"));
    expect(ids(made.path("e4"))).toEqual(["e1", "e2", "e4"]);
    expect(made.hasGapBefore(message("e4", "e3"))).toBe(true);
    expect(made.diagnostics.map(({ code, entryId }) => [code, entryId])).toEqual([["missing_parent", "e4"]]);
  });

  test("is bridged by the parent that can still be read in the damaged line", () => {
    const made = tree(...chain);
    made.addDamage({ kind: "unreadable", reason: "not JSON", id: "x1", parentId: "e2" });
    made.add(message("x2", "x1"));
    expect(ids(made.path("x2"))).toEqual(["e1", "e2", "x2"]);
  });

  test("is bridged on its own branch when the damage came after a navigation", () => {
    const made = tree(...chain, other("leaf", "l1", "e2", { targetId: "e2" }));
    made.addDamage({ kind: "unreadable", reason: "not JSON" });
    made.add(message("x2", "x1"));
    expect(ids(made.path("x2"))).toEqual(["e1", "e2", "x2"]);
  });

  test("that was a root leaves a root", () => {
    const made = tree(...chain);
    made.addDamage({ kind: "unreadable", reason: "not JSON", id: "x1", parentId: null });
    made.add(message("x2", "x1"));
    expect(ids(made.path("x2"))).toEqual(["x2"]);
  });
});

describe("the tree", () => {
  test("SE-16: hangs entries on the nearest visible ancestor and shows labels", () => {
    const label = other("label", "l1", "e1", { targetId: "e1", label: "start" });
    const made = tree(message("e1", null), label, message("e2", "l1"), message("e3", "e1"));
    expect(made.nodes()).toEqual([
      {
        entry: message("e1", null),
        label: "start",
        children: [
          { entry: message("e2", "l1"), label: undefined, children: [] },
          { entry: message("e3", "e1"), label: undefined, children: [] },
        ],
      },
    ]);
    expect(ids(made.children("e1"))).toEqual(["e2", "e3"]);
  });

  test("takes the last label and the last name in the order of writing", () => {
    const label = (id: string, text?: string) => other("label", id, "e1", { targetId: "e1", label: text });
    const name = (id: string, text?: string) => other("session_info", id, "e1", { name: text });
    const made = tree(
      message("e1", null),
      label("l1", "a"),
      label("l2", "b"),
      name("n1", "A"),
      name("n2", "B"),
    );
    expect([made.label("e1"), made.name]).toEqual(["b", "B"]);
    for (const entry of [label("l3", ""), name("n3")]) made.add(entry);
    expect([made.label("e1"), made.name]).toEqual([undefined, undefined]);
  });
});

test.each([
  ["a\nb\r\n c\t", "a b  c"],
  ["\u001b[31mred\u0007", "[31mred"],
  ["\u202eevil\u2066", "evil"],
  ["   ", undefined],
  [7, undefined],
])("SE-17, B031: the name %j is shown as %j", (name, shown) => {
  expect(cleanName(name)).toBe(shown);
});
