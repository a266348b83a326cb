import { textOf } from "@coppice/ai";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { JsonlRepo } from "../jsonl-repo.ts";
import { SessionFolder } from "../testing/session-folder.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import { CodexReader } from "./codex.ts";
import type { ForeignReader } from "./foreign-conversation.ts";
import { foreignSession } from "./foreign-session.ts";
import { GeminiCliReader } from "./gemini-cli.ts";
import type { JsonRecord } from "./json-shape.ts";

vi.setConfig({ testTimeout: 60_000 });

/** The talk of records as the model sees it, one line a message, at the end and on every branch. */
async function talkOf(reader: ForeignReader, records: readonly JsonRecord[]) {
  for (const record of records) reader.add(record);
  const conversation = reader.end();
  await using folder = await SessionFolder.create();
  const repo = new JsonlRepo({ directory: folder.directory });
  const session = await repo.import(foreignSession(conversation, { cwd: "/home/user/project" }));
  const lines = async () =>
    (await session.buildContext()).messages.map((message) => lineOf(message as unknown as Spoken));
  const talk = await lines();
  const entries = await session.getEntries();
  const parents = new Set(entries.map(({ parentId }) => parentId));
  const branches: string[][] = [];
  for (const { id, type } of entries) {
    if (parents.has(id) || type === "session_info") continue;
    await session.moveTo(id);
    branches.push(await lines());
  }
  await session.close();
  return { talk, branches, conversation, entries };
}

/** A message of any role. */
type Spoken = JsonRecord & { readonly role: string };

function lineOf(message: Spoken): string {
  const content = message.content as Parameters<typeof textOf>[0] | undefined;
  const calls = Array.isArray(content)
    ? (content as readonly JsonRecord[]).flatMap(({ type, name, id }) =>
        type === "toolCall" ? [`${name}#${id}`] : [],
      )
    : [];
  const text = message.role === "compactionSummary" ? String(message.summary) : textOf(content ?? "");
  return [message.role, text, ...calls].filter((part) => part !== "").join(" ");
}

let count = 0;
const claude = (uuid: string, parentUuid: string | null, rest: JsonRecord): JsonRecord => ({
  uuid,
  parentUuid,
  sessionId: "0e6e2f0a-0000-4000-8000-000000000001",
  cwd: "/home/user/project",
  version: "2.0.1",
  timestamp: new Date(1_790_000_000_000 + count++ * 1_000).toISOString(),
  ...rest,
});
const said = (uuid: string, parentUuid: string | null, content: unknown, rest: JsonRecord = {}) =>
  claude(uuid, parentUuid, { type: "user", message: { role: "user", content }, ...rest });
const answered = (
  uuid: string,
  parentUuid: string | null,
  id: string,
  block: JsonRecord,
  rest: JsonRecord = {},
) =>
  claude(uuid, parentUuid, {
    type: "assistant",
    message: {
      id,
      role: "assistant",
      model: "claude-opus-4-6",
      content: [block],
      usage: { output_tokens: 3 },
    },
    ...rest,
  });
const use = (id: string, name: string) => ({ type: "tool_use", id, name, input: { path: id } });
const result = (id: string, content: unknown) => [{ type: "tool_result", tool_use_id: id, content }];

test("Claude Code: blocks of an answer are one message, and results of calls at once follow one another", async () => {
  const { talk, branches } = await talkOf(new ClaudeCodeReader(), [
    said("u1", null, "look"),
    answered("a1", "u1", "m1", { type: "thinking", thinking: "hm", signature: "s" }),
    answered("a2", "a1", "m1", { type: "text", text: "reading" }),
    answered("a3", "a2", "m1", use("c1", "Read")),
    answered("a4", "a3", "m1", use("c2", "Grep")),
    said("r2", "a4", result("c2", [{ type: "text", text: "two" }])),
    said("r1", "a3", result("c1", "one")),
    answered("a5", "r2", "m2", { type: "text", text: "done" }),
  ]);
  expect(talk).toEqual([
    "user look",
    "assistant reading Read#c1 Grep#c2",
    "toolResult two",
    "toolResult one",
    "assistant done",
  ]);
  expect(branches).toEqual([talk]);
});

