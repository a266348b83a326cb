import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assemble } from "../assemble.ts";
import { builtinProviders } from "../builtin-providers.ts";
import { createClient } from "../client.ts";
import type { AssistantMessage } from "../message.ts";
import type { Model } from "../model.ts";
import type { ChatRequest } from "../request.ts";
import { isTerminal, type StreamEvent } from "../stream-event.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const NOW = 1_700_000_000_000;

const MODEL: Omit<Model, "api"> = {
  id: "fixture-model",
  name: "Fixture",
  provider: "fixture",
  baseUrl: "http://fixture.invalid/v1",
  reasoning: false,
  input: ["text", "image"],
  contextWindow: 200_000,
  maxTokens: 8192,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 },
};

/** A folder of fixtures: `chat.json` is a request whose model fields are laid over `MODEL`. */
interface Golden {
  readonly api: string;
  readonly folder: string;
}

/** What every wire format has a case for. */
const REQUIRED = [
  "text",
  "thinking-with-signature",
  "redacted-thinking",
  "one-call",
  "parallel-calls",
  "call-without-arguments",
  "interleaved-blocks",
  "images-and-results",
  "cached-usage",
  "refusal",
  "length-stop",
  "error-mid-stream",
  "early-end",
  "unknown-events",
  "multi-byte-text",
];

const cases = globSync("*/*/chat.json", { cwd: FIXTURES })
  .map((path) => path.split(/[\\/]/))
  .map(([api = "", name = ""]): Golden & { name: string } => ({
    api,
    name: `${api} ${name}`,
    folder: join(FIXTURES, api, name),
  }))
  .sort((a, b) => a.name.localeCompare(b.name));

function requestOf({ api, folder }: Golden): ChatRequest {
  const chat = JSON.parse(readFileSync(join(folder, "chat.json"), "utf8"));
  return { ...chat, model: { ...MODEL, api, ...chat.model }, apiKey: "fixture-key" };
}

/** Plays a response, cut into the given chunks, and returns the events and the body that was sent. */
async function play(golden: Golden, chunks: readonly Uint8Array[]) {
  let body: unknown;
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    body = JSON.parse(String(init?.body));
    return new Response(ReadableStream.from(chunks), { headers: { "content-type": "text/event-stream" } });
  };
  let ids = 0;
  const client = createClient({
    providers: builtinProviders,
    fetch,
    now: () => NOW,
    newId: () => `id${++ids}`,
  });
  const events: StreamEvent[] = [];
  const stream = client.stream(requestOf(golden));
  for await (const event of stream) events.push(event);
  return { body, events, result: await stream.result() };
}

/** Golden files are rewritten with `vitest -u`; the diff is reviewed. */
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}
`;

const bytesOf = ({ folder }: Golden) => readFileSync(join(folder, "response.sse"));

describe.each(cases)("$name", (fixture) => {
  test("the request and the events are the golden ones", async () => {
    const { body, events } = await play(fixture, [bytesOf(fixture)]);
    await expect(pretty(body)).toMatchFileSnapshot(join(fixture.folder, "request.json"));
    await expect(pretty(events)).toMatchFileSnapshot(join(fixture.folder, "events.json"));
  });

  test("AI-30: the events are in order and assemble to the final message", async () => {
    const { events, result } = await play(fixture, [bytesOf(fixture)]);
    const open = new Map<number, string>();
    let message: AssistantMessage | undefined;
    for (const [at, event] of events.entries()) {
      expect(isTerminal(event)).toBe(at === events.length - 1);
      if (!isTerminal(event)) message = assemble(message, event);
      if (event.type === "start") expect(at).toBe(0);
      const [kind = "", phase] = event.type.split("_");
      if (!("contentIndex" in event)) continue;
      if (phase === "start") {
        expect(open.has(event.contentIndex)).toBe(false);
        expect(event.contentIndex).toBe(open.size);
        open.set(event.contentIndex, kind);
      } else expect(open.get(event.contentIndex)).toBe(kind);
      if (phase === "end") open.set(event.contentIndex, "ended");
    }
    expect(events.at(-1)).toMatchObject({ message: result });
    if (result.stopReason !== "error") {
      expect([...open.values()].every((state) => state === "ended")).toBe(true);
      expect(message?.content ?? []).toEqual(result.content);
    }
  });

  test("AI-19, AI-20: the same events however the bytes are cut and the lines end", async () => {
    const bytes = bytesOf(fixture);
    const { events } = await play(fixture, [bytes]);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect((await play(fixture, single)).events).toEqual(events);
    const text = bytes.toString("utf8");
    for (const variant of [
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\r"),
      text.replace(/\n+$/, "\n"),
    ]) {
      expect((await play(fixture, [Buffer.from(variant)])).events).toEqual(events);
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)];
        const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect((await play(fixture, chunks)).events).toEqual(events);
      }),
      { numRuns: 8 },
    );
  });

  test("AI-27: stored blocks carry documented fields only", async () => {
    const { result } = await play(fixture, [bytesOf(fixture)]);
    const fields: Record<string, readonly string[]> = {
      text: ["type", "text", "textSignature"],
      thinking: ["type", "thinking", "thinkingSignature", "redacted"],
      toolCall: ["type", "id", "name", "arguments", "argumentsError", "thoughtSignature"],
    };
    for (const block of result.content)
      expect(fields[block.type]).toEqual(expect.arrayContaining(Object.keys(block)));
  });
});

test("every case says where it comes from", () => {
  for (const { folder } of cases) {
    expect(readFileSync(join(folder, "source.md"), "utf8")).toMatch(/(Synthetic|Recorded).*https:\/\//);
  }
});

describe.each(Object.keys(builtinProviders))("%s", (api) => {
  test("has a case for each kind of answer", () => {
    const names = cases.filter((each) => each.api === api).map(({ folder }) => basename(folder));
    expect(REQUIRED.filter((name) => !names.includes(name))).toEqual([]);
  });

  test("B095, AI-18: a stream cut anywhere before its end is never a success", async () => {
    const fixture = { api, folder: join(FIXTURES, api, "text") };
    const whole = bytesOf(fixture).toString("utf8");
    // The frames that the format needs to be whole: up to the one that says why the answer stopped.
    const last =
      {
        "openai-completions": '"finish_reason":"stop"',
        "openai-responses": "event: response.completed",
        "google-generative-ai": '"finishReason":"STOP"',
      }[api] ?? "event: message_stop";
    const frames = whole.slice(0, whole.indexOf(last)).split("\n\n").slice(0, -1);
    const torn = frames.join("\n\n").slice(0, -3);
    for (const cut of [
      torn,
      ...frames.map((_, count) =>
        frames
          .slice(0, count)
          .map((frame) => `${frame}\n\n`)
          .join(""),
      ),
    ]) {
      const { result } = await play(fixture, [Buffer.from(cut)]);
      expect(result).toMatchObject({
        stopReason: "error",
        error: { code: "truncated_stream", retryable: true },
      });
    }
  });

  test("a chunk that is not JSON is a retryable error that quotes it", async () => {
    const fixture = { api, folder: join(FIXTURES, api, "text") };
    const broken = bytesOf(fixture).toString("utf8").replace('"Hel"', '"Hel');
    const { result } = await play(fixture, [Buffer.from(broken)]);
    expect(result).toMatchObject({
      stopReason: "error",
      error: { code: "malformed_stream", retryable: true },
    });
  });
});
