import { scriptedMessage } from "@coppice/ai/testing";
import { MemoryRepo, type Session, type SessionTreeNode } from "@coppice/session";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../testing/hostile-text.ts";
import { createPaint } from "../theme.ts";
import { type TreeRowsOptions, treeRows } from "./tree-rows.ts";
import { FIRST_LOOK, TreeView, type TreeWish } from "./tree-view.ts";

const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
const answer = (text: string) => scriptedMessage({ content: [{ type: "text", text }] });

async function newSession(): Promise<Session> {
  let id = 0;
  return new MemoryRepo({ now: () => 0, newId: () => `e${++id}` }).create({ cwd: "/x" });
}

/** prune it → How? → hard | gently → Done. (here) */
async function branched(): Promise<Session> {
  const session = await newSession();
  const first = await session.appendMessage(user("prune\nit"));
  const fork = await session.appendMessage(answer("How?"));
  await session.appendMessage(user("hard"));
  await session.appendMessage(answer("Gone."));
  await session.moveTo(fork);
  await session.appendModelChange("p", "m2");
  await session.appendMessage(user("gently"));
  await session.appendMessage(answer("Done."));
  await session.appendLabel(first, "start");
  return session;
}

async function rowsOf(session: Session, change: Partial<TreeRowsOptions> = {}): Promise<readonly string[]> {
  const rows = treeRows({
    ...{ roots: await session.getTree(), leafId: session.getLeafId(), filter: "conversation", query: "" },
    ...{ folded: new Set<string>(), ...change },
  });
  return rows.map(
    ({ guides, kind, text, label, isHere, isOnPath, folded }) =>
      `${isHere ? "▸" : isOnPath ? "│" : " "}${guides}${kind} ${text}${label === undefined ? "" : ` [${label}]`}${folded === 0 ? "" : ` +${folded}`}`,
  );
}

test("branches hang on lines below where they part; the way to the position and labels are marked", async () => {
  expect(await rowsOf(await branched())).toEqual([
    "│user prune it [start]",
    "│assistant How?",
    " ├─user hard",
    " │ assistant Gone.",
    "│└─user gently",
    "▸  assistant Done.",
  ]);
});

test("filters show only some kinds, and what is left out is no step in the tree; the position always shows", async () => {
  const session = await branched();
  expect(await rowsOf(session, { filter: "yours" })).toEqual([
    "│user prune it [start]",
    " ├─user hard",
    "│└─user gently",
    "▸  assistant Done.",
  ]);
  expect(await rowsOf(session, { filter: "labelled" })).toEqual([
    "│user prune it [start]",
    "▸assistant Done.",
  ]);
  expect(await rowsOf(session, { filter: "everything" })).toContain("│└─setting (model_change)");
  expect(await rowsOf(session, { filter: "compactions" })).toEqual(["▸assistant Done."]);
});

test("the system prompt is a setting, which the conversation does not begin with", async () => {
  const session = await newSession();
  await session.appendMessage({ role: "system", content: "", timestamp: 0 });
  await session.appendMessage(user("hello"));
  expect(await rowsOf(session)).toEqual(["▸user hello"]);
  expect(await rowsOf(session, { filter: "everything" })).toEqual([
    "│setting (system prompt and tools)",
    "▸user hello",
  ]);
});

test("a search wants all words, in any order, also in a label and the kind; a fold counts what it hides", async () => {
  const session = await branched();
  expect(await rowsOf(session, { query: "user HARD" })).toEqual([" user hard"]);
  expect(await rowsOf(session, { query: "start" })).toEqual(["│user prune it [start]"]);
  expect(await rowsOf(session, { query: "nowhere" })).toEqual([]);
  expect(await rowsOf(session, { folded: new Set(["e2"]) })).toEqual([
    "│user prune it [start]",
    "│assistant How? +4",
  ]);
});

test("B201: a session of 100,000 entries in a row, and one of 200,000 branches, are listed", {
  timeout: 60_000,
}, () => {
  const nodeOf = (
    id: string,
    parentId: string | null,
    children: readonly SessionTreeNode[],
  ): SessionTreeNode => ({
    entry: { type: "message", id, parentId, timestamp: "", message: user(id) },
    label: undefined,
    children,
  });
  let deep: SessionTreeNode | undefined;
  for (let index = 100_000; index > 0; index--)
    deep = nodeOf(String(index), index === 1 ? null : String(index - 1), deep === undefined ? [] : [deep]);
  const options = { leafId: null, filter: "conversation", query: "", folded: new Set<string>() } as const;
  const rows = treeRows({ ...options, roots: deep === undefined ? [] : [deep] });
  expect(rows).toHaveLength(100_000);
  expect(rows.at(-1)).toMatchObject({ id: "100000", guides: "", kind: "user" });
  const wide = nodeOf(
    "root",
    null,
    Array.from({ length: 200_000 }, (_, at) => nodeOf(`c${at}`, "root", [])),
  );
  expect(treeRows({ ...options, roots: [wide] })).toHaveLength(200_001);
});

