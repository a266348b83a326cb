import type { AgentMessage } from "@coppice/agent";
import { type SystemMessage, ZERO_USAGE } from "@coppice/ai";
import { describe, expect, test } from "vitest";
import { buildContext } from "./context.ts";
import { deriveSessionContextState } from "./context-state.ts";
import type { AnyEntry, EntryMap } from "./entry.ts";
import { assistantMessage, toolResultMessage, userMessage } from "./testing/index.ts";

const timestamp = "1970-01-01T00:00:07.000Z";
type Draft = { [K in keyof EntryMap]: { id: string; type: K } & EntryMap[K] }[keyof EntryMap];

/** A linear path of the given entries. */
function path(...drafts: readonly Draft[]): readonly AnyEntry[] {
  return drafts.map(
    (draft, index) => ({ ...draft, parentId: drafts[index - 1]?.id ?? null, timestamp }) as AnyEntry,
  );
}
const said = (id: string, message: AgentMessage = userMessage(id)): Draft => ({
  type: "message",
  id,
  message,
});
const compaction = (
  id: string,
  firstKeptEntryId: string,
  fields: Partial<EntryMap["compaction"]> = {},
): Draft => ({
  type: "compaction",
  id,
  summary: `summary ${id}`,
  firstKeptEntryId,
  tokensBefore: 5,
  ...fields,
});
const edit = (id: string, targetId: string, replacement: EntryMap["context_edit"]["replacement"]): Draft => ({
  type: "context_edit",
  id,
  targetId,
  replacement,
});
const shown = (entries: readonly AnyEntry[]) => buildContext(entries).entries.map(({ entry }) => entry.id);
const summaryMessage = (id: string) => ({
  role: "compactionSummary",
  summary: `summary ${id}`,
  tokensBefore: 5,
  timestamp: 7000,
});

describe("a compaction that was undone", () => {
  const shortened = edit("e", "b", { content: "short" });
  const made = compaction("k", "b", { checkpoint: { ownEdits: 1 } });
  const before = [said("a"), said("b"), said("c")];

  test("takes the edits that it made with it; one that comes back brings them back", () => {
    const entries = path(...before, shortened, made, said("d"));
    expect(buildContext(entries).messages).toEqual([
      summaryMessage("k"),
      { ...userMessage("b"), content: "short" },
      userMessage("c"),
      userMessage("d"),
    ]);
    const undone = path(...before, shortened, made, said("d"), edit("u", "k", null));
    expect(buildContext(undone).messages).toEqual(buildContext(path(...before, said("d"))).messages);
    const again = path(
      ...[...before, shortened, made, said("d"), edit("u", "k", null)],
      edit("r", "k", { content: "summary k" }),
    );
    expect(buildContext(again).messages).toEqual(buildContext(entries).messages);
  });

  test("leaves the edits of others alone, and the one before it in force", () => {
    const others = [edit("o", "a", { content: "other" }), edit("p", "c", null)];
    const undone = path(...before, ...others, shortened, made, edit("u", "k", null));
    expect(buildContext(undone).messages).toEqual(buildContext(path(...before, ...others)).messages);
    const twice = path(...before, compaction("j", "c"), shortened, made, edit("u", "k", null));
    expect(shown(twice)).toEqual(["j", "c"]);
  });
});

