import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStopSignal } from "./stop-signal.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function source() {
  const exits: number[] = [];
  return {
    exits,
    source: Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) }),
  };
}

test("the first signal asks to stop, a second one ends the process with its code", () => {
  const { exits, source: process } = source();
  const stop = createStopSignal(process);
  process.emit("SIGTERM");
  expect([stop.signal.aborted, stop.reason(), exits]).toEqual([true, "SIGTERM", []]);
  process.emit("SIGINT");
  expect(exits).toEqual([130]);
  stop.release();
  expect(process.eventNames()).toEqual([]);
});

test("what must not outlive the process is ended before it, once", () => {
  const order: string[] = [];
  const source = Object.assign(new EventEmitter(), {
    exit: (code: number) => void order.push(`exit ${code}`),
  });
  const stop = createStopSignal(source);
  stop.onExit(() => order.push("cleaned up"));
  source.emit("SIGINT");
  expect(order).toEqual([]);
  source.emit("SIGINT");
  stop.release();
  expect(order).toEqual(["cleaned up", "exit 130"]);
});

test("a run that ends by itself cleans up as well", () => {
  const stop = createStopSignal(source().source);
  let cleanUps = 0;
  stop.onExit(() => cleanUps++);
  stop.release();
  expect(cleanUps).toBe(1);
});

test("a stop that hangs ends with the process after the deadline", () => {
  const { exits, source: process } = source();
  createStopSignal(process);
  process.emit("SIGINT");
  vi.advanceTimersByTime(4_999);
  expect(exits).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(exits).toEqual([130]);
});

test("a closed pipe stops once, however many writes report it", () => {
  const { exits, source: process } = source();
  const stop = createStopSignal(process);
  stop.stop("SIGPIPE");
  stop.stop("SIGPIPE");
  expect([stop.reason(), exits]).toEqual(["SIGPIPE", []]);
  stop.release();
});

test("the program waits for what it began, also for what that begins, and forgets what is done", async () => {
  const stop = createStopSignal(source().source);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  stop.waitFor(first.promise);
  const settled = stop.settled().then(() => order.push("settled"));
  stop.waitFor(second.promise);
  first.reject(new Error("no luck"));
  // More turns than a chain of waits would take.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  order.push("second");
  second.resolve();
  await settled;
  expect(order).toEqual(["second", "settled"]);
  await stop.settled();
  stop.release();
});