const ENTER = "\r";
const [UP, DOWN, RIGHT, LEFT] = ["\u001b[A", "\u001b[B", "\u001b[C", "\u001b[D"];
const TAB = "\t";
const CTRL_L = "\u000c";

async function viewOf(session: Session, look = FIRST_LOOK) {
  const wishes: (TreeWish | undefined)[] = [];
  const view = new TreeView({
    ...{ roots: await session.getTree(), leafId: session.getLeafId(), look, title: "Tree" },
    ...{ paint: createPaint(false), now: () => 60_000, onDone: (wish) => wishes.push(wish) },
  });
  const type = (...keys: readonly string[]) => {
    for (const key of keys) view.handleInput(key);
  };
  return { view, type, wishes, shown: (width = 80) => view.render(width).map((line) => line.trimEnd()) };
}

test("the view marks the position first, and shows ages, signs, the beginning of the text, and the keys", async () => {
  const { shown, type } = await viewOf(await branched());
  expect(shown(120)).toEqual([
    "",
    "Tree 6/6 · conversation",
    " │ 1 min › [start] prune it",
    " │ 1 min • How?",
    "   1 min ├─› hard",
    "   1 min │ • Gone.",
    " │ 1 min └─› gently",
    "→▸ 1 min   • Done.",
    "",
    "  Done.",
    "",
    "",
    "› yours  • answer  $ your command  ≡ compaction, summary  ◆ note  ▸ you are here",
    "↑↓ move · ←→ fold · type to search · Tab filters · Ctrl+L labels · Enter chooses · Esc leaves",
  ]);
  type(TAB);
  expect(shown()[1]).toBe("Tree 4/4 · yours");
});

test("UI-12: ↑ ↓ stop at the ends, ← folds and then goes to where the branch begins, → unfolds", async () => {
  const { shown, type } = await viewOf(await branched());
  type(UP, UP, LEFT);
  const marked = () => shown().find((line) => line.startsWith("→"));
  expect(marked()).toBe("→│ 1 min • How?");
  type(DOWN, LEFT);
  expect(marked()).toBe("→  1 min ├─› hard (+1)");
  type(RIGHT);
  expect(marked()).toBe("→  1 min ├─› hard");
  type(LEFT, LEFT);
  expect(marked()).toBe("→│ 1 min • How?");
  type(...Array.from({ length: 30 }, () => UP));
  expect(marked()).toBe("→│ 1 min › [start] prune it");
  type(...Array.from({ length: 30 }, () => DOWN));
  expect(marked()).toMatch(/Done\.$/);
});

test("UI-12: a search marks its newest match, a filter keeps the marked row, an empty list stays open", async () => {
  const { shown, type, wishes } = await viewOf(await branched());
  const marked = () => shown().find((line) => line.startsWith("→"));
  type(..."user");
  expect(marked()).toBe("→│ 1 min └─› gently");
  type(..." hard");
  expect(marked()).toBe("→  1 min › hard");
  type(TAB);
  expect(marked()).toBe("→  1 min › hard");
  type(..."zzz", ENTER);
  expect([marked(), wishes]).toEqual([undefined, []]);
  expect(shown()).toContain("  nothing here; Tab shows other kinds");
  type("\u007f", "\u007f", "\u007f", ENTER);
  expect(wishes).toMatchObject([
    { kind: "choose", entryId: "e3", look: { query: "user hard", filter: "yours" } },
  ]);
});

test("what was looked at is looked at again: mark, filter, search and folds", async () => {
  const session = await branched();
  const first = await viewOf(session);
  first.type(UP, UP, UP, LEFT, CTRL_L);
  expect(first.wishes).toMatchObject([{ kind: "label", entryId: "e3", label: undefined }]);
  const second = await viewOf(session, first.wishes[0]?.look);
  expect(second.shown().slice(1)).toEqual(first.shown().slice(1));
});

test("UI-01, UI-09: whatever the texts and the width, no line is too wide and nothing drives the terminal", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, fc.integer({ min: 1, max: 120 }), async (text, width) => {
      const session = await newSession();
      const id = await session.appendMessage(user(text));
      await session.appendLabel(id, text.slice(0, 20));
      const { view } = await viewOf(session);
      for (const line of view.render(width)) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toContain("\u001b]");
      }
    }),
    { numRuns: 60 },
  );
});