describe("a compaction", () => {
  test("stands first, followed by what it keeps and what came after", () => {
    const entries = path(said("a"), said("b"), said("c"), compaction("k", "b"), said("d"));
    expect(shown(entries)).toEqual(["k", "b", "c", "d"]);
    expect(buildContext(entries).messages).toEqual([
      summaryMessage("k"),
      userMessage("b"),
      userMessage("c"),
      userMessage("d"),
    ]);
  });

  test("keeps nothing when its boundary is its own id", () => {
    const entries = path(said("a"), compaction("k", "k"), said("b"));
    expect([shown(entries), buildContext(entries).diagnostics]).toEqual([["k", "b"], []]);
  });

  test.each(["gone", undefined])("keeps nothing and says so when its boundary is %j", (boundary) => {
    const entries = path(said("a"), compaction("k", boundary as string), said("b"));
    expect(shown(entries)).toEqual(["k", "b"]);
    expect(buildContext(entries).diagnostics).toHaveLength(1);
  });

  test("B018: only the latest on the path counts; older ones in the kept range contribute nothing", () => {
    expect(
      shown(path(said("a"), compaction("k1", "a"), said("b"), compaction("k2", "a"), said("c"))),
    ).toEqual(["k2", "a", "b", "c"]);
  });

  test("with a retained tail shows that in place of the kept range", () => {
    const entries = path(
      said("a"),
      said("b"),
      compaction("k", "b", { retainedTail: [userMessage("tail")] }),
      said("c"),
    );
    expect(buildContext(entries).messages).toEqual([
      summaryMessage("k"),
      userMessage("tail"),
      userMessage("c"),
    ]);
  });

  test("undone by an edit gives way to the one before, or to the whole path", () => {
    const two = path(
      said("a"),
      compaction("k1", "k1"),
      said("b"),
      compaction("k2", "k2"),
      edit("x", "k2", null),
    );
    expect(shown(two)).toEqual(["k1", "b"]);
    expect(shown(path(...[said("a"), compaction("k", "k"), said("b"), edit("x", "k", null)]))).toEqual([
      "a",
      "b",
    ]);
  });

  test("comes back as it was with a later edit that holds content", () => {
    const entries = path(
      said("a"),
      compaction("k", "k"),
      edit("x", "k", null),
      edit("y", "k", { content: "new" }),
    );
    expect(buildContext(entries).messages).toEqual([summaryMessage("k")]);
  });
});

describe("SE-22: a context edit", () => {
  test.each([
    [userMessage("u"), { ...userMessage("u"), content: "new" }],
    [assistantMessage("a"), assistantMessage("new")],
    [toolResultMessage("t", "r"), toolResultMessage("t", "new")],
  ] as const)("replaces the content of a $role message in the form that its role takes", (before, after) => {
    expect(buildContext(path(said("a", before), edit("x", "a", { content: "new" }))).messages).toEqual([
      after,
    ]);
  });

  test("hides with null, and the latest one per target wins", () => {
    const entries = path(said("a"), said("b"), edit("x", "a", { content: "new" }), edit("y", "a", null));
    expect(shown(entries)).toEqual(["b"]);
  });

  test("leaves no image in an answer", () => {
    const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
    const text = { type: "text", text: "new" } as const;
    const entries = path(said("a", assistantMessage("old")), edit("x", "a", { content: [image, text] }));
    expect(buildContext(entries).messages).toEqual([assistantMessage("new")]);
  });
});