test("Claude Code: a prompt that was edited is a branch; subagents and notes are left out; a broken link loses nothing", async () => {
  const { talk, branches, conversation, entries } = await talkOf(new ClaudeCodeReader(), [
    { type: "summary", summary: "About mills", leafUuid: "a2" },
    said("u1", null, "first"),
    claude("n1", "u1", { type: "attachment", attachment: { type: "date" } }),
    answered("a1", "n1", "m1", { type: "text", text: "one" }),
    said("s1", "a1", "to the subagent", { isSidechain: true }),
    said("u2", "a1", "second"),
    answered("a2", "u2", "m2", { type: "text", text: "two" }),
    said("u3", "a1", "second, better"),
    answered("a3", "gone", "m3", { type: "text", text: "three" }),
    claude("e1", "a3", { type: "system", subtype: "api_error" }),
    answered("a4", "e1", "m4", { type: "text", text: "API Error: 500" }, { isApiErrorMessage: true }),
  ]);
  expect(talk.slice(0, 4)).toEqual(["user first", "assistant one", "user second, better", "assistant three"]);
  expect(branches).toContainEqual(["user first", "assistant one", "user second", "assistant two"]);
  expect(entries).toContainEqual(expect.objectContaining({ type: "session_info", name: "About mills" }));
  expect(entries).toContainEqual(
    expect.objectContaining({
      message: expect.objectContaining({ stopReason: "error", errorMessage: "API Error: 500", content: [] }),
    }),
  );
  expect(Object.fromEntries(conversation.leftOut)).toEqual({
    "lines of subagents": 1,
    "notes of the program": 2,
  });
});

test("Claude Code: a compaction stays one, with all that it stands for before it", async () => {
  const { talk, entries } = await talkOf(new ClaudeCodeReader(), [
    said("u1", null, "first"),
    answered("a1", "u1", "m1", { type: "text", text: "one" }),
    claude("b1", null, {
      type: "system",
      subtype: "compact_boundary",
      logicalParentUuid: "a1",
      compactMetadata: { trigger: "auto", preTokens: 155_000 },
    }),
    said("c1", "b1", "This session goes on: first was asked.", { isCompactSummary: true }),
    said("u2", "c1", [
      { type: "text", text: "see" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
    ]),
  ]);
  expect(talk).toEqual(["compactionSummary This session goes on: first was asked.", "user see"]);
  expect(entries.map(({ type }) => type)).toEqual(["message", "message", "compaction", "message"]);
  expect(entries[2]).toMatchObject({
    parentId: entries[1]?.id,
    tokensBefore: 155_000,
    firstKeptEntryId: entries[2]?.id,
  });
  expect(entries[3]).toMatchObject({
    message: { content: [{}, { type: "image", mimeType: "image/png", data: "aGk=" }] },
  });
});

const codex = (type: string, payload: JsonRecord): JsonRecord => ({
  timestamp: new Date(1_790_000_000_000 + count++ * 1_000).toISOString(),
  type,
  payload,
});
const item = (payload: JsonRecord) => codex("response_item", payload);
const meta = codex("session_meta", { id: "01a22d13-0000-7000-8000-000000000001", cwd: "/home/user/project" });
const asks = (text: string) =>
  item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const answers = (text: string) =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });

test("Codex: what the model gave at once is one answer; its own notes are left out; results come in every form", async () => {
  const { talk, entries } = await talkOf(new CodexReader(), [
    meta,
    codex("turn_context", { model: "gpt-5" }),
    asks("<environment_context>\n<cwd>/x</cwd>"),
    item({ type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] }),
    asks("go"),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "plan" }], encrypted_content: "xx" }),
    answers("on it"),
    item({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" }),
    item({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin", call_id: "c2" }),
    item({
      type: "function_call_output",
      call_id: "c1",
      output: '{"output":"a.txt","metadata":{"exit_code":1}}',
    }),
    item({ type: "custom_tool_call_output", call_id: "c2", output: { content: "patched", success: true } }),
    codex("event_msg", {
      type: "token_count",
      info: {
        last_token_usage: {
          input_tokens: 100,
          cached_input_tokens: 60,
          output_tokens: 9,
          reasoning_output_tokens: 4,
        },
      },
    }),
    answers("done"),
  ]);
  expect(talk).toEqual([
    "user go",
    "assistant on it shell#c1 apply_patch#c2",
    "toolResult a.txt",
    "toolResult patched",
    "assistant done",
  ]);
  const [, answer, shell] = entries;
  expect(answer).toMatchObject({
    message: {
      model: "gpt-5",
      content: [
        { type: "thinking", thinking: "plan" },
        {},
        { arguments: { command: ["ls"] } },
        { arguments: { input: "*** Begin" } },
      ],
      usage: { input: 40, cacheRead: 60, output: 9, reasoning: 4, totalTokens: 109 },
    },
  });
  expect(shell).toMatchObject({ message: { isError: true } });
});

test("Codex: turns that were rolled back are a branch; a summary that can be read is a compaction", async () => {
  const { talk, branches } = await talkOf(new CodexReader(), [
    meta,
    ...[asks("one"), answers("1"), asks("two"), answers("2"), asks("three"), answers("3")],
    codex("event_msg", { type: "thread_rolled_back", num_turns: 2 }),
    ...[asks("two again"), answers("2 again")],
  ]);
  expect(talk).toEqual(["user one", "assistant 1", "user two again", "assistant 2 again"]);
  expect(branches).toContainEqual(expect.arrayContaining(["user two", "user three", "assistant 3"]));
  const compacted = (message: string) =>
    talkOf(new CodexReader(), [
      meta,
      asks("one"),
      answers("1"),
      codex("compacted", { message }),
      asks("two"),
    ]);
  expect((await compacted("So far: one.")).talk).toEqual(["compactionSummary So far: one.", "user two"]);
  expect((await compacted("")).talk).toEqual(["user one", "assistant 1", "user two"]);
});

