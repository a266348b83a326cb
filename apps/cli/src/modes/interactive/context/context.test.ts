import { stripVTControlCharacters } from "node:util";
import { scriptedMessage } from "@coppice/ai/testing";
import type { ContextInspection } from "@coppice/coding-agent";
import { type AnyEntry, MemoryRepo } from "@coppice/session";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../testing/hostile-text.ts";
import { createPaint } from "../theme.ts";
import { ContextView, type ContextWish, FIRST_CONTEXT_LOOK } from "./context-view.ts";

const [ENTER, UP, TAB, CTRL_P] = ["\r", "\u001b[A", "\t", "\u0010"];
const long = Array.from({ length: 400 }, (_, at) => `line ${at}`).join("\n");

const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } } as const;
const answer = (content: readonly (typeof call | { type: "text"; text: string })[]) =>
  scriptedMessage({ content: [...content] });
const result = {
  role: "toolResult" as const,
  content: [{ type: "text" as const, text: long }],
  ...{ toolCallId: "c1", toolName: "bash", isError: false, timestamp: 0 },
};

async function stored() {
  let id = 0;
  const session = await new MemoryRepo({ now: () => 0, newId: () => `e${++id}` }).create({ cwd: "/x" });
  await session.appendMessage(user("list the files"));
  await session.appendMessage(answer([{ type: "text", text: "Listing." }, call]));
  await session.appendMessage(result);
  await session.appendMessage(answer([{ type: "text", text: "There are many." }]));
  await session.appendSessionName("files");
  return session.getEntries();
}

function inspectionOf(entries: readonly AnyEntry[]): ContextInspection {
  return {
    tokens: 4_000,
    isEstimate: true,
    sources: [
      { source: "system", tokens: 1_000 },
      { source: "toolResult", tokens: 3_000 },
    ],
    entries: entries.map(({ id, type }, index) => ({
      ...{
        entryId: id,
        type,
        role: type === "message" ? ["user", "assistant", "toolResult", "assistant"][index] : undefined,
      },
      ...(type === "message"
        ? ({ state: "in", reason: "It is sent as it is." } as const)
        : ({
            state: "not_sent",
            reason: "Entries of the kind session_info never reach the model.",
          } as const)),
      ...{ tokens: index === 2 ? 3_000 : 10, costUsd: index === 1 ? 0.0012 : 0 },
    })),
  };
}

function viewOf(entries: readonly AnyEntry[]) {
  const wishes: (ContextWish | undefined)[] = [];
  const view = new ContextView({
    inspection: inspectionOf(entries),
    ...{ size: { contextWindow: 100_000, triggerTokens: 80_000 }, look: FIRST_CONTEXT_LOOK },
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    ...{ paint: createPaint(false), onDone: (wish) => wishes.push(wish) },
  });
  const type = (...keys: readonly string[]) => {
    for (const key of keys) view.handleInput(key);
  };
  return {
    view,
    type,
    wishes,
    shown: (width = 90) => view.render(width).map((line) => stripVTControlCharacters(line).trimEnd()),
  };
}

test("the view shows the request by source as bars, then each entry with state, size, cost and reason", async () => {
  const { shown } = viewOf(await stored());
  expect(shown(110)).toEqual([
    "",
    "The next request: ~4k of 100k tokens, compacts at 80k",
    "  system         1k  ████████",
    "  toolResult     3k  ███████████████████████",
    "4/4 · this branch",
    "  in         user              10           list the files",
    '  in         assistant         10  $0.0012  Listing. bash {"command":"ls"}',
    `  in         toolResult        3k           ${long.replace(/\s+/g, " ").slice(0, 65)}…`,
    "→ in         assistant         10           There are many.",
    "",
    "It is sent as it is.",
    "  There are many.",
    "",
    "↑↓ move · type to search · Tab filters · Enter acts · Ctrl+P the exact request · Esc leaves",
  ]);
});

test("UI-12: Tab lists what never reaches the model, too, and keeps the mark; typing narrows; Enter names the entry", async () => {
  const { shown, type, wishes } = viewOf(await stored());
  type(UP, TAB);
  expect(shown()).toContain("3/5 · everything");
  expect(shown().filter((line) => line.includes("not sent"))).toHaveLength(1);
  type(..."list user", ENTER);
  expect(wishes).toMatchObject([{ kind: "choose", row: { entryId: "e1" }, look: { query: "list user" } }]);
  type(..."nothing of the kind", ENTER, CTRL_P);
  expect(shown()).toContain("  nothing here");
  expect(wishes.slice(1)).toMatchObject([{ kind: "request" }]);
});

test("UI-01, UI-09: whatever the texts and the width, no line is too wide and nothing drives the terminal", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, fc.integer({ min: 1, max: 150 }), async (text, width) => {
      const session = await new MemoryRepo().create({ cwd: "/x" });
      await session.appendMessage(user(text));
      for (const line of viewOf(await session.getEntries()).view.render(width)) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toContain("\u001b]");
      }
    }),
    { numRuns: 60 },
  );
});