describe("entries become messages", () => {
  test("custom messages, branch summaries and projected custom entries, and nothing else", () => {
    const entries = path(
      { type: "custom_message", id: "a", customType: "note", content: "text", display: true, details: 1 },
      { type: "branch_summary", id: "b", fromId: "z", summary: "left" },
      { type: "branch_summary", id: "c", fromId: "z", summary: "" },
      { type: "custom", id: "d", customType: "shown", data: "x" },
      { type: "custom", id: "e", customType: "toString" },
      { type: "model_change", id: "f", provider: "p", modelId: "m" },
      { type: "session_info", id: "g", name: "B031" },
    );
    const projectors = { shown: () => [userMessage("projected")] };
    expect(buildContext(entries, { projectors }).messages).toEqual([
      { role: "custom", customType: "note", content: "text", display: true, details: 1, timestamp: 7000 },
      { role: "branchSummary", summary: "left", fromId: "z", timestamp: 7000 },
      userMessage("projected"),
    ]);
  });

  test("null content is empty, and an answer without usage has zeroes", () => {
    const { usage: _, ...bare } = { ...assistantMessage("x"), content: null };
    const entries = path(
      said("a", { role: "user", content: null, timestamp: 1 } as unknown as AgentMessage),
      said("b", bare as unknown as AgentMessage),
    );
    expect(buildContext(entries).messages).toEqual([
      { role: "user", content: [], timestamp: 1 },
      { ...assistantMessage("x"), content: [], usage: ZERO_USAGE },
    ]);
  });

  test("a gap is told before the next message that is no tool result", () => {
    const call = assistantMessage("call");
    const entries = path(said("a", call), said("b", toolResultMessage("t2", "r")), said("c"));
    const { messages } = buildContext(entries, { hasGapBefore: ({ id }) => id === "b" });
    expect(messages.map((m) => ("customType" in m ? m.customType : m.role))).toEqual([
      "assistant",
      "toolResult",
      "coppice.gap",
      "user",
    ]);
  });

  test("the last step can be replaced", () => {
    const transform = () => [];
    expect(buildContext(path(said("a")), { transform }).messages).toEqual([]);
  });
});

describe("the state of a branch", () => {
  const system = (fields: Partial<SystemMessage>): SystemMessage => ({
    role: "system",
    content: "",
    timestamp: 1,
    ...fields,
  });
  const tool = (name: string, description = name) => ({ name, description, parameters: {} }) as never;

  test("is what was chosen last, model and tools from changes or answers", () => {
    const entries = path(
      { type: "model_change", id: "a", provider: "p", modelId: "m" },
      { type: "thinking_level_change", id: "b", thinkingLevel: "low" },
      { type: "active_tools_change", id: "c", activeToolNames: ["read"] },
      said("d", assistantMessage("x", { provider: "q", model: "n", thinkingLevel: "high" })),
    );
    expect(deriveSessionContextState(entries)).toEqual({
      model: { provider: "q", modelId: "n" },
      thinkingLevel: "low",
      activeToolNames: ["read"],
      systemMessage: undefined,
    });
  });

  test("takes the thinking level of the latest answer when none was chosen", () => {
    const entries = path(
      said("a", assistantMessage("x", { thinkingLevel: "high" })),
      said("b", assistantMessage("y")),
    );
    expect(deriveSessionContextState(entries).thinkingLevel).toBe("high");
  });

  test("starts from the checkpoint and system message of a compaction", () => {
    const entries = path(
      { type: "thinking_level_change", id: "a", thinkingLevel: "low" },
      compaction("k", "k", {
        checkpoint: { model: { provider: "p", modelId: "m" }, thinkingLevel: "max", activeToolNames: ["ls"] },
        systemMessage: system({ sections: { rules: "r" } }),
      }),
      said("b", assistantMessage("x", { thinkingLevel: "minimal" })),
    );
    expect(deriveSessionContextState(entries)).toEqual({
      model: { provider: "anthropic", modelId: "model-1" },
      thinkingLevel: "max",
      activeToolNames: ["ls"],
      systemMessage: system({ sections: { rules: "r" } }),
    });
  });

  test("folds system messages: sections replaced and removed, tools added and removed", () => {
    const entries = path(
      said("a", system({ sections: { preamble: "p", rules: "r" }, toolsAdded: [tool("read"), tool("ls")] })),
      said(
        "b",
        system({ sections: { rules: null, cwd: "c" }, toolsRemoved: [{ name: "ls" }], timestamp: 2 }),
      ),
      said(
        "c",
        system({ toolsRemoved: [{ name: "read" }], toolsAdded: [tool("read", "new")], timestamp: 3 }),
      ),
    );
    expect(buildContext(entries).messages).toEqual([]);
    expect(deriveSessionContextState(entries).systemMessage).toEqual(
      system({ sections: { preamble: "p", cwd: "c" }, toolsAdded: [tool("read", "new")], timestamp: 3 }),
    );
  });
});
