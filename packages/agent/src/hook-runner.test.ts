import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { HookBlockedError, type HookFailure, HookRunner, type HookSource, runHook } from "./hook-runner.ts";
import { defineHooks, hook } from "./hook-table.ts";
import { type AgentHooks, agentHooks, type ContextDraft, type ToolCallVerdict } from "./hooks.ts";

const table = defineHooks({
  watch: hook<string, void, "observe">("observe"),
  shape: hook<readonly string[], readonly string[], "pipe">("pipe"),
  decide: hook<{ n: number }, string, "first">("first"),
  fill: hook<{ a: number; b?: number }, Partial<{ a: number; b: number }>, "patch">("patch"),
  guard: hook<string, { block: boolean }, "first">("first", {
    guard: true,
    decides: (answer) => answer.block,
  }),
});
const { signal } = new AbortController();
function runner(options: { observerTimeoutMs?: number } = {}) {
  const failures: HookFailure[] = [];
  return {
    hooks: new HookRunner(table, { onFailure: (failure) => failures.push(failure), ...options }),
    failures,
  };
}

describe("policies", () => {
  test("observe: all run in order of registration, each awaited, answers ignored", async () => {
    const { hooks } = runner();
    const order: string[] = [];
    hooks.on("watch", async (input) => {
      await Promise.resolve();
      order.push(`slow ${input}`);
    });
    hooks.on("watch", (input) => void order.push(`quick ${input}`));
    expect(await hooks.run("watch", "x", signal)).toBe(undefined);
    expect(order).toEqual(["slow x", "quick x"]);
  });

  test("pipe: each answer feeds the next; no answer passes the value on", async () => {
    const { hooks } = runner();
    hooks.on("shape", (list) => [...list, "1"]);
    hooks.on("shape", () => undefined);
    hooks.on("shape", async (list) => [...list, "2"]);
    expect(await hooks.run("shape", ["0"], signal)).toEqual(["0", "1", "2"]);
  });

  test("first: the first answer wins and the rest are not asked", async () => {
    const { hooks } = runner();
    const last = vi.fn(() => "late");
    hooks.on("decide", () => undefined);
    hooks.on("decide", ({ n }) => `got ${n}`);
    hooks.on("decide", last);
    expect(await hooks.run("decide", { n: 1 }, signal)).toBe("got 1");
    expect(last).not.toHaveBeenCalled();
  });

  test("first with `decides`: an answer that does not decide lets a later guard speak", async () => {
    const { hooks } = runner();
    hooks.on("guard", () => ({ block: false }));
    hooks.on("guard", () => ({ block: true }));
    expect(await hooks.run("guard", "x", signal)).toEqual({ block: true });
  });

  test("patch: given fields replace those of the value in order; undefined fields do not", async () => {
    const { hooks } = runner();
    hooks.on("fill", () => ({ a: 2, b: 2 }));
    hooks.on("fill", ({ a }) => ({ a: a + 1, b: undefined as never }));
    expect(await hooks.run("fill", { a: 1 }, signal)).toEqual({ a: 3, b: 2 });
  });

  test("without handlers: the value for pipe and patch, nothing for the others", async () => {
    const { hooks } = runner();
    expect(await hooks.run("shape", ["0"], signal)).toEqual(["0"]);
    expect(await hooks.run("fill", { a: 1 }, signal)).toEqual({ a: 1 });
    expect(await hooks.run("decide", { n: 1 }, signal)).toBe(undefined);
    expect(await hooks.run("watch", "x", signal)).toBe(undefined);
  });
});

describe("failures", () => {
  test("B229: a guard that throws blocks, with the hook and its owner named", async () => {
    const { hooks, failures } = runner();
    hooks.on("guard", () => Promise.reject(new Error("down")), { owner: "permissions" });
    const error = await hooks.run("guard", "x", signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HookBlockedError);
    expect((error as Error).message).toBe("Hook guard of permissions failed: down");
    expect(failures).toEqual([]);
  });

  test.each(["watch", "shape", "decide", "fill"] as const)(
    "%s: a handler that throws is reported and skipped",
    async (name) => {
      const { hooks, failures } = runner();
      const error = new Error("down");
      hooks.on(
        name,
        () => {
          throw error;
        },
        { owner: "me" },
      );
      await hooks.dispatch(name, { a: 1 }, signal);
      expect(failures).toEqual([{ hook: name, owner: "me", error }]);
    },
  );

  test("B232: an observer that never ends is reported after its time and no longer waited for", async () => {
    vi.useFakeTimers();
    try {
      const { hooks, failures } = runner({ observerTimeoutMs: 50 });
      hooks.on("watch", () => new Promise(() => undefined), { owner: "stuck" });
      const done = hooks.run("watch", "x", signal);
      await vi.advanceTimersByTimeAsync(50);
      await done;
      expect(failures).toEqual([
        { hook: "watch", owner: "stuck", error: new Error("not finished after 50 ms") },
      ]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a hook that the table does not declare is the caller's error", async () => {
    const { hooks } = runner();
    await expect(hooks.dispatch("toString", 1, signal)).rejects.toThrow('There is no hook "toString".');
  });
});

test("AG-19: handlers that come and go during a run of the hook count from the next run", async () => {
  const { hooks } = runner();
  const order: string[] = [];
  const off = hooks.on("watch", () => {
    order.push("first");
    off();
    hooks.on("watch", () => void order.push("added"));
  });
  hooks.on("watch", () => void order.push("second"));
  await hooks.run("watch", "x", signal);
  await hooks.run("watch", "x", signal);
  expect(order).toEqual(["first", "second", "second", "added"]);
});

test("types: answers follow the policy, and a runner of an extended table serves the layer below", async () => {
  const extended = defineHooks({ ...agentHooks, input: hook<string, string, "pipe">("pipe") });
  const hooks = new HookRunner(extended, { onFailure: () => undefined });
  const lower: HookSource<AgentHooks> = hooks;
  const draft = await runHook(lower, "context", { messages: [] }, signal);
  expectTypeOf(draft).toEqualTypeOf<ContextDraft>();
  expectTypeOf(hooks.run("tool_call", null as never, signal)).resolves.toEqualTypeOf<
    ToolCallVerdict | undefined
  >();
  expectTypeOf(
    hooks.run("after_provider_response", null as never, signal),
  ).resolves.toEqualTypeOf<undefined>();
  expect(draft).toEqual({ messages: [] });
});
