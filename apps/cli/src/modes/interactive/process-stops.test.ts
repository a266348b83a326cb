import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { handleStops, type StopSource } from "./process-stops.ts";

function createStops(platform: NodeJS.Platform = "linux") {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const signals = new EventEmitter();
  const source: StopSource = {
    pid: 7,
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    kill: (pid, signal) => log.push(`${signal} to ${pid}, ${signals.listenerCount(signal)} listening`),
  };
  const tui = {
    start: () => void log.push("start"),
    stop: () => void log.push("stop"),
    requestRender: (isForced?: boolean) => void log.push(isForced === true ? "draw all" : "draw"),
  };
  return { stops: handleStops(tui, source, { platform }), signals, log };
}

const SUSPENDED = ["stop", "SIGTSTP to 7, 0 listening"];

test("UI-22, UI-08, CL-14: a stop from outside gives the terminal back as Ctrl+Z does, and going on draws all of it", () => {
  const { signals, log } = createStops();
  for (const _ of ["once", "and again"]) {
    signals.emit("SIGTSTP");
    expect(log).toEqual(SUSPENDED);
    signals.emit("SIGCONT");
    vi.advanceTimersByTime(1_000);
    expect(log.splice(0)).toEqual([...SUSPENDED, "start", "draw all"]);
  }
});

test("UI-22: where the system does not stop the process, it goes on by itself; Windows knows no stops", () => {
  const { stops, log } = createStops();
  stops.suspend();
  stops.suspend();
  vi.advanceTimersByTime(1_000);
  expect(log).toEqual([...SUSPENDED, "start", "draw all"]);
  const windows = createStops("win32");
  windows.stops.suspend();
  expect(windows.log).toEqual([]);
});

test("UI-22: what a stop that is over had planned does not end the next one", () => {
  const { stops, signals, log } = createStops();
  stops.suspend();
  signals.emit("SIGCONT");
  vi.advanceTimersByTime(50);
  log.length = 0;
  stops.suspend();
  vi.advanceTimersByTime(60);
  expect(log).toEqual(SUSPENDED);
  vi.advanceTimersByTime(40);
  expect(log).toEqual([...SUSPENDED, "start", "draw all"]);
});

test("UI-22: a terminal that is given back while another program has it is not taken over again", async () => {
  const { stops, signals, log } = createStops();
  await stops.lend(async () => stops.release());
  expect(log).toEqual(["stop"]);
  expect([signals.listenerCount("SIGTSTP"), signals.listenerCount("SIGCONT")]).toEqual([0, 0]);
});

test("UI-22: after a stop that cannot be caught, the terminal is taken over anew", () => {
  const { signals, log } = createStops();
  signals.emit("SIGCONT");
  expect(log).toEqual(["stop", "start", "draw all"]);
});

test("UI-22: while another program has the terminal, and once it is given back, signals do what they do by default", async () => {
  const { stops, signals, log } = createStops();
  const heard = () => [signals.listenerCount("SIGTSTP"), signals.listenerCount("SIGCONT")];
  await expect(
    stops.lend(async () => {
      expect(heard()).toEqual([0, 0]);
      throw new Error("the editor failed");
    }),
  ).rejects.toThrow("the editor failed");
  expect(log).toEqual(["stop", "start", "draw all"]);
  expect(heard()).toEqual([1, 1]);
  stops.suspend();
  stops.release();
  vi.advanceTimersByTime(1_000);
  expect(heard()).toEqual([0, 0]);
  expect(log).toEqual(["stop", "start", "draw all", ...SUSPENDED]);
});
