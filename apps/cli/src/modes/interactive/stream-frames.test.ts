import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STREAM_FRAME_MS, StreamFrames } from "./stream-frames.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("UI-17: a stream is drawn at once, then at most once in each interval, and to its end", () => {
  const draw = vi.fn(() => false);
  const frames = new StreamFrames({ draw, now: Date.now });
  frames.request();
  vi.advanceTimersByTime(0);
  expect(draw).toHaveBeenCalledTimes(1);
  for (let delta = 0; delta < 100; delta++) frames.request();
  vi.advanceTimersByTime(STREAM_FRAME_MS - 1);
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * STREAM_FRAME_MS);
  expect(draw).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
  frames.request();
  vi.advanceTimersByTime(0);
  expect(draw).toHaveBeenCalledTimes(3);
});

test("UI-17: frames that take long leave the most of the time to keys", () => {
  const draw = vi.fn(() => {
    vi.setSystemTime(Date.now() + 100);
    return true;
  });
  const frames = new StreamFrames({ draw, now: Date.now });
  frames.request();
  vi.advanceTimersByTime(0);
  vi.advanceTimersByTime(199);
  expect(draw).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(2);
});
