import type { ContextUsage } from "@coppice/coding-agent";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { createPaint } from "../theme.ts";
import { contextMeter } from "./context-meter.ts";
import { type FooterState, footerLines } from "./footer.ts";

const plain = createPaint(false);

const usage: ContextUsage = {
  tokens: 50_000,
  isEstimate: false,
  contextWindow: 100_000,
  triggerTokens: 80_000,
  parts: { system: 5_000, tools: 5_000, contextFiles: 10_000, summary: 10_000, messages: 20_000 },
};

const state: FooterState = {
  directory: "~/code/tree",
  branch: "main",
  session: "pruning",
  model: "anthropic/claude",
  thinkingLevel: "high",
  usage,
  costUsd: 0.1234,
  queued: 2,
};

test("the meter fills by the window, marks the trigger, and says tokens and percent", () => {
  expect(contextMeter(usage, 10, plain)).toBe("█████░░░┃░ 50k/100k 50%");
  expect(
    contextMeter(
      {
        ...usage,
        isEstimate: true,
        tokens: 0,
        parts: { system: 0, tools: 0, contextFiles: 0, summary: 0, messages: 0 },
      },
      10,
      plain,
    ),
  ).toBe("░░░░░░░░┃░ ~0/100k 0%");
});

test("the meter has a segment per source, and warns near the trigger", () => {
  const paint = (tone: string, text: string) => `<${tone}:${text}>`;
  expect(contextMeter(usage, 10, paint)).toBe(
    "<meterPrompt:█><meterFiles:█><meterSummary:█><meterMessages:██><dim:░░░>┃<dim:░> <dim:50k/100k 50%>",
  );
  expect(contextMeter({ ...usage, tokens: 72_000 }, 10, paint)).toContain("<warning:72k/100k 72%>");
});

test("a context over its window fills the bar and no more", () => {
  const over = { ...usage, tokens: 250_000, parts: { ...usage.parts, messages: 220_000 } };
  expect(contextMeter(over, 10, plain)).toBe("████████┃█ 250k/100k 250%");
});

test("two lines: place and session, then meter, model, cost and queue", () => {
  expect(footerLines(state, 90, plain)).toEqual([
    `~/code/tree (main)${" ".repeat(65)}pruning`,
    `██████████░░░░░░┃░░░ 50k/100k 50%${" ".repeat(16)}anthropic/claude high · $0.123 · 2 queued`,
  ]);
});

test("what is not known yet is not shown", () => {
  const early = {
    ...state,
    usage: undefined,
    costUsd: undefined,
    queued: 0,
    branch: undefined,
    thinkingLevel: "off",
  };
  expect(footerLines(early, 40, plain)).toEqual([`~/code/tree${" ".repeat(22)}pruning`, "anthropic/claude"]);
});

test("B196: both lines fit from 1 column on, wide names included", () => {
  const wide = { ...state, directory: "~/报错/报错", branch: "报错", session: "会话".repeat(20) };
  for (let width = 1; width < 120; width++) {
    for (const line of footerLines(wide, width, plain)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
  }
});

test("B248: a session's name cannot drive the terminal", () => {
  expect(footerLines({ ...state, session: "a\u001b]0;x\u0007b\nc" }, 60, plain)[0]).toMatch(/ab c$/);
});
