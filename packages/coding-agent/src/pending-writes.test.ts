import type { UserMessage } from "@coppice/ai";
import { type EntryDraft, isEntry, MemoryRepo, type Session } from "@coppice/session";
import { expect, test } from "vitest";
import { EventBus } from "./event-bus.ts";
import type { HarnessEvent } from "./events.ts";
import { type FlushPolicy, PendingWrites } from "./pending-writes.ts";

const user = (content: string): UserMessage => ({ role: "user", content, timestamp: 0 });

async function setUp(options: { readonly flushPolicy?: FlushPolicy; readonly failures?: number } = {}) {
  const stored = await new MemoryRepo().create({ cwd: "/project" });
  let failures = options.failures ?? 0;
  const session: Session = new Proxy(stored, {
    get(target, key) {
      if (key === "appendBatch") {
        return async (drafts: readonly EntryDraft[]) => {
          if (failures-- > 0) throw new Error("disk full");
          return target.appendBatch(drafts);
        };
      }
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const events = new EventBus({ sleep: async () => undefined });
  const seen: HarnessEvent[] = [];
  events.subscribe((event) => void seen.push(event as HarnessEvent));
  const writes = new PendingWrites({ session, flushPolicy: options.flushPolicy ?? "message", events });
  const texts = async () =>
    (await stored.getEntries()).map((entry) =>
      isEntry(entry, "message") && entry.message.role === "user" ? entry.message.content : entry.type,
    );
  return { writes, texts, seen };
}

test("B024: a flush that fails keeps everything in order and succeeds later, without loss or repeat", async () => {
  const { writes, texts, seen } = await setUp({ failures: 1 });
  writes.add(
    { type: "message", message: user("1") },
    { type: "message", message: user("2") },
    { type: "message", message: user("3") },
  );
  expect((await writes.flushPendingWrites())?.message).toBe("disk full");
  expect(await texts()).toEqual([]);
  expect(writes.drafts).toHaveLength(3);
  expect(seen).toEqual([
    { type: "diagnostic", level: "error", message: "3 session entries could not be written: disk full" },
  ]);
  writes.add({ type: "message", message: user("4") });
  expect(await writes.flushPendingWrites()).toBeUndefined();
  expect(await texts()).toEqual(["1", "2", "3", "4"]);
  expect(writes.drafts).toEqual([]);
});

test("flushes that overlap write every entry once, in order", async () => {
  const { writes, texts } = await setUp();
  const flushes = [1, 2, 3].map((number) => {
    writes.add({ type: "message", message: user(String(number)) });
    return writes.flushPendingWrites();
  });
  await Promise.all(flushes);
  expect(await texts()).toEqual(["1", "2", "3"]);
});

test("policy message writes at every finished message", async () => {
  const { writes, texts } = await setUp();
  await writes.handleAgentEvent({ type: "message_end", message: user("a") });
  expect(await texts()).toEqual(["a"]);
});

test.each(["turn_end", "agent_end"] as const)("policy turn writes only at %s", async (type) => {
  const { writes, texts } = await setUp({ flushPolicy: "turn" });
  await writes.handleAgentEvent({ type: "message_end", message: user("a") });
  expect(await texts()).toEqual([]);
  await writes.handleAgentEvent({ type, messages: [] } as never);
  expect(await texts()).toEqual(["a"]);
});

test("a message with calls that cannot be stored throws write_failed", async () => {
  const { writes } = await setUp({ failures: 9 });
  const message = {
    role: "assistant",
    content: [{ type: "toolCall", id: "1", name: "bash", arguments: {} }],
  } as never;
  await expect(writes.handleAgentEvent({ type: "message_end", message })).rejects.toMatchObject({
    code: "write_failed",
  });
  expect(writes.drafts).toHaveLength(1);
});

test("summaries are not stored again and custom messages become custom_message entries", async () => {
  const { writes, texts } = await setUp();
  await writes.handleAgentEvent({
    type: "message_end",
    message: { role: "compactionSummary", summary: "s", tokensBefore: 1, timestamp: 0 },
  });
  await writes.handleAgentEvent({
    type: "message_end",
    message: { role: "custom", customType: "note", content: "n", display: true, timestamp: 0 },
  });
  expect(await texts()).toEqual(["custom_message"]);
});
