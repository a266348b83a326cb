import { expect, onTestFinished, test, vi } from "vitest";
import { LongWait } from "./long-wait.ts";

function createWait() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: (string | undefined)[] = [];
  const wait = new LongWait((text) => told.push(text));
  return { wait, told: () => told.splice(0) };
}

test("what takes long is told after one and a half seconds, and taken away when it ends", () => {
  const { wait, told } = createWait();
  const end = wait.begin("the oak");
  vi.advanceTimersByTime(1_499);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told()).toEqual(["Waiting for the oak …"]);
  end();
  expect(told()).toEqual([undefined]);
  end();
  expect(told()).toEqual([]);
});

test("what ends in time is never told; what follows takes the place of what nobody waits for any more", () => {
  const { wait, told } = createWait();
  wait.begin("the ash")();
  const endOak = wait.begin("the oak");
  vi.advanceTimersByTime(2_000);
  const endBirch = wait.begin("the birch");
  expect(told()).toEqual(["Waiting for the oak …", undefined]);
  endOak();
  vi.advanceTimersByTime(2_000);
  expect(told()).toEqual(["Waiting for the birch …"]);
  endBirch();
  expect(told()).toEqual([undefined]);
});
