import {
  createWireServer,
  scriptedText,
  scriptedToolCall,
  type WireAnswer,
  type WireFault,
} from "@coppice/ai/testing";
import { describe, expect, test, vi } from "vitest";
import { type PrintHereOptions, printHere } from "./print-here.ts";

// Each case is a whole run, on a machine that does much else.
vi.setConfig({ testTimeout: 90_000 });

const APIS = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "google-generative-ai",
] as const;

/** Short waits between attempts; the rules are those of the program. */
const SETTINGS = { retry: { baseDelayMs: 1, maxDelayMs: 5, maxAttempts: 3 } };

/** The first attempt and the retries of the settings. */
const MOST_CALLS = 4;

type AskOptions = Pick<PrintHereOptions, "api"> &
  Partial<PrintHereOptions> & {
    readonly answers: readonly WireAnswer[];
    /** Of the server; default: that of the model's description. */
    readonly serverWindow?: number;
  };

async function ask({ answers, serverWindow, ...options }: AskOptions) {
  const { contextWindow = 100_000 } = options;
  await using wire = await createWireServer({ answers, contextWindow: serverWindow ?? contextWindow });
  const run = await printHere({ wire, contextWindow, prompt: "hello", settings: SETTINGS, ...options });
  const { requests, rejections, overflows } = wire;
  return { ...run, calls: requests.length, rejections: rejections.length, overflows: overflows.length };
}

const good: WireAnswer = { content: [scriptedText("All is well.")] };
const faulty = (fault: WireFault): WireAnswer => ({ content: [scriptedText("Never whole.")], fault });
const lasting = (answer: WireAnswer) => Array.from({ length: 20 }, () => answer);

/** Standard error without what is told of tools and retries: exactly one line that says why, and one with a way out. */
const oneClearLine = (reason: RegExp) =>
  expect.stringMatching(
    new RegExp(
      String.raw`^(?:(?:the answer broke off|retry|✗ read|warning: wire/wire-1 has a context window of) .*\n)*coppice: .*${reason.source}.*\n {2}\S.*\n$`,
    ),
  );

const call = (argumentText?: string): WireAnswer => ({
  content: [scriptedToolCall("read", argumentText ?? { path: "a.txt" })],
});

/** What a run ends with that never gets a good answer. */
const LASTING: readonly {
  readonly name: string;
  readonly answer: WireAnswer;
  readonly exitCode: number;
  readonly calls: number;
  readonly reason: RegExp;
  readonly stdout?: string;
}[] = [
  {
    name: "an empty answer",
    answer: { content: [] },
    exitCode: 1,
    calls: MOST_CALLS,
    reason: /without text/,
  },
  {
    name: "a refusal",
    answer: { content: [], stopReason: "refusal" },
    exitCode: 1,
    calls: 1,
    reason: /wire-1: /,
  },
  {
    name: "status 529",
    answer: faulty({ kind: "status", status: 529 }),
    exitCode: 1,
    calls: MOST_CALLS,
    reason: /529/,
  },
  {
    name: "a 429 that says no time",
    answer: faulty({ kind: "rate_limit" }),
    exitCode: 4,
    calls: MOST_CALLS,
    reason: /429/,
  },
  {
    name: "a 429 that asks for a minute, more than the settings wait",
    answer: faulty({ kind: "rate_limit", retryAfter: "60" }),
    ...{ exitCode: 4, calls: 1, reason: /429/ },
  },
  {
    name: "an overflow of one message",
    answer: faulty({ kind: "overflow" }),
    exitCode: 4,
    calls: 1,
    reason: /wire-1: /,
  },
  {
    name: "calls that are cut by the output limit",
    answer: { ...call(), stopReason: "length" },
    ...{ exitCode: 4, calls: 3, reason: /output limit/ },
  },
];

