import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { piSubject } from "./pi-subject.ts";
import { reportOf } from "./report.ts";
import { runEval } from "./run-eval.ts";
import type { SubjectKind } from "./subject.ts";

/** Says nothing and knows nothing; fails in its n-th session. */
function silent(name: string, failsIn = Number.POSITIVE_INFINITY): SubjectKind & { started: number } {
  return {
    name,
    started: 0,
    async start() {
      const session = ++this.started;
      return {
        async say() {
          if (session === failsIn) throw new Error("it broke");
        },
        compactions: async () => 1,
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

const options = { sessions: 2, compactions: 1, seed: 1 };

test("an agent that fails keeps what it lived through before, and the others go on", async () => {
  const kinds = [silent("first", 2), silent("second")];
  const outcomes = await runEval({ ...options, kinds });
  expect(outcomes.map(({ agent, sessions, failure }) => [agent, sessions.length, failure])).toEqual([
    ["first", 1, "it broke"],
    ["second", 2, undefined],
  ]);
  const report = reportOf(outcomes);
  expect(report).toContain("| first | values | 24 |");
  expect(report).toContain("| second | values | 48 |");
  expect(report).toMatch(/^first: failed in session 2: it broke$/m);
});

test("an agent that is not installed is told before anything is run, with the way to get it", async () => {
  const own = silent("own");
  for (const command of [["pi-that-nobody-has"], [process.execPath, "/no/such/pi.js"]] as const) {
    const kinds = [own, piSubject({ command, path: "/no/such/folder:/usr/bin" })];
    const failing = runEval({ ...options, kinds });
    await expect(failing).rejects.toMatchObject({
      code: "no_program",
      exitCode: 2,
      message: `pi cannot be evaluated: there is no program "${command.at(-1)}"`,
      advice: expect.stringMatching(/`npm install -g @earendil-works\/pi-coding-agent@\d+\.\d+\.\d+`/),
    });
  }
  expect(own.started).toBe(0);
});

test("stopped, it has no outcome", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(runEval({ ...options, kinds: [silent("own")], signal })).rejects.toThrow("stopped");
});

test("a process that ends within a turn takes the folder of the session with it", async () => {
  const cleanUps: (() => void)[] = [];
  const said = Promise.withResolvers<string>();
  const turn = Promise.withResolvers<void>();
  const kind: SubjectKind = {
    name: "slow",
    start: async ({ project }) => ({
      say: () => {
        said.resolve(project);
        return turn.promise;
      },
      compactions: async () => 1,
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  const running = runEval({ ...options, kinds: [kind], onExit: (one) => void cleanUps.push(one) });
  const project = await said.promise;
  expect(existsSync(project)).toBe(true);
  for (const cleanUp of cleanUps) cleanUp();
  expect(existsSync(join(project, ".."))).toBe(false);
  turn.reject(new Error("it ended"));
  await running;
});

test("stopped within a turn of pi, it ends that process and leaves no folder", {
  timeout: 20_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "coppice-hung-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [script, started] = [join(folder, "hung.sh"), join(folder, "started")];
  await writeFile(
    script,
    `#!/bin/sh\necho "$$ $PWD" > "${started}.new" && mv "${started}.new" "${started}"\nexec sleep 60\n`,
  );
  await chmod(script, 0o700);
  const controller = new AbortController();
  const kinds = [piSubject({ command: [script], path: process.env.PATH ?? "" })];
  const running = runEval({ ...options, kinds, signal: controller.signal });
  const written = await vi.waitFor(() => readFile(started, "utf8"), 10_000);
  controller.abort(new Error("stopped"));
  await expect(running).rejects.toThrow();
  const [pid, ...words] = written.trim().split(" ");
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  expect(existsSync(join(words.join(" "), ".."))).toBe(false);
});
