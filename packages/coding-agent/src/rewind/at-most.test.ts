import { expect, onTestFinished, test, vi } from "vitest";
import { atMost } from "./at-most.ts";

test("work is waited for until it ends or the time is over, and no timer stays", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await atMost(100, Promise.resolve());
  expect(vi.getTimerCount()).toBe(0);
  await expect(atMost(100, Promise.reject(new Error("no")))).rejects.toThrow("no");
  let isOver = false;
  const waiting = atMost(100, new Promise(() => {})).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
