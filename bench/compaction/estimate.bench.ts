import { readFileSync } from "node:fs";
import type { AgentMessage } from "@coppice/agent";
import {
  estimateContextTokens,
  estimateTextTokens,
  estimateTokens,
  learnEstimateFactor,
  scaledEstimator,
} from "@coppice/compaction";
import { assistantMessage, usageOf } from "@coppice/compaction/testing";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/**
 * The estimate against the real tokens of o200k on a committed corpus: each item cold, and whole contexts of 24 mixed
 * messages after two usage reports. Beside it: what characters / 4 would say.
 */
interface Item {
  readonly kind: string;
  readonly text: string;
}

const items = readFileSync(`${import.meta.dirname}/corpus.jsonl`, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Item);

const MESSAGES = 24;
const CONTEXTS = 200;
const errorOf = (estimate: number, real: number) => estimate / real - 1;

function percentile95(errors: readonly number[]): number {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? Number.NaN;
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const cold = items.map(({ kind, text }) => {
  const real = countTokens(text);
  return {
    kind,
    own: errorOf(estimateTextTokens(text), real),
    quarter: errorOf(Math.ceil(text.length / 4), real),
  };
});
console.log(`${"kind".padEnd(12)}${"items".padStart(6)}${"worst".padStart(10)}${"chars/4".padStart(10)}`);
for (const kind of new Set(items.map((item) => item.kind))) {
  const rows = cold.filter((row) => row.kind === kind);
  const worst = (key: "own" | "quarter") =>
    rows.map((row) => row[key]).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  console.log(
    `${kind.padEnd(12)}${String(rows.length).padStart(6)}${percent(worst("own")).padStart(10)}${percent(worst("quarter")).padStart(10)}`,
  );
}
console.log(
  `cold, p95 of ${items.length} items: ${percent(percentile95(cold.map(({ own }) => own)))}, chars/4 ${percent(percentile95(cold.map(({ quarter }) => quarter)))}`,
);

/** A small generator with a seed: the figure is the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function contextErrors(seed: number): { readonly own: number; readonly quarter: number } {
  const random = seeded(seed + 1);
  const messages: AgentMessage[] = [];
  let real = 0;
  for (let index = 0; index < MESSAGES; index++) {
    const text = items[Math.floor(random() * items.length)]?.text ?? "";
    real += countTokens(text);
    // Two reports, in the first half; the second half is estimated with what they taught.
    const reports = index === 5 || index === 11;
    const usage = reports ? { usage: usageOf({ input: real }) } : {};
    messages.push(
      index % 2 === 0
        ? { role: "user", content: text, timestamp: index }
        : assistantMessage(text, { timestamp: index, ...usage }),
    );
  }
  const factor = learnEstimateFactor({ messages, model: assistantMessage("").model });
  const { tokens } = estimateContextTokens({ messages, estimator: scaledEstimator(factor) });
  const quarter = messages.reduce((sum, message) => sum + textLength(message) / 4, 0);
  return { own: errorOf(tokens, real), quarter: errorOf(quarter, real) };
}

function textLength(message: AgentMessage): number {
  return estimateTokens(message, { estimateText: (text) => text.length });
}

const contexts = Array.from({ length: CONTEXTS }, (_, seed) => contextErrors(seed));
console.log(
  `p95 of ${CONTEXTS} contexts of ${MESSAGES} messages after two reports: ${percent(percentile95(contexts.map(({ own }) => own)))}, chars/4 ${percent(percentile95(contexts.map(({ quarter }) => quarter)))}`,
);
