import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { createLocalEnvironment } from "./local-environment.ts";

test("killAll ends running commands at once, also those that ignore SIGTERM", async () => {
  const { shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const pids: number[] = [];
  const command = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; sleep 64.25'; echo never";
  const exit = await shell.run(command, {
    cwd: tmpdir(),
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      pids.push(Number.parseInt(new TextDecoder().decode(chunk), 10));
      shell.killAll();
    },
  });
  expect(exit).toEqual({ exitCode: undefined, signal: "SIGKILL", reason: "exited" });
  expect(pids).toHaveLength(1);
  await expect.poll(() => isAlive(pids[0] ?? 0)).toBe(false);
});

test("TO-15: background children go on after their command, and end with the program", async () => {
  const { shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  let text = "";
  const exit = await shell.run("sleep 65.25 & echo $!; nohup sh -c 'sleep 66.25; echo never' & echo $!", {
    cwd: tmpdir(),
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      text += new TextDecoder().decode(chunk);
    },
  });
  expect(exit).toEqual({ exitCode: 0, signal: undefined, reason: "exited" });
  const pids = (text.match(/^\d+$/gm) ?? []).map(Number);
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
  shell.killAll();
  await expect.poll(() => Promise.all(pids.map(isAlive)), { timeout: 20_000 }).toEqual([false, false]);
});

test("TO-15: the number of a group that is empty by now is never signalled", async () => {
  const { shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  const signalled: (number | string | undefined)[][] = [];
  const run = (command: string) =>
    shell.run(command, {
      cwd: tmpdir(),
      signal: new AbortController().signal,
      onOutput: () => undefined,
    });
  await run("true");
  await run("sleep 0.01 & exit 0");
  const spy = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    signalled.push([pid, signal]);
    // Every number is a living process: somebody else's.
    return true;
  });
  shell.killAll();
  spy.mockRestore();
  expect(signalled.filter(([, signal]) => signal !== 0)).toEqual([]);
});

/** A dead process that nobody has waited for yet has no command line any more. */
async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")) !== "";
}
