import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { textOf } from "@coppice/ai";
import { expect, test } from "vitest";
import { JsonlRepo } from "../jsonl-repo.ts";
import { nodeSessionFiles } from "../node-session-files.ts";
import type { SessionFiles } from "../session-files.ts";
import { hashOf, SessionFolder } from "../testing/session-folder.ts";
import { foreignSession } from "./foreign-session.ts";
import { readForeignConversation } from "./read-foreign.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/foreign");
const CWD = "/home/user/elsewhere";

/** What each sample holds: its product, id and directory, the roles of its talk, and the tokens of its answers. */
const SAMPLES: Readonly<Record<string, object>> = {
  "claude-code-2.1.332-transcript.jsonl": {
    product: "claude-code",
    version: "2.1.332",
    id: "57939daa-27a8-4cde-996a-c1a0f6388fc8",
    cwd: "/home/user/project",
    roles: "user assistant toolResult assistant",
    totalTokens: [21_688, 22_224],
  },
  "codex-0.171-rollout.jsonl": {
    product: "codex",
    version: "0.171.0",
    id: "01a22d13-c4ed-7902-812b-b21fea143a89",
    cwd: "/home/user/project",
    roles: "user assistant toolResult assistant",
    totalTokens: [9_748, 10_314],
  },
  "gemini-0.61-session.jsonl": {
    product: "gemini-cli",
    version: undefined,
    id: "6a4f2ee0-eedf-402c-bed7-53181fb24c23",
    cwd: CWD,
    roles: "user",
    totalTokens: [],
  },
};

test.each(await readdir(fixtures))("%s: its talk is a session that opens without a fault", async (name) => {
  await using folder = await SessionFolder.create();
  const path = join(fixtures, name);
  const before = await hashOf(path);
  const conversation = await readForeignConversation(path);
  if (conversation === undefined) throw new Error("not known");
  const copy = foreignSession(conversation, { cwd: CWD });
  const session = await new JsonlRepo({ directory: folder.directory }).import(copy);
  const { messages, diagnostics } = await session.buildContext();
  const answers = messages.filter((message) => message.role === "assistant");
  expect({
    product: conversation.product,
    version: conversation.productVersion,
    id: session.id,
    cwd: session.cwd,
    roles: messages.map(({ role }) => role).join(" "),
    totalTokens: answers.map(({ usage }) => usage.totalTokens),
  }).toEqual(SAMPLES[name]);
  const [asked] = messages;
  expect(asked?.role === "user" && textOf(asked.content)).toBe("Read the file and report.");
  await session.close();
  expect([diagnostics, session.diagnostics, await hashOf(path)]).toEqual([[], [], before]);
});

test("the same file gives the same entries, so a second import is refused", async () => {
  await using folder = await SessionFolder.create();
  const path = join(fixtures, "codex-0.171-rollout.jsonl");
  const read = async () => {
    const conversation = await readForeignConversation(path);
    if (conversation === undefined) throw new Error("not known");
    return foreignSession(conversation, { cwd: CWD });
  };
  const copy = await read();
  expect(await read()).toEqual(copy);
  const repo = new JsonlRepo({ directory: folder.directory });
  await (await repo.import(copy)).close();
  await expect(repo.import(copy)).rejects.toMatchObject({ code: "exists" });
});

test("a packed file is read like what it holds; one that is too large or no such thing is refused", async () => {
  await using folder = await SessionFolder.create();
  const path = join(folder.directory, "rollout.jsonl.zst");
  const plain = join(fixtures, "codex-0.171-rollout.jsonl");
  await mkdir(folder.directory, { recursive: true });
  const packed = zstdCompressSync(await readFile(plain));
  await writeFile(path, packed);
  expect(await readForeignConversation(path)).toEqual(await readForeignConversation(plain));
  await writeFile(path, packed.subarray(0, 1000));
  await expect(readForeignConversation(path)).rejects.toMatchObject({ code: "not_a_session" });
  const bomb = zstdCompressSync(Buffer.alloc(256 * 1024 * 1024 + 1, 32));
  expect(bomb.length).toBeLessThan(100_000);
  await writeFile(path, bomb);
  await expect(readForeignConversation(path)).rejects.toMatchObject({ code: "not_a_session" });
});

test("of a file that is one endless line no more is read than a document may have", async () => {
  await using folder = await SessionFolder.create();
  const path = join(folder.directory, "one-line.jsonl");
  await mkdir(folder.directory, { recursive: true });
  await writeFile(path, "{}");
  await truncate(path, 300 * 1024 * 1024);
  let bytes = 0;
  const files: SessionFiles = {
    ...nodeSessionFiles,
    open: async (...of) => {
      const file = await nodeSessionFiles.open(...of);
      const read = file.read.bind(file);
      file.read = async (buffer, position) => {
        const count = await read(buffer, position);
        bytes += count;
        return count;
      };
      return file;
    },
  };
  expect(await readForeignConversation(path, files)).toBeUndefined();
  expect(bytes).toBeLessThanOrEqual(257 * 1024 * 1024);
});

test("answers cost what their tokens cost at the prices given", async () => {
  const conversation = await readForeignConversation(join(fixtures, "codex-0.171-rollout.jsonl"));
  if (conversation === undefined) throw new Error("not known");
  const asked: string[] = [];
  const { entries } = foreignSession(conversation, {
    cwd: CWD,
    pricesOf: (provider, modelId) => {
      asked.push(`${provider}/${modelId}`);
      return { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 };
    },
  });
  expect(new Set(asked)).toEqual(new Set(["mock/mock-model"]));
  // (503 × 1 + 211 × 10 + 9,600 × 0.1) / 1,000,000
  expect(entries.at(-1)).toMatchObject({
    message: { usage: { cost: { total: expect.closeTo(0.003573, 9) } } },
  });
});

test.each([
  ["empty", ""],
  ["a text", "hello\nworld\n"],
  ["JSON of another kind", `${JSON.stringify({ hello: 1 })}\n`.repeat(30)],
  ["a session of one's own", `${JSON.stringify({ type: "session", version: 3, id: "a" })}\n`],
])("%s is no foreign session", async (_, content) => {
  await using folder = await SessionFolder.create();
  const path = await folder.write("some.jsonl", content);
  expect(await readForeignConversation(path)).toBeUndefined();
  await expect(readForeignConversation(`${path}x`)).rejects.toMatchObject({ code: "not_found" });
});

test("lines that are cut or no JSON are counted, and what stands around them is read", async () => {
  await using folder = await SessionFolder.create();
  const whole = await readFile(join(fixtures, "codex-0.171-rollout.jsonl"), "utf8");
  const path = await folder.write("cut.jsonl", `${whole}{"type":"response_item","pay`);
  const conversation = await readForeignConversation(path);
  expect(conversation?.steps).toHaveLength(4);
  expect(conversation?.leftOut.get("lines that cannot be read")).toBe(1);
});
