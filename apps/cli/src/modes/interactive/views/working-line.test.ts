import type { AgentEvent } from "@coppice/agent";
import { type AssistantMessage, ZERO_USAGE } from "@coppice/ai";
import { scriptedMessage } from "@coppice/ai/testing";
import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPaint } from "../theme.ts";
import { RunSpending } from "./run-spending.ts";
import { WorkingLine } from "./working-line.ts";

test("the working line counts from the beginning through changes of what is done, and is gone afterwards", () => {
  vi.useFakeTimers({ now: 1_000 });
  try {
    let frames = 0;
    const line = new WorkingLine({
      paint: createPaint(false),
      now: Date.now,
      requestRender: () => {
        frames++;
      },
      spending: new RunSpending(),
    });
    expect(line.render(80)).toEqual([]);
    line.show("Working");
    expect(line.render(80)).toEqual(["", "◐ Working (0 s · Esc to interrupt)"]);
    vi.advanceTimersByTime(12_200);
    line.show("Compacting");
    expect(line.render(80)).toEqual(["", "◓ Compacting (12 s · Esc to interrupt)"]);
    vi.advanceTimersByTime(60_000);
    expect(line.render(80)[1]).toContain("Compacting (1 min 12 s · ");
    line.hide();
    const before = frames;
    vi.advanceTimersByTime(5_000);
    expect(frames).toBe(before);
    expect(line.render(80)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test("B196: the working line fits from one column on, whatever it is called", () => {
  const { paint, requestRender } = { paint: createPaint(false), requestRender: () => {} };
  const line = new WorkingLine({ paint, now: () => 0, requestRender, spending: new RunSpending() });
  line.show("Waiting to retry (2 of 3)");
  onTestFinished(() => line.hide());
  for (let width = 1; width <= 60; width++) {
    expect(
      line
        .render(width)
        .map(visibleWidth)
        .every((columns) => columns <= width),
    ).toBe(true);
  }
});

/** A working line and the answers that it hears; each look is at the next frame. */
function createWorking() {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const spending = new RunSpending();
  const line = new WorkingLine({
    ...{ paint: createPaint(false), spending },
    now: Date.now,
    requestRender() {},
  });
  onTestFinished(() => line.hide());
  const hear = (event: AgentEvent) => spending.hear(event);
  return {
    line,
    write: (message: AssistantMessage) =>
      hear({ type: "message_update", message, event: { type: "text_start", contentIndex: 0 } }),
    end: (message: AssistantMessage) => hear({ type: "message_end", message }),
    look: (width = 80) => {
      vi.advanceTimersByTime(200);
      return line.render(width)[1]?.slice(2);
    },
  };
}

const usageOf = (output: number, costUsd: number) => ({
  ...{ ...ZERO_USAGE, input: 500, output, totalTokens: 500 + output },
  cost: { ...ZERO_USAGE.cost, total: costUsd },
});
const text = (length: number) => ({ type: "text", text: "word ".repeat(length / 5) }) as const;

test("the working line tells what the run has written so far, estimated until the provider says it, and what it cost", () => {
  const { line, write, end, look } = createWorking();
  line.show("Working");
  expect(look()).toBe("Working (0 s · Esc to interrupt)");
  write(scriptedMessage({ content: [text(5_000)] }));
  const first = /^Working \(0 s · ~(1\.\d)k tokens · Esc to interrupt\)$/.exec(look() ?? "")?.[1];
  expect(first).toBeDefined();
  end(scriptedMessage({ content: [text(5_000)], usage: usageOf(1_234, 0.0042) }));
  expect(look()).toBe("Working (0 s · 1.2k tokens · $0.004 · Esc to interrupt)");

  const call = {
    type: "toolCall",
    id: "c",
    name: "write",
    arguments: { content: text(60_000).text },
  } as const;
  write(scriptedMessage({ content: [{ type: "thinking", thinking: text(1_000).text }, call] }));
  expect(look()).toMatch(/^Working \(0 s · ~1\dk tokens · \$0\.004 · Esc to interrupt\)$/);
  write(scriptedMessage({ content: [text(10)], usage: usageOf(900, 0.01) }));
  expect(look()).toBe("Working (1 s · 2.1k tokens · $0.014 · Esc to interrupt)");
  end(scriptedMessage({ stopReason: "error", usage: ZERO_USAGE }));
  expect(look()).toBe("Working (1 s · 1.2k tokens · $0.004 · Esc to interrupt)");

  expect(look(50)).toBe("Working (1 s · 1.2k tokens · Esc to interrupt)");
  expect(look(40)).toBe("Working (1 s · Esc to interrupt)");
  line.show("Compacting");
  expect(look()).toContain("1.2k tokens");
  line.hide();
  line.show("Working");
  expect(look()).toBe("Working (0 s · Esc to interrupt)");
});
