import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** The files whose tests answer a fault, relative to the package, or why it is not a matter of this package. */
type Answer = readonly string[] | { readonly outside: string };

/**
 * Every fault of the public record in this package's area (B: a report, AI and PF: a kind) and what answers it.
 *
 * Fixture folders are run by `src/providers/golden-wire.test.ts`, conformance cases once per provider.
 */
const COVERAGE: Readonly<Record<string, Answer>> = {
  B065: ["src/usage.test.ts"],
  B067: ["src/providers/usage-dialects.test.ts", "fixtures/openai-completions/cached-usage/source.md"],
  B068: ["src/providers/usage-dialects.test.ts", "fixtures/anthropic-messages/cached-usage/source.md"],
  B071: ["src/providers/usage-dialects.test.ts"],
  B072: ["fixtures/openai-completions/usage-in-choice/source.md"],
  B073: ["fixtures/anthropic-messages/cached-usage/source.md"],
  B075: ["src/usage.test.ts", "src/testing/conformance/answer-cases.ts"],
  B077: ["src/usage.test.ts", "fixtures/openai-completions/cached-usage/source.md"],
  B078: ["src/providers/classify.test.ts"],
  B080: ["src/providers/classify.test.ts"],
  B081: ["src/providers/http-behaviour.test.ts"],
  B084: ["src/providers/classify.test.ts"],
  B086: { outside: "the compaction package: usage reported against the estimate" },
  B087: [
    "fixtures/anthropic-messages/unknown-events/source.md",
    "fixtures/google-generative-ai/unknown-events/source.md",
  ],
  B088: [
    "fixtures/anthropic-messages/unknown-events/source.md",
    "fixtures/google-generative-ai/unknown-events/source.md",
  ],
  B091: [
    "fixtures/anthropic-messages/multi-byte-text/source.md",
    "fixtures/google-generative-ai/multi-byte-text/source.md",
  ],
  B094: [
    "fixtures/anthropic-messages/error-mid-stream/source.md",
    "fixtures/google-generative-ai/error-mid-stream/source.md",
  ],
  B095: ["src/providers/golden-wire.test.ts", "fixtures/anthropic-messages/early-end/source.md"],
  B097: ["fixtures/openai-responses/early-end/source.md", "fixtures/openai-responses/length-stop/source.md"],
  B098: ["fixtures/anthropic-messages/unknown-events/source.md", "src/testing/conformance/answer-cases.ts"],
  B099: ["src/providers/odd-chunks.test.ts", "fixtures/google-generative-ai/unknown-events/source.md"],
  B100: [
    "src/providers/openai-completions/tool-call-joiner.test.ts",
    "fixtures/openai-completions/call-id-changes/source.md",
  ],
  B101: [
    "src/providers/openai-completions/tool-call-joiner.test.ts",
    "fixtures/openai-completions/calls-all-with-index-0/source.md",
  ],
  B103: ["src/tool-arguments.test.ts", "fixtures/anthropic-messages/call-without-arguments/source.md"],
  B105: [
    "fixtures/google-generative-ai/calls-without-ids/source.md",
    "fixtures/openai-completions/calls-without-ids/source.md",
  ],
  B106: ["src/tool-arguments.test.ts", "fixtures/anthropic-messages/repairable-arguments/source.md"],
  B108: [
    "fixtures/openai-completions/redacted-thinking/source.md",
    "fixtures/openai-responses/items-finish-out-of-order/source.md",
  ],
  B109: ["src/providers/stop-reasons.test.ts", "fixtures/anthropic-messages/unknown-stop-reason/source.md"],
  B110: [
    "src/providers/stop-reasons.test.ts",
    "fixtures/openai-completions/failure-as-finish-reason/source.md",
  ],
  B111: ["src/repair/repair-history.test.ts", "fixtures/google-generative-ai/foreign-calls/source.md"],
  B114: ["fixtures/anthropic-messages/redacted-thinking/source.md"],
  B115: ["src/repair/repair-history.test.ts", "fixtures/anthropic-messages/interleaved-blocks/source.md"],
  B117: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/openai-responses/openai-responses.test.ts",
  ],
  B118: [
    "src/testing/conformance/conversation.test.ts",
    "src/testing/wire-server/openai-responses/openai-responses.test.ts",
  ],
  B120: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  B121: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  B126: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  B127: ["src/repair/repair-history.test.ts", "src/testing/conformance/answer-cases.ts"],
  B128: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  B130: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  B132: ["src/repair/image-limits.test.ts"],
  B135: ["src/repair/repair-history.test.ts"],
  B136: ["src/repair/repair-history.test.ts", "src/testing/conformance/answer-cases.ts"],
  B138: [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/openai-completions/openai-completions.test.ts",
  ],
  B139: ["src/retry.test.ts"],
  B140: ["src/retry.test.ts"],
  B142: ["src/providers/classify.test.ts", "src/retry.test.ts"],
  B144: { outside: "the coding-agent package: it owns the count of retries over turns" },
  B146: ["src/providers/http-behaviour.test.ts", "src/testing/conformance/failure-cases.ts"],
  B147: { outside: "the coding-agent package: it owns the end of a prompt" },
  B148: ["src/retry.test.ts"],
  "AI-01": ["src/providers/any-history.test.ts", "src/repair/repair-history.test.ts"],
  "AI-02": ["src/providers/any-history.test.ts", "src/repair/repair-history.test.ts"],
  "AI-03": ["src/providers/any-history.test.ts", "src/repair/repair-history.test.ts"],
  "AI-04": [
    "src/repair/repair-history.test.ts",
    "src/testing/wire-server/openai-completions/openai-completions.test.ts",
  ],
  "AI-05": [
    "src/repair/repair-history.test.ts",
    "fixtures/google-generative-ai/signed-parts-stay-apart/source.md",
  ],
  "AI-06": ["src/rejected-signature.test.ts", "src/testing/conformance/conversation.test.ts"],
  "AI-07": ["src/answered-cost.test.ts", "src/repair/repair-history.test.ts"],
  "AI-08": ["src/providers/any-history.test.ts", "src/repair/repair-history.test.ts"],
  "AI-09": [
    "src/providers/openai-completions/quirks.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  "AI-10": ["src/providers/openai-completions/quirks.test.ts"],
  "AI-11": [
    "fixtures/anthropic-messages/images-and-results/source.md",
    "fixtures/google-generative-ai/images-and-results/source.md",
  ],
  "AI-12": ["src/repair/repair-history.test.ts"],
  "AI-13": [
    "src/providers/openai-completions/quirks.test.ts",
    "src/testing/wire-server/google-generative-ai/google-generative-ai.test.ts",
  ],
  "AI-14": ["src/providers/openai-completions/quirks.test.ts"],
  "AI-15": [
    "src/providers/openai-completions/quirks.test.ts",
    "fixtures/google-generative-ai/budget-thinking/source.md",
  ],
  "AI-16": ["src/providers/openai-completions/quirks.test.ts"],
  "AI-17": [
    "src/providers/google-generative-ai/schema.test.ts",
    "fixtures/google-generative-ai/budget-thinking/source.md",
  ],
  "AI-18": ["src/providers/golden-wire.test.ts"],
  "AI-19": ["src/providers/golden-wire.test.ts", "src/testing/conformance/answer-cases.ts"],
  "AI-20": ["src/providers/golden-wire.test.ts", "src/testing/conformance/answer-cases.ts"],
  "AI-21": ["src/providers/odd-chunks.test.ts", "fixtures/google-generative-ai/unknown-events/source.md"],
  "AI-22": [
    "src/providers/openai-completions/tool-call-joiner.test.ts",
    "fixtures/openai-responses/no-output-index/source.md",
  ],
  "AI-23": [
    "fixtures/google-generative-ai/interleaved-blocks/source.md",
    "fixtures/openai-completions/interleaved-blocks/source.md",
  ],
  "AI-24": [
    "fixtures/anthropic-messages/unknown-events/source.md",
    "fixtures/openai-completions/thinking/source.md",
  ],
  "AI-25": ["src/tool-arguments.test.ts", "fixtures/google-generative-ai/malformed-call/source.md"],
  "AI-26": [
    "fixtures/google-generative-ai/call-without-arguments/source.md",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  "AI-27": [
    "src/providers/golden-wire.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  "AI-28": ["src/providers/stop-reasons.test.ts", "fixtures/google-generative-ai/malformed-call/source.md"],
  "AI-29": ["src/tool-arguments.test.ts", "fixtures/anthropic-messages/length-stop/source.md"],
  "AI-30": ["src/providers/golden-wire.test.ts", "src/testing/conformance/event-order.test.ts"],
  "AI-31": ["src/client.test.ts", "src/providers/http-behaviour.test.ts"],
  "AI-32": ["src/client.test.ts", "src/providers/http-behaviour.test.ts"],
  "AI-33": ["src/providers/http-call.test.ts", "src/retry.test.ts"],
  "AI-34": ["src/providers/http-behaviour.test.ts", "src/providers/http-call.test.ts"],
  "AI-35": ["src/providers/transport-error.test.ts"],
  "AI-36": ["src/providers/classify.test.ts", "src/providers/transport-error.test.ts"],
  "AI-37": ["src/providers/classify.test.ts", "src/retry.test.ts"],
  "AI-38": ["src/providers/classify.test.ts", "src/retry.test.ts"],
  "AI-39": ["src/retry.test.ts", "src/testing/conformance/failure-cases.ts"],
  "AI-40": ["src/providers/classify.test.ts", "src/testing/conformance/failure-cases.ts"],
  "AI-41": ["src/providers/http-behaviour.test.ts"],
  "AI-42": ["src/providers/usage-dialects.test.ts", "src/usage.test.ts"],
  "AI-43": ["src/providers/usage-dialects.test.ts"],
  "AI-44": ["src/answered-cost.test.ts", "src/usage.test.ts"],
  "AI-45": ["src/usage.test.ts", "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts"],
  "AI-46": ["src/thinking.test.ts", "fixtures/google-generative-ai/budget-thinking/source.md"],
  "AI-47": [
    "src/providers/openai-completions/quirks.test.ts",
    "src/testing/wire-server/anthropic-messages/anthropic-messages.test.ts",
  ],
  "AI-48": ["src/providers/any-history.test.ts", "src/repair/repair-history.test.ts"],
  "AI-49": ["src/providers/anthropic-messages/cache-markers.test.ts"],
  "AI-50": { outside: "nothing: no connection, socket or server-side state is kept between requests" },
  "AI-51": ["src/providers/http-behaviour.test.ts", "src/providers/openai-completions/quirks.test.ts"],
  "AI-52": {
    outside: "the host: every call goes through the `fetch` it passes in, and proxies are its matter",
  },
  "AI-53": [
    "src/providers/openai-completions/quirks.test.ts",
    "src/testing/wire-server/openai-responses/openai-responses.test.ts",
  ],
  "AI-54": ["src/validate-arguments.test.ts"],
  "AI-55": ["src/validate-arguments.test.ts"],
  "AI-56": ["src/model-pattern.test.ts"],
  "PF-01": ["src/providers/linear-cost.test.ts"],
};

const root = join(import.meta.dirname, "..");

describe("the test that answers", () => {
  test.each(Object.entries(COVERAGE))("%s names it", (id, answer) => {
    if ("outside" in answer) {
      expect(answer.outside).not.toBe("");
      return;
    }
    expect(answer.length).toBeGreaterThan(0);
    const silent = answer.filter((path) => !readFileSync(join(root, path), "utf8").includes(id));
    expect(silent).toEqual([]);
  });
});

test("no kind is left out", () => {
  const kinds = Array.from({ length: 56 }, (_, at) => `AI-${String(at + 1).padStart(2, "0")}`);
  expect(kinds.filter((id) => !(id in COVERAGE))).toEqual([]);
});
