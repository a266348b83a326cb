import type { AgentMessage } from "@coppice/agent";
import type { AgentHarness } from "@coppice/coding-agent";
import { expect, test } from "vitest";
import { Prompting } from "./prompting.ts";

/** An agent that runs until it is told to end, and stops when it is told to. */
function createPrompting() {
  const log: string[] = [];
  const failures: unknown[] = [];
  let queued: AgentMessage[] = [];
  let run = Promise.withResolvers<void>();
  let isBusy = false;
  const queue = (kind: string) => (text: string) => {
    log.push(`${kind}(${text})`);
    queued.push({ role: "user", content: text, timestamp: 0 });
  };
  const agent = {
    get isBusy() {
      return isBusy;
    },
    session: { cwd: "/nowhere" },
    prompt: (text: string) => {
      log.push(`prompt(${text})`);
      isBusy = true;
      run = Promise.withResolvers();
      return run.promise;
    },
    ...{ steer: queue("steer"), followUp: queue("followUp") },
    clearQueue: () => queued.splice(0),
    abort: () => {
      log.push("abort");
      return run.promise;
    },
  };
  let held: readonly string[] = [];
  const prompting = new Prompting({
    agent: () => agent as unknown as AgentHarness,
    views: {
      editor: { prepend: (texts) => void log.push(`editor(${texts.join(", ")})`) },
      working: { show: () => {}, hide: () => {} },
      queue: {
        hold: (texts) => {
          held = texts;
        },
      },
    },
    fail: (error) => failures.push(error),
  });
  const settle = async () => {
    isBusy = false;
    queued = [];
    run.resolve();
    await new Promise(setImmediate);
  };
  return { prompting, log, held: () => held, settle, failures };
}

test("UI-13: what is sent while a run is stopping is shown, and goes out once the stop is over", async () => {
  const { prompting, log, held, settle } = createPrompting();
  prompting.send("work", "steer");
  prompting.send("and this", "steer");
  expect(prompting.interrupt()).toBe(true);
  prompting.send("something else", "steer");
  prompting.send("and then", "followUp");
  expect(held()).toEqual(["something else", "and then"]);
  await settle();
  expect(held()).toEqual([]);
  expect(log).toEqual([
    ...["prompt(work)", "steer(and this)", "editor(and this)", "abort"],
    ...["prompt(something else)", "followUp(and then)"],
  ]);
});

test("UI-13: what waits for the end of a stop comes back like all that is queued; a second Esc stops again", async () => {
  const { prompting, log, held, settle, failures } = createPrompting();
  prompting.send("work", "steer");
  prompting.interrupt();
  prompting.send("no", "steer");
  expect(prompting.retract()).toBe(true);
  expect(prompting.retract()).toBe(false);
  prompting.send("neither", "steer");
  prompting.interrupt();
  expect(held()).toEqual([]);
  await settle();
  prompting.send("but this", "steer");
  expect(log).toEqual([
    ...["prompt(work)", "abort", "editor(no)", "editor(neither)", "abort", "prompt(but this)"],
  ]);
  expect(failures).toEqual([]);
});