const gemini = (id: string, type: string, content: unknown, rest: JsonRecord = {}): JsonRecord => ({
  id,
  type,
  content,
  timestamp: new Date(1_790_000_000_000 + count++ * 1_000).toISOString(),
  ...rest,
});
const geminiHead = {
  sessionId: "6a4f2ee0-0000-4000-8000-000000000001",
  projectHash: "0c0c",
  startTime: "2026-11-30T15:35:34.732Z",
};
const call = (rest: JsonRecord = {}) => ({ id: "c1", name: "read_file", args: { path: "a" }, ...rest });
const response = (output: string) => [
  { functionResponse: { id: "c1", name: "read_file", response: { output } } },
];

test("Gemini CLI: a message that is written again is the newer one; results follow their call", async () => {
  const { talk, entries } = await talkOf(new GeminiCliReader(), [
    geminiHead,
    gemini("m0", "user", [{ text: "<session_context>\nToday …" }]),
    gemini("m1", "user", "read a"),
    gemini("m2", "gemini", "", { model: "gemini-3-pro", toolCalls: [call()] }),
    gemini("m2", "gemini", "", {
      model: "gemini-3-pro",
      thoughts: [{ subject: "Plan", description: "read it" }],
      tokens: { input: 100, output: 5, cached: 40, thoughts: 3, tool: 0, total: 108 },
      toolCalls: [call({ status: "success", result: response("content of a") })],
    }),
    gemini("m3", "info", "Switched."),
    gemini("m4", "gemini", [{ text: "a says it." }], { model: "gemini-3-pro" }),
  ]);
  expect(talk).toEqual([
    "user read a",
    "assistant read_file#c1",
    "toolResult content of a",
    "assistant a says it.",
  ]);
  expect(entries[1]).toMatchObject({
    message: {
      content: [{ type: "thinking", thinking: "Plan\nread it" }, { type: "toolCall" }],
      usage: { input: 60, cacheRead: 40, output: 8, reasoning: 3, totalTokens: 108 },
    },
  });
});

test("Gemini CLI: what was rewound, and what a new list leaves out, stays as a branch; older files are one document", async () => {
  const talk = [
    gemini("m1", "user", "one"),
    gemini("m2", "gemini", "1"),
    gemini("m3", "user", "two"),
    gemini("m4", "gemini", "2"),
  ];
  const again = [gemini("m5", "user", "two again"), gemini("m6", "gemini", "2 again")];
  const wanted = ["user one", "assistant 1", "user two again", "assistant 2 again"];
  const rewound = await talkOf(new GeminiCliReader(), [geminiHead, ...talk, { $rewindTo: "m3" }, ...again]);
  expect(rewound.talk).toEqual(wanted);
  expect(rewound.branches).toContainEqual(["user one", "assistant 1", "user two", "assistant 2"]);
  const listed = await talkOf(new GeminiCliReader(), [
    geminiHead,
    ...talk,
    { $set: { messages: [...talk.slice(0, 2), ...again] } },
  ]);
  expect(listed.talk).toEqual(wanted);
  expect(listed.branches).toContainEqual(["user one", "assistant 1", "user two", "assistant 2"]);
  const document = await talkOf(new GeminiCliReader(), [{ ...geminiHead, messages: talk }]);
  expect(document.talk).toEqual(["user one", "assistant 1", "user two", "assistant 2"]);
});

const READERS = [ClaudeCodeReader, CodexReader, GeminiCliReader];

test("records of any shape break nothing: what is read is a session that opens", async () => {
  const names = fc.constantFrom(
    ...[
      "type",
      "uuid",
      "parentUuid",
      "message",
      "content",
      "payload",
      "id",
      "role",
      "call_id",
      "output",
      "$set",
    ],
    ...[
      "messages",
      "toolCalls",
      "result",
      "tool_use_id",
      "isCompactSummary",
      "timestamp",
      "$rewindTo",
      "thoughts",
    ],
  );
  const words = fc.constantFrom(
    "user",
    "assistant",
    "response_item",
    "message",
    "gemini",
    "tool_result",
    "a",
    "b",
  );
  const { value } = fc.letrec<{ value: unknown; object: JsonRecord }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      words,
      fc.string(),
      fc.integer(),
      fc.constantFrom(null, true),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
    object: fc.dictionary(names, tie("value"), { maxKeys: 6 }),
  }));
  const record = fc.dictionary(names, value, { minKeys: 2, maxKeys: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...READERS),
      fc.array(record, { maxLength: 8 }),
      async (Reader, records) => {
        const { branches, conversation } = await talkOf(new Reader(), records);
        expect(branches.length > 0).toBe(conversation.steps.length > 0);
      },
    ),
    { numRuns: 150 },
  );
});
