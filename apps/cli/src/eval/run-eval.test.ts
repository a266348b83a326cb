import { expect, test } from "vitest";
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
