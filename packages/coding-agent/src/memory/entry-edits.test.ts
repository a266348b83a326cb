import { textOf } from "@coppice/ai";
import { scriptedMessage, scriptedToolCall } from "@coppice/ai/testing";
import { type AnyEntry, isEntry, MemoryRepo } from "@coppice/session";
import { expect, test } from "vitest";
import { createScenario } from "../testing/scenario.ts";
import { possibleEdits, replacementFor } from "./entry-edits.ts";

const long = Array.from({ length: 400 }, (_, at) => `line ${at}`).join("\n");
const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } } as const;
const user = (content: string) => ({ role: "user" as const, content, timestamp: 0 });
const answer = (content: readonly (typeof call | { type: "text"; text: string })[]) =>
  scriptedMessage({ content: [...content] });
const result = {
  role: "toolResult" as const,
  content: [{ type: "text" as const, text: long }],
  ...{ toolCallId: "c1", toolName: "bash", isError: false, timestamp: 0 },
};

async function stored(): Promise<readonly AnyEntry[]> {
  let id = 0;
  const session = await new MemoryRepo({ now: () => 0, newId: () => `e${++id}` }).create({ cwd: "/x" });
  await session.appendMessage(user("list them"));
  await session.appendMessage(answer([call]));
  await session.appendMessage(result);
  await session.appendMessage(answer([{ type: "text", text: "There are many." }]));
  await session.appendLabel(session.getLeafId() ?? "", "here");
  return session.getEntries();
}

test("a result is hidden in its place and shortened with both ends; restoring sends all of it", async () => {
  const entries = await stored();
  const [message, , toolResult, last] = entries as readonly [AnyEntry, AnyEntry, AnyEntry, AnyEntry];
  expect(entries.map((entry) => possibleEdits(entry, false))).toEqual([
    ["hide"],
    [],
    ["hide", "shorten"],
    ["hide"],
    [],
  ]);
  expect(entries.map((entry) => possibleEdits(entry, true))).toEqual([
    ["restore"],
    [],
    ["restore"],
    ["restore"],
    [],
  ]);
  expect(replacementFor(message, "hide")).toBe(null);
  expect(replacementFor(message, { content: "less" })).toEqual({ content: "less" });
  expect(replacementFor(toolResult, "hide")).toEqual({ content: "[Hidden by the user: entry e3]" });
  expect(replacementFor(toolResult, "restore")).toEqual({ content: result.content });
  expect(replacementFor(last, "restore")).toEqual({ content: [{ type: "text", text: "There are many." }] });
  const short = replacementFor(toolResult, "shorten")?.content;
  expect(short).toMatch(/^line 0\nline 1\n[\s\S]*the whole is entry e3[\s\S]*\nline 399$/);
  expect(String(short).split("\n")).toHaveLength(21);
});

test("a text that is shortened keeps whole characters at both of its cuts", async () => {
  const entry = (await stored())[2] as AnyEntry;
  const emoji = "🌲".repeat(2000);
  for (const text of [`x${emoji}`, `${emoji}x`]) {
    const message = { ...result, content: [{ type: "text" as const, text }] };
    const short = replacementFor({ ...entry, message } as AnyEntry, "shorten")?.content;
    expect(String(short)).toMatch(/^x?(🌲)+\n\[… shortened [^🌲]*\n(🌲)+x?$/u);
  }
});

test("an answer is never parted from its calls, and what has no content is not edited", async () => {
  const [, calling, , , label] = await stored();
  for (const entry of [calling, label]) {
    for (const edit of ["hide", "shorten", "restore", { content: "x" }] as const) {
      expect(() => entry && replacementFor(entry, edit)).toThrow("cannot be edited so");
    }
  }
});

async function ranOnce() {
  const scenario = await createScenario({
    tools: [
      {
        name: "look",
        description: "",
        parameters: { type: "object" },
        execute: () => Promise.resolve({ content: [{ type: "text", text: long }] }),
      },
    ],
    answers: [scriptedToolCall("look"), "seen", "again"],
  });
  await scenario.agent.prompt("look around");
  const entries = await scenario.agent.session.getEntries();
  const idOf = (role: string, at = 0) =>
    entries.filter((entry) => isEntry(entry, "message") && entry.message.role === role)[at]?.id ?? "";
  const shown = async () =>
    (await scenario.agent.getContext()).messages.map((message) =>
      "content" in message ? textOf(message.content) : "",
    );
  return { scenario, agent: scenario.agent, idOf, shown };
}

test("what the model sees of an entry is edited through the agent, by appending, and comes back whole", async () => {
  const { scenario, agent, idOf, shown } = await ranOnce();
  const before = await shown();
  await agent.editEntry(idOf("toolResult"), "shorten");
  await agent.editEntry(idOf("user"), "hide");
  await agent.editEntry(idOf("assistant", 1), { content: "saw it" });
  expect((await shown()).map((text) => text.length < 400)).toEqual([true, true, true]);
  expect((await shown()).at(-1)).toBe("saw it");
  expect(
    scenario
      .eventsOf("entry_appended")
      .slice(-3)
      .map(({ entryType }) => entryType),
  ).toEqual(["context_edit", "context_edit", "context_edit"]);
  const edited = [idOf("toolResult"), idOf("user"), idOf("assistant", 1)];
  const states = async () => {
    const { entries } = await agent.inspectContext();
    return edited.map((id) => entries.find(({ entryId }) => entryId === id)?.state);
  };
  expect(await states()).toEqual(["shortened", "hidden", "shortened"]);
  await agent.editEntry(idOf("toolResult"), "hide");
  expect(await states()).toEqual(["hidden", "hidden", "shortened"]);
  for (const id of edited) await agent.editEntry(id, "restore");
  expect(await shown()).toEqual(before);
  expect(await states()).toEqual(["in", "in", "in"]);
});

test("an entry of another branch, or of none, is refused, and so is an edit while something runs", async () => {
  const { agent, idOf } = await ranOnce();
  const user = idOf("user");
  await expect(agent.editEntry("nowhere", "hide")).rejects.toMatchObject({ code: "unknown_entry" });
  const running = agent.prompt("go on");
  await expect(agent.editEntry(user, "hide")).rejects.toMatchObject({ code: "agent_busy" });
  await running;
  await agent.navigate(null);
  await expect(agent.editEntry(user, "hide")).rejects.toMatchObject({ code: "unknown_entry" });
});
