import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWireServer, scriptedText, scriptedToolCall, type WireAnswer } from "@coppice/ai/testing";
import { isEntry } from "@coppice/session";
import { expect, test, vi } from "vitest";
import { connect } from "./rpc-client.ts";
import { createSandbox } from "./spawn-cli.ts";

// Each case starts the program.
vi.setConfig({ testTimeout: 90_000 });

const says = (text: string): WireAnswer => ({ content: [scriptedText(text)] });
const writes = (path: string, content: string): WireAnswer => ({
  content: [scriptedToolCall("write", { path, content })],
});

async function connectTo(sandbox: Awaited<ReturnType<typeof createSandbox>>, baseUrl: string) {
  const connected = await connect(sandbox, ["--base-url", baseUrl, "--model", "m"]);
  let settled = 0;
  const talk = async (message: string) => {
    await connected.client.request("prompt", { message });
    await connected.seen("agent_settled", ++settled);
    return (await connected.client.request("get_state")).leafId ?? "";
  };
  return { ...connected, talk };
}

test("a client recalls originals by entry, by span and by words, within a budget", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({ answers: [says("The port is 8421."), says("Noted.")] });
  const { client, talk } = await connectTo(sandbox, wire.baseUrl("openai-completions"));
  const first = await talk("which port?");
  const last = await talk("and the host is heron");
  const byId = await client.request("recall", { handle: first });
  expect(byId.entryIds).toEqual([first]);
  expect(byId.text).toContain("The port is 8421.");
  const handle = `${first}..${last}`;
  expect((await client.request("recall", { handle })).entryIds).toHaveLength(3);
  const little = await client.request("recall", { handle, budgetTokens: 200 });
  expect(little.entryIds).toHaveLength(2);
  expect(little.text).toContain("1 more in this span");
  expect((await client.request("recall", { query: "heron" })).text).toContain("the host is heron");
  await expect(client.request("recall", { handle: "nope" })).rejects.toMatchObject({
    code: "nothing_recalled",
  });
  await expect(client.request("recall", {})).rejects.toMatchObject({ code: "usage" });
  await expect(client.request("recall", { handle: first, query: "x" })).rejects.toMatchObject({
    code: "usage",
  });
  await expect(client.request("recall", { query: "x", budgetTokens: 1.5 })).rejects.toMatchObject({
    code: "invalid_params",
  });
  expect(await client.close()).toBe(0);
});

test("a client shortens, hides and restores an entry, and says other words for it", async () => {
  await using sandbox = await createSandbox();
  const long = Array.from({ length: 400 }, (_, line) => `line ${line} of the answer`).join("\n");
  await using wire = await createWireServer({ answers: [says(long)] });
  const { client, talk } = await connectTo(sandbox, wire.baseUrl("openai-completions"));
  const entryId = await talk("tell me");
  const seen = async () => JSON.stringify((await client.request("get_messages")).messages);
  const whole = await seen();
  await client.request("edit_context", { entryId, edit: "shorten" });
  expect(await seen()).toContain("line 399 of the answer");
  expect(await seen()).not.toContain("line 200 of the answer");
  await client.request("edit_context", { entryId, edit: "restore" });
  expect(await seen()).toBe(whole);
  for (const hide of [{ edit: "hide" }, { content: null }] as const) {
    await client.request("edit_context", { entryId, ...hide });
    expect(await seen()).not.toContain("line 0");
    await client.request("edit_context", { entryId, edit: "restore" });
    expect(await seen()).toBe(whole);
  }
  await client.request("edit_context", { entryId, content: "in short" });
  expect(await seen()).toContain("in short");
  for (const wrong of [{}, { content: "a", edit: "hide" }] as const)
    await expect(client.request("edit_context", { entryId, ...wrong })).rejects.toMatchObject({
      code: "usage",
    });
  expect(await client.close()).toBe(0);
});

