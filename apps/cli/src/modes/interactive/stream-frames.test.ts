import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { STREAM_FRAME_MS, StreamFrames } from "./stream-frames.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("UI-17: a stream is drawn at once, then at most once in each interval, and to its end", () => {
  const requestRender = vi.fn();
  const frames = new StreamFrames({ requestRender });
  frames.request();
  expect(requestRender).toHaveBeenCalledTimes(1);
  for (let delta = 0; delta < 100; delta++) frames.request();
  expect(requestRender).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(STREAM_FRAME_MS);
  expect(requestRender).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * STREAM_FRAME_MS);
  expect(requestRender).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
  frames.request();
  expect(requestRender).toHaveBeenCalledTimes(3);
});
