import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
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

test("killAll leaves commands alone that are over", async () => {
  const { shell } = createLocalEnvironment({ environmentVariables: { PATH: "/usr/bin:/bin" } });
  let text = "";
  await shell.run("sleep 65.25 & echo $!", {
    cwd: tmpdir(),
    signal: new AbortController().signal,
    onOutput: (chunk) => {
      text += new TextDecoder().decode(chunk);
    },
  });
  shell.killAll();
  const pid = Number.parseInt(text, 10);
  expect(await isAlive(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

/** A dead process that nobody has waited for yet has no command line any more. */
async function isAlive(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")) !== "";
}
