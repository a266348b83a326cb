import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AssistantMessage, assemble, builtinProviders, createClient, type Model } from "@coppice/ai";

/**
 * Decoding and assembling a stream of 10 MB against iterating the bare stream of the API's official SDK over the same
 * bytes, in turn. Budget: at most 2 times. The heap is measured with the message held, at half and at the end.
 */
const STREAM_BYTES = 10 * 1024 * 1024;
const CHUNK_BYTES = 16 * 1024;
const ROUNDS = 7;
const DELTA = "A coppice is cut back so that it grows again. ";

const root = resolve(import.meta.dirname, "../..");
const fromAi = createRequire(join(root, "packages/ai/package.json"));
const importFromAi = (name: string) => import(pathToFileURL(fromAi.resolve(name)).href);

const pi = realpathSync(join(root, "interchange/node_modules/@earendil-works/pi-coding-agent"));
const piAi = realpathSync(join(pi, "../pi-ai"));
const googleSdk = pathToFileURL(createRequire(join(piAi, "package.json")).resolve("@google/genai")).href;

interface Subject {
  readonly api: string;
  readonly head: readonly object[];
  readonly delta: object;
  readonly tail: readonly object[];
  /** Iterates the bytes as the SDK alone does; returns the number of events. */
  readonly bare: (response: Response) => Promise<number>;
}

async function count(events: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of events) total++;
  return total;
}

const subjects: readonly Subject[] = [
  {
    api: "anthropic-messages",
    head: [
      { type: "message_start", message: { id: "m", role: "assistant", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ],
    delta: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: DELTA } },
    tail: [
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
    bare: async (response) => {
      const { Stream } = await importFromAi("@anthropic-ai/sdk/core/streaming");
      return count(Stream.fromSSEResponse(response, new AbortController()));
    },
  },
  {
    api: "openai-responses",
    head: [{ type: "response.created", response: { id: "m" } }],
    delta: { type: "response.output_text.delta", output_index: 0, item_id: "i", delta: DELTA },
    tail: [{ type: "response.completed", response: { id: "m", status: "completed" } }],
    bare: bareOpenAi,
  },
  {
    api: "openai-completions",
    head: [{ id: "m", choices: [{ index: 0, delta: { role: "assistant" } }] }],
    delta: { id: "m", choices: [{ index: 0, delta: { content: DELTA }, finish_reason: null }] },
    tail: [{ id: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }],
    bare: bareOpenAi,
  },
  {
    api: "google-generative-ai",
    head: [],
    delta: {
      responseId: "m",
      candidates: [{ index: 0, content: { role: "model", parts: [{ text: DELTA }] } }],
    },
    tail: [
      {
        responseId: "m",
        candidates: [{ index: 0, content: { role: "model", parts: [{ text: "." }] }, finishReason: "STOP" }],
      },
    ],
    bare: bareGoogle,
  },
];

/** The SDK that the provider does without: pi brings it. It takes no `fetch`, so the global one is lent to it. */
async function bareGoogle(response: Response): Promise<number> {
  const { GoogleGenAI } = await import(googleSdk);
  const own = globalThis.fetch;
  globalThis.fetch = async () => response;
  try {
    const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: "http://bench.invalid" } });
    return await count(await models.generateContentStream({ model: "m", contents: "go" }));
  } finally {
    globalThis.fetch = own;
  }
}

async function bareOpenAi(response: Response): Promise<number> {
  const { Stream } = await importFromAi("openai/core/streaming");
  return count(Stream.fromSSEResponse(response, new AbortController()));
}

const frame = (event: object): string =>
  `${"type" in event ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`;

function bytesOf({ head, delta, tail }: Subject): { readonly bytes: Uint8Array; readonly deltas: number } {
  const piece = frame(delta);
  const deltas = Math.ceil(STREAM_BYTES / piece.length);
  const text = head.map(frame).join("") + piece.repeat(deltas) + tail.map(frame).join("");
  return { bytes: new TextEncoder().encode(text), deltas };
}

function respond(bytes: Uint8Array): Response {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  return new Response(ReadableStream.from(chunks()), { headers: { "content-type": "text/event-stream" } });
}

interface Outcome {
  readonly message: AssistantMessage | undefined;
  readonly heapAtHalf: number;
  readonly heapAtEnd: number;
}

async function ours(api: string, bytes: Uint8Array, heapAfter?: number): Promise<Outcome> {
  const client = createClient({ providers: builtinProviders, fetch: async () => respond(bytes) });
  const model: Model = {
    id: "m",
    name: "m",
    api,
    provider: "bench",
    baseUrl: "http://bench.invalid/v1",
    reasoning: false,
    input: ["text"],
    contextWindow: 1_000_000,
    maxTokens: 1000,
    cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
  };
  let message: AssistantMessage | undefined;
  let seen = 0;
  let heapAtHalf = 0;
  for await (const event of client.stream({
    model,
    messages: [{ role: "user", content: "go", timestamp: 1 }],
  })) {
    message = assemble(message, event);
    if (++seen === heapAfter) heapAtHalf = heapUsed();
  }
  if (message?.stopReason !== "stop") throw new Error(`${api}: ${message?.errorMessage}`);
  return { message, heapAtHalf, heapAtEnd: heapAfter === undefined ? 0 : heapUsed() };
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const rows = [];
for (const subject of subjects) {
  const { bytes, deltas } = bytesOf(subject);
  const times: Record<"bare" | "ours", number[]> = { bare: [], ours: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of ["bare", "ours"] as const) {
      const start = performance.now();
      await (name === "bare" ? subject.bare(respond(bytes)) : ours(subject.api, bytes));
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  const { message, heapAtHalf, heapAtEnd } = await ours(subject.api, bytes, Math.floor(deltas / 2));
  const [block] = message?.content ?? [];
  const chars = block?.type === "text" ? block.text.length : 0;
  rows.push({
    api: subject.api,
    deltas,
    "bare min ms": Math.min(...times.bare).toFixed(0),
    "ours min ms": Math.min(...times.ours).toFixed(0),
    "min ratio": (Math.min(...times.ours) / Math.min(...times.bare)).toFixed(2),
    "median ratio": (median(times.ours) / median(times.bare)).toFixed(2),
    "text MB": (chars / 1e6).toFixed(1),
    "heap MB, half → end": `${(heapAtHalf / 1e6).toFixed(1)} → ${(heapAtEnd / 1e6).toFixed(1)}`,
  });
}
console.table(rows);
