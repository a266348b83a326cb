import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { killTree } from "./kill-tree.ts";

/** The signals that are sent to process groups until `work` is over. */
async function signalsDuring(work: () => Promise<void>): Promise<readonly unknown[]> {
  const kill = process.kill.bind(process);
  const signals: unknown[] = [];
  const spy = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    if (pid < 0 && signal !== 0) signals.push(signal);
    return kill(pid, signal);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return signals;
}

test("B174: a command that ends at once gets no second signal, and no timer is left", async () => {
  const timersBefore = timers();
  const child = spawn("sleep", ["71.25"], { detached: true, stdio: "ignore" });
  const exited = once(child, "exit");
  await once(child, "spawn");
  const signals = await signalsDuring(() => killTree({ pid: child.pid ?? 0, exited }));
  expect(signals).toEqual(["SIGTERM"]);
  expect(timers()).toBe(timersBefore);
});

test("B174: what its leader left behind does get one", async () => {
  const script = "(trap '' TERM; echo ready; exec sleep 72.25) & exec sleep 73.25";
  const child = spawn("sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const signals = await signalsDuring(() => killTree({ pid: child.pid ?? 0, exited }));
  expect(signals).toEqual(["SIGTERM", "SIGKILL"]);
  await exited;
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}
