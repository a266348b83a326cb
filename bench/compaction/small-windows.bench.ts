import type { AgentMessage } from "@coppice/agent";
import type { ChatRequest, Message } from "@coppice/ai";
import {
  estimateContextTokens,
  estimateTokens,
  resolveCompactionSettings,
  shouldCompact,
  shrinkContext,
} from "@coppice/compaction";
import { assistantMessage, goodSummary, pathBuilder, testModel } from "@coppice/compaction/testing";
import { buildContext } from "@coppice/session";

/**
 * One prompt that reads 120 files of 6 KB on small windows with default settings and the default ladder.
 *
 * Printed: compactions, maskings, the largest request, and the share of prompt tokens that an ideal prefix cache serves
 * (summary requests included), of all and of those that an earlier request had sent.
 */
const READS = 120;
const FILE_CHARS = 6000;
const SYSTEM_PROMPT = "You are a coding agent. ".repeat(250);
const PROMPT = "Read all 120 files and tell me which ones never close their handles.";
const SUMMARY = goodSummary(`${PROMPT} ${"Found so far: nothing in the files that were read. ".repeat(20)}`);

class PrefixCache {
  readonly #sent: (readonly Message[])[] = [];
  readonly #everSent = new Set<string>();
  prompt = 0;
  cached = 0;
  sentBefore = 0;
  largest = 0;

  take({ messages, systemPrompt = "" }: Pick<ChatRequest, "messages" | "systemPrompt">): void {
    const sizes = messages.map((message) => estimateTokens(message));
    const head = Math.ceil(systemPrompt.length / 4);
    const total = sizes.reduce((sum, size) => sum + size, head);
    let best = 0;
    for (const earlier of this.#sent) best = Math.max(best, commonMessages(earlier, messages));
    const prefix = sizes.slice(0, best).reduce((sum, size) => sum + size, this.#sent.length > 0 ? head : 0);
    const known = messages.map((message, index) =>
      this.#everSent.has(keyOf(message)) ? (sizes[index] ?? 0) : 0,
    );
    this.prompt += total;
    this.cached += prefix;
    this.sentBefore += known.reduce((sum, size) => sum + size, this.#sent.length > 0 ? head : 0);
    this.largest = Math.max(this.largest, total);
    this.#sent.push(messages);
    for (const message of messages) this.#everSent.add(keyOf(message));
  }
}

const keys = new WeakMap<Message, string>();
function keyOf(message: Message): string {
  const key = keys.get(message) ?? JSON.stringify({ ...message, timestamp: 0 });
  keys.set(message, key);
  return key;
}

function commonMessages(a: readonly Message[], b: readonly Message[]): number {
  let count = 0;
  while (count < a.length && count < b.length && keyOf(a[count] as Message) === keyOf(b[count] as Message))
    count++;
  return count;
}

async function run(contextWindow: number) {
  const builder = pathBuilder();
  const cache = new PrefixCache();
  const settings = resolveCompactionSettings({ contextWindow });
  const model = testModel({ contextWindow, maxTokens: 2048 });
  const counts = { compaction: 0, mask: 0, promptAlways: true };
  const request = (messages: readonly AgentMessage[]): ChatRequest => ({
    model,
    systemPrompt: SYSTEM_PROMPT,
    messages: messages.map((message) =>
      message.role === "compactionSummary"
        ? { role: "user", content: message.summary, timestamp: 0 }
        : message,
    ) as readonly Message[],
  });
  builder.user(PROMPT);
  for (let index = 0; index < READS; index++) {
    const { messages, entries } = buildContext(builder.path);
    const { tokens } = estimateContextTokens({ messages, systemPrompt: SYSTEM_PROMPT });
    if (shouldCompact({ contextTokens: tokens, contextWindow, settings })) {
      const { outcome } = await shrinkContext({
        path: builder.path,
        entries,
        contextWindow,
        settings,
        tokensBefore: tokens,
        systemPrompt: SYSTEM_PROMPT,
        call: {
          model,
          sessionRequest: request(messages),
          complete: async (asked) => {
            cache.take(asked);
            return assistantMessage(SUMMARY);
          },
        },
      });
      if (outcome === undefined) throw new Error("nothing could be done");
      counts[outcome.type]++;
      const shortenings = outcome.type === "mask" ? outcome.shortenings : outcome.result.shortenings;
      for (const { targetId, text } of shortenings) {
        builder.entry("context_edit", { targetId, replacement: { content: [{ type: "text", text }] } });
      }
      if (outcome.type === "compaction") {
        const { summary, firstKeptEntryId, details, checkpoint } = outcome.result;
        builder.compaction(summary, firstKeptEntryId, { details, checkpoint });
      }
    }
    const next = buildContext(builder.path).messages;
    counts.promptAlways &&= JSON.stringify(next).includes(PROMPT);
    cache.take(request(next));
    builder.toolCall(`t${index}`, "read", { path: `src/file-${index}.ts` });
    builder.toolResult(
      `t${index}`,
      `// file ${index}\n${"const value = compute();\n".repeat(FILE_CHARS / 25)}`,
    );
  }
  return { contextWindow, ...counts, cache };
}

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
for (const contextWindow of [8192, 16_384, 32_768]) {
  const { cache, compaction, mask, promptAlways } = await run(contextWindow);
  console.log(
    `${contextWindow}: ${compaction} compactions, ${mask} maskings, largest request ${cache.largest}, cached ${percent(cache.cached, cache.prompt)} of all and ${percent(cache.cached, cache.sentBefore)} of what was sent before, prompt verbatim: ${promptAlways}`,
  );
}
