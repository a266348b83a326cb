import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinProviders, createClient, textOf } from "@coppice/ai";
import { createWireServer, scriptedToolCall, type WireRequest, type WireStep } from "@coppice/ai/testing";
import { createCodingAgent } from "@coppice/coding-agent";
import { type AnyEntry, isEntry, JsonlRepo, type Session } from "@coppice/session";
import { expect, test } from "vitest";
import { createPlayground, jsonLines } from "./spawn-coppice.ts";

const CONTEXT_WINDOW = 8192;
const FILES = 32;

/** Plays a model that reads the file it is asked about and writes summaries of the required shape. */
const answer: WireStep = (request: WireRequest) => {
  const last = request.turns.at(-1);
  if (request.tools.length === 0) return summaryOf(request);
  const file = /read (part-\d+\.txt)/.exec(last?.text ?? "")?.[1];
  if (last?.role === "user" && file !== undefined) return scriptedToolCall("read", { path: file });
  return last?.role === "tool"
    ? `It begins with «${last.text.slice(0, 12)}».`
    : "I have nothing to read for that.";
};

function summaryOf(request: WireRequest): string {
  const asked = [...new Set((request.turns.at(-1)?.text ?? "").match(/part-\d+\.txt/g))];
  return [
    "## Goal\nRead the parts one after the other.",
    "## Constraints & Preferences\n- (none)",
    `## Progress\n### Done\n${asked.map((name) => `- [x] ${name}`).join("\n")}\n### In Progress\n- (none)\n### Blocked\n- (none)`,
    "## Key Decisions\n- One part a turn.",
    "## Next Steps\n1. Read the next part.",
    "## Critical Context\n- Each part begins with its own number.",
  ].join("\n\n");
}

/** Every rule of the format that can be checked from outside; empty = sound. */
async function brokenRules(session: Session): Promise<readonly string[]> {
  const entries = await session.getEntries();
  const ids = new Set<string>();
  const broken: string[] = [];
  for (const entry of entries) {
    if (entry.parentId !== null && !ids.has(entry.parentId))
      broken.push(`${entry.id}: parent comes later or is missing`);
    if (ids.has(entry.id)) broken.push(`${entry.id}: not unique`);
    ids.add(entry.id);
    if (!/^[0-9a-f]{16}$/.test(entry.id)) broken.push(`${entry.id}: not 16 hex`);
  }
  for (const entry of entries.filter((each) => isEntry(each, "compaction"))) {
    const path = (await session.getBranch(entry.id)).map(({ id }) => id);
    if (!path.includes(entry.firstKeptEntryId)) broken.push(`${entry.id}: keeps from an entry off its path`);
  }
  return [...broken, ...(await session.buildContext()).diagnostics];
}

const compactionsOf = (entries: readonly AnyEntry[]) =>
  entries.filter((entry) => isEntry(entry, "compaction"));

test.each([{ api: "anthropic-messages" }, { api: "openai-completions" }])(
  "a long session over $api on an 8k window compacts three times and more, forks, goes back with a branch summary, and never meets a 400",
  async ({ api }) => {
    await using playground = await createPlayground();
    await mkdir(playground.project, { recursive: true });
    for (let part = 1; part <= FILES; part++) {
      const text = `part ${part} ${"lorem ipsum dolor sit amet ".repeat(150)}\n`;
      await writeFile(join(playground.project, `part-${part}.txt`), text);
    }
    await using server = await createWireServer({
      answers: answer,
      contextWindow: CONTEXT_WINDOW,
      maxOutputTokens: 2048,
    });
    const model = server.model(api, { contextWindow: CONTEXT_WINDOW, maxTokens: 1024 });
    const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });
    const repo = new JsonlRepo({ directory: join(playground.home, "sessions") });
    const session = await repo.create({ cwd: playground.project });
    const start = (of: Session) =>
      createCodingAgent({ cwd: playground.project, model, streamFunction: client.stream, session: of });

    const agent = await start(session);
    for (let part = 1; part <= FILES; part++)
      await agent.prompt(`Now read part-${part}.txt and tell me how it begins.`);
    const last = (await session.buildContext()).messages.at(-1);
    expect(last?.role === "assistant" && textOf(last.content)).toBe(
      `It begins with «${`part ${FILES} lorem`.slice(0, 12)}».`,
    );
    expect(compactionsOf(await session.getEntries()).length).toBeGreaterThanOrEqual(3);

    const prompts = (await session.getBranch()).filter(
      (entry) => isEntry(entry, "message") && entry.message.role === "user",
    );
    const early = prompts[2];
    const oldLeaf = session.getLeafId();
    const moved = await agent.navigate(early?.id ?? null, { summarize: true });
    expect(moved.editorText).toBe("Now read part-3.txt and tell me how it begins.");
    await agent.prompt("Now read part-1.txt and tell me how it begins.");
    const branchSummary = (await session.getBranch()).find((entry) => isEntry(entry, "branch_summary"));
    expect(branchSummary).toMatchObject({
      id: moved.summaryEntryId,
      fromId: oldLeaf,
      parentId: early?.parentId,
    });

    const fork = await repo.fork(session);
    await agent.dispose();
    const forked = await start(fork);
    await forked.prompt("Now read part-2.txt and tell me how it begins.");
    expect(await brokenRules(fork)).toEqual([]);
    await forked.dispose();

    const again = await repo.open(session.path ?? "", { readOnly: true });
    expect(again.getLeafId()).toBe(session.getLeafId());
    expect(await brokenRules(again)).toEqual([]);
    await again.close();
    expect(jsonLines(await readFile(session.path ?? "", "utf8"))[0]).toMatchObject({
      type: "session",
      version: 3,
    });
    expect({ rejections: server.rejections, overflows: server.overflows }).toEqual({
      rejections: [],
      overflows: [],
    });
  },
  60_000,
);