test("a client brings entries of two branches at once, and hears which of their files differ", async () => {
  await using sandbox = await createSandbox();
  await using wire = await createWireServer({
    answers: [
      ...[says("Begun."), writes("left.txt", "left\n"), says("Went left.")],
      ...[writes("right.txt", "right\n"), says("Went right."), says("Here.")],
    ],
  });
  const { client, talk } = await connectTo(sandbox, wire.baseUrl("openai-completions"));
  const root = await talk("begin");
  const left = await talk("go left");
  await client.request("navigate", { entryId: root });
  const right = await talk("go right");
  await client.request("navigate", { entryId: root });
  await talk("stay");
  await writeFile(join(sandbox.project, "left.txt"), "otherwise\n");
  const brought = await client.request("bring_entries", { entryIds: [left, right] });
  expect(brought.alreadyHere).toBe(false);
  expect(brought.files.map(({ path, state }) => `${path} ${state}`).sort()).toEqual([
    "left.txt changed",
    "right.txt same",
  ]);
  const { messages } = await client.request("get_messages");
  expect(JSON.stringify(messages.at(-1))).toMatch(/Went left\..*Went right\./);
  expect(await client.request("bring_entries", { entryIds: [right] })).toEqual({
    ...{ entryId: brought.entryId, alreadyHere: true },
    files: brought.files.filter(({ path }) => path === "right.txt"),
  });
  await expect(client.request("bring_entries", {})).rejects.toMatchObject({ code: "usage" });
  await expect(
    client.request("bring_entries", { entryIds: [left], instructions: "briefly" }),
  ).rejects.toMatchObject({ code: "usage" });
  await expect(client.request("bring_entries", { branchOf: "nope" })).rejects.toMatchObject({
    code: "unknown_entry",
  });
  expect(await client.close()).toBe(0);
});

test("a client moves in the tree with the files; what somebody else changed stays and is named", async () => {
  await using sandbox = await createSandbox();
  const [mine, theirs] = [join(sandbox.project, "mine.txt"), join(sandbox.project, "theirs.txt")];
  await writeFile(mine, "before\n");
  await using wire = await createWireServer({
    answers: [
      ...[writes("mine.txt", "after\n"), writes("theirs.txt", "made\n"), writes("new.txt", "new\n")],
      says("Written."),
    ],
  });
  const { client, talk } = await connectTo(sandbox, wire.baseUrl("openai-completions"));
  const end = await talk("write");
  const { entries } = await client.request("get_entries");
  const asked = entries.find((entry) => isEntry(entry, "message") && entry.message.role === "user");
  await writeFile(theirs, "touched\n");
  const outlook = await client.request("preview_files", { entryId: asked?.id ?? null });
  const expected = {
    restored: [mine],
    removed: [join(sandbox.project, "new.txt")],
    kept: [{ path: theirs, reason: expect.any(String) }],
  };
  expect(outlook).toMatchObject(expected);
  const moved = await client.request("navigate", { entryId: asked?.id ?? null, restoreFiles: true });
  expect(moved).toMatchObject({ editorText: "write", files: expected });
  expect(await readFile(mine, "utf8")).toBe("before\n");
  expect(await readFile(theirs, "utf8")).toBe("touched\n");
  await expect(readFile(join(sandbox.project, "new.txt"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(await client.request("navigate", { entryId: end, restoreFiles: true })).toMatchObject({
    files: { restored: expect.arrayContaining([mine]) },
  });
  expect(await readFile(mine, "utf8")).toBe("after\n");
  expect(await client.close()).toBe(0);
});

test("a client exports without secrets, redacts a copy, and has its secrets put back", async () => {
  await using sandbox = await createSandbox();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await using wire = await createWireServer({ answers: [says(`It is ${secret}.`)] });
  const { client, talk } = await connectTo(sandbox, wire.baseUrl("openai-completions"));
  await expect(client.request("redact")).rejects.toMatchObject({ code: "usage" });
  await talk("which token?");
  const { sessionPath = "" } = await client.request("get_state");
  const stored = await readFile(sessionPath, "utf8");
  const holds = async (path: string) => (await readFile(path, "utf8")).includes(secret);

  const exported = await client.request("export", { file: "talk.jsonl" });
  expect(exported).toEqual({ path: join(sandbox.project, "talk.jsonl"), redactedSecrets: 1 });
  expect(await holds(exported.path)).toBe(false);
  const page = await client.request("export", { file: "page.txt" });
  expect(await readFile(page.path, "utf8")).toMatch(/^<!doctype html>/i);
  const raw = await client.request("export", { file: "raw.jsonl", isRedacted: false });
  expect([raw.redactedSecrets, await readFile(raw.path, "utf8")]).toEqual([null, stored]);

  const redacted = await client.request("redact", { file: "copy.jsonl" });
  expect(redacted).toEqual({ path: join(sandbox.project, "copy.jsonl"), redactedSecrets: 1 });
  expect([await holds(redacted.path), await holds(sessionPath)]).toEqual([false, true]);
  await expect(client.request("redact", { file: "copy.jsonl" })).rejects.toMatchObject({
    code: "file_exists",
  });
  const restored = await client.request("restore_secrets", { file: "copy.jsonl" });
  expect(restored).toEqual({ path: `${redacted.path}.restored`, unknownPlaceholders: 0 });
  expect(await readFile(restored.path, "utf8")).toBe(stored);
  expect(await client.close()).toBe(0);
});