describe.each(APIS)("over %s", (api) => {
  test.each(LASTING)(
    "B216, CL-04: -p under $name that lasts: exit $exitCode, one clear line, $calls calls",
    async ({ answer, exitCode, calls, reason, stdout = "" }) => {
      expect(await ask({ api, answers: lasting(answer) })).toEqual({
        ...{ exitCode, calls, stdout, stderr: oneClearLine(reason) },
        ...{ rejections: 0, overflows: 0 },
      });
    },
  );

  test("B106: -p under calls whose arguments are cut, again and again: exit 1, one clear line, capped calls", async () => {
    const run = await ask({ api, answers: lasting(call('{"path": "a.t')) });
    // Google's server reads the arguments itself and ends its answer with an error, which is tried again.
    const isRefused = api === "google-generative-ai";
    expect(run).toMatchObject({
      ...{ exitCode: 1, calls: isRefused ? MOST_CALLS : 3, stdout: "", rejections: 0 },
      stderr: oneClearLine(isRefused ? /Malformed function call/ : /could not be read/),
    });
  });

  test.each([
    {
      name: "529 twice",
      answers: [faulty({ kind: "status", status: 529 }), faulty({ kind: "status", status: 529 })],
    },
    { name: "a 429 that says no time", answers: [faulty({ kind: "rate_limit" })] },
    { name: "a call whose arguments are cut", answers: [call('{"path": "a.t')] },
    {
      name: "a call that is cut by the output limit",
      answers: [{ ...call(), stopReason: "length" as const }],
    },
  ])("-p under $name that passes: the answer, and nothing but the answer", async ({ answers }) => {
    const run = await ask({ api, answers: [...answers, good], files: { "a.txt": "a" } });
    expect(run, run.stderr).toMatchObject({
      exitCode: 0,
      stdout: "All is well.\n",
      calls: answers.length + 1,
    });
  });

  test("-p waits as long as a 429 asks for, and gets the answer", async () => {
    const startMs = performance.now();
    const run = await ask({
      api,
      answers: [faulty({ kind: "rate_limit", retryAfter: "1" }), good],
      settings: { retry: { baseDelayMs: 1, maxDelayMs: 60_000, maxAttempts: 3 } },
    });
    expect(run, run.stderr).toMatchObject({ exitCode: 0, stdout: "All is well.\n", calls: 2 });
    // Timers may fire a millisecond early.
    expect(performance.now() - startMs).toBeGreaterThan(990);
  });

  test.each([
    { name: "comments, pings and unknown events", framing: { keepAlives: true, unknownEvents: true } },
    { name: "lines that end with CR LF", framing: { newline: "\r\n" as const } },
    { name: "one byte at a time", framing: { chunkBytes: 1 } },
  ])("-p under $name: the answer", async ({ framing }) => {
    const content = [scriptedText("All is wéll, 木 and 🌲.")];
    const run = await ask({ api, answers: [{ content, framing }] });
    expect(run).toMatchObject({ exitCode: 0, stdout: "All is wéll, 木 and 🌲.\n", stderr: "", calls: 1 });
  });

  test("-p with an overflow that can be shrunk: a compaction, then the answer", async () => {
    const read = (path: string): WireAnswer => ({ content: [scriptedToolCall("read", { path })] });
    const summary =
      "## Goal\nRead the files.\n\n## Progress\n### Done\n- [x] a.txt was read\n\n## Next Steps\n1. Answer: All is well.";
    const text = "a line of some length, again and again\n".repeat(500);
    const run = await ask({
      api,
      answers: [
        ...["a.txt", "b.txt", "c.txt"].map(read),
        ...lasting({ content: [scriptedText(`${summary}\n\nAll is well.`)] }),
      ],
      files: { "a.txt": text, "b.txt": text, "c.txt": text },
      serverWindow: 12_000,
    });
    expect(run, run.stderr).toMatchObject({ exitCode: 0, rejections: 0 });
    expect(run.stdout).toContain("All is well.");
    expect(run.stderr).toMatch(/^compacted \d+k → \d+k tokens$/m);
    expect(run.overflows).toBeGreaterThanOrEqual(1);
    expect(run.calls).toBeLessThanOrEqual(12);
  });

  test("-p with an overflow that cannot be shrunk, seen by the server: exit 4 and one clear line", async () => {
    const prompt = "every word of this counts. ".repeat(4_000);
    const run = await ask({ api, answers: lasting(good), prompt, serverWindow: 8_000 });
    expect(run).toMatchObject({ exitCode: 4, stdout: "", stderr: oneClearLine(/wire-1: /), rejections: 0 });
    expect(run.overflows).toBe(1);
    expect(run.calls).toBe(1);
  });

  test("-p with an overflow that cannot be shrunk, seen before it is sent: exit 4 and one clear line", async () => {
    const prompt = "every word of this counts. ".repeat(4_000);
    const run = await ask({ api, answers: lasting(good), prompt, contextWindow: 8_000 });
    expect(run).toMatchObject({ exitCode: 4, stdout: "", stderr: oneClearLine(/window of 8000/), calls: 0 });
  });
});
