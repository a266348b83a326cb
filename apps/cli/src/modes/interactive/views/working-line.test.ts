import { expect, test, vi } from "vitest";
import { createPaint } from "../theme.ts";
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
