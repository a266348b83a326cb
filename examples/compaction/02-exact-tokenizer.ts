/** An exact tokenizer in place of the estimate: anything with `estimateText` fits. No key needed. */
import {
  estimateTextTokens,
  prepareCompaction,
  resolveCompactionSettings,
  type TokenEstimator,
} from "@coppice/compaction";
import { assistantMessage } from "@coppice/compaction/testing";
import { MemoryRepo } from "@coppice/session";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** The tokenizer of OpenAI's newer models. Counts are remembered per message, so each text is counted once. */
const o200k: TokenEstimator = { estimateText: (text) => countTokens(text) };

const samples = {
  English: "The session file is an append-only log, and nothing in it is ever rewritten.",
  Chinese: "会话文件只追加，不改写。",
  code: "export const add = (a: number, b: number): number => a + b;",
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};
for (const [name, text] of Object.entries(samples)) {
  console.log(`${name}: exact ${o200k.estimateText(text)}, estimate ${estimateTextTokens(text)}`);
}

const session = await new MemoryRepo().create({ cwd: "/project" });
for (let index = 1; index <= 12; index++) {
  const content = `Note ${index}: ${"nothing was lost on the way. ".repeat(60)}`;
  await session.appendMessage({ role: "user", content, timestamp: index });
  await session.appendMessage(assistantMessage("Noted.", { timestamp: index }));
}
const settings = resolveCompactionSettings({ contextWindow: 8192 });
const path = await session.getBranch();
for (const [name, estimator] of [
  ["exact", o200k],
  ["estimate", undefined],
] as const) {
  const plan = prepareCompaction({
    path,
    contextWindow: 8192,
    settings,
    tokensBefore: 7000,
    ...(estimator === undefined ? {} : { estimator }),
  });
  console.log(`${name}: ${plan?.replacedTokens ?? 0} tokens go, ${plan?.keptTokens ?? 0} stay`);
}
await session.close();
