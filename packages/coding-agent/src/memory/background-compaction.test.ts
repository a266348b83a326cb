import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type ChatRequest, textOf } from "@coppice/ai";
import { type ScriptedAnswers, scriptedModel } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, JsonlRepo, MemoryRepo, type Session } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { createScenario, type Scenario, type ScenarioOptions } from "../testing/scenario.ts";
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts";

const SUMMARY_MS = 20_000;
/** Window 40,000: the trigger is at 30,000, the summary is begun at 24,000. */
const model = scriptedModel({
  contextWindow: 40_000,
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
});

const isSummaryRequest = ({ messages }: ChatRequest) =>
  textOf(messages.at(-1)?.content ?? "").includes("## Critical Context");

interface Call {
  readonly isSummary: boolean;
  readonly atMs: number;
}

interface Stage extends Scenario {
  readonly clock: VirtualClock;
  readonly session: Session;
  readonly calls: readonly Call[];
  /** Most summary calls that were open at once. */
  readonly mostSummaries: () => number;
  /** What became of prepared summaries, in order. */
  readonly states: () => readonly string[];
  /** Prompts and answers, each turn of this length in virtual time and about `tokens` large. */
  turn(options?: { tokens?: number; ms?: number }): Promise<void>;
}

async function stage(
  options: Partial<ScenarioOptions> & { summary?: () => string | Error } = {},
): Promise<Stage> {
  const { summary = () => goodSummary("Go on."), ...overrides } = options;
  const clock = createVirtualClock();
  const session = options.session ?? (await new MemoryRepo({ now: clock.now }).create({ cwd: "/project" }));
  const calls: Call[] = [];
  let next = { tokens: 2000, ms: 10_000 };
  let open = 0;
  let most = 0;
  const answers: ScriptedAnswers = async (request) => {
    const isSummary = isSummaryRequest(request);
    calls.push({ isSummary, atMs: clock.now() });
    const { tokens, ms } = next;
    const signal = request.signal ?? new AbortController().signal;
    if (!isSummary) {
      await clock.sleep(ms, signal);
      return "word ".repeat(Math.floor(tokens * 0.8));
    }
    most = Math.max(most, ++open);
    await clock.sleep(SUMMARY_MS, signal);
    open--;
    const answer = summary();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { now, sleep } = clock;
  const scenario = await createScenario({ model, answers, now, sleep, ...overrides, session });
  return {
    ...scenario,
    ...{ clock, session, calls },
    mostSummaries: () => most,
    states: () => scenario.eventsOf("background_compaction").map(({ state }) => state),
    async turn({ tokens = 2000, ms = 10_000 } = {}) {
      next = { tokens, ms };
      await scenario.agent.prompt("next");
    },
  };
}

/** Turns until a summary is begun. */
async function untilStarted({ turn, states }: Stage): Promise<void> {
  for (let count = 0; !states().includes("started") && count < 30; count++) await turn();
  expect(states()).toEqual(["started"]);
}

async function untilCompacted({ turn, eventsOf }: Stage, options?: { tokens?: number; ms?: number }) {
  const before = eventsOf("compaction_end").length;
  for (let count = 0; eventsOf("compaction_end").length === before && count < 30; count++)
    await turn(options);
  expect(eventsOf("compaction_end").length).toBe(before + 1);
}

const compactionsOf = async (session: Session) =>
  (await session.getEntries()).filter((entry) => isEntry(entry, "compaction"));
const summaryCalls = ({ calls }: Stage) => calls.filter(({ isSummary }) => isSummary).length;

test("prepared at 80 % of the trigger, swapped in with one append without a wait, paid once", async () => {
  const on = await stage();
  await on.clock.run(async () => {
    await untilStarted(on);
    const { tokens, triggerTokens } = await on.agent.getContextUsage();
    expect(tokens).toBeGreaterThan(triggerTokens * 0.8);
    expect(tokens).toBeLessThan(triggerTokens);
    await untilCompacted(on);
  });
  expect(on.states()).toEqual(["started", "ready", "used"]);
  expect(summaryCalls(on)).toBe(1);
  const [compaction, ...others] = await compactionsOf(on.session);
  expect(others).toEqual([]);
  const entries = await on.session.getEntries();
  const usages = entries.filter((entry) => isEntry(entry, "usage"));
  expect(usages).toMatchObject([{ kind: "compaction", model: model.id }]);
  expect(compaction).not.toHaveProperty("usage");
  const [ready] = on.eventsOf("background_compaction").filter(({ state }) => state === "ready");
  expect(usages[0]).toMatchObject({ usage: ready?.usage });
  const at = entries.findIndex((entry) => entry.id === compaction?.id);
  expect(entries.slice(at - 1, at + 1).map(({ timestamp }) => timestamp)).toHaveLength(2);
  expect((await on.agent.getContext()).messages[0]).toMatchObject({ role: "compactionSummary" });
  expect((await on.agent.getContextUsage()).tokens).toBeLessThan(24_000);
});

test("a trigger that comes before the summary waits only for the rest of it", async () => {
  const on = await stage();
  let promptedMs = 0;
  let startedMs = 0;
  on.agent.subscribe((event) => {
    if (event.type === "background_compaction" && event.state === "started") startedMs = on.clock.now();
  });
  await on.clock.run(async () => {
    await untilStarted(on);
    await on.turn({ tokens: 8000, ms: 5000 });
    promptedMs = on.clock.now();
    await on.turn();
  });
  expect(on.states()).toEqual(["started", "ready", "used"]);
  const call = on.calls.findLast(({ isSummary }) => !isSummary);
  expect((call?.atMs ?? 0) - promptedMs).toBe(SUMMARY_MS - (promptedMs - startedMs));
});

test("a summary that fails is told, not asked for again in that prompt, and made anew at the trigger", async () => {
  let broken = true;
  const on = await stage({ summary: () => (broken ? "I cannot do that." : goodSummary("Go on.")) });
  await on.clock.run(async () => {
    await untilStarted(on);
    await on.turn({ tokens: 100, ms: 50_000 });
    expect(on.states()).toEqual(["started", "failed"]);
    broken = false;
    await on.turn({ tokens: 8000, ms: 1000 });
    await untilCompacted(on);
  });
  expect(await compactionsOf(on.session)).toHaveLength(1);
  expect((await on.agent.getContext()).messages[0]).toMatchObject({ role: "compactionSummary" });
});

test("a prompt that is aborted while it waits leaves the session as it was; the next one uses the summary", async () => {
  const on = await stage();
  await on.clock.run(async () => {
    await untilStarted(on);
    await on.turn({ tokens: 8000, ms: 1000 });
    const running = on.turn();
    await on.clock.sleep(2000, new AbortController().signal);
    await on.agent.abort();
    await running;
    expect(await compactionsOf(on.session)).toEqual([]);
    await on.turn();
  });
  expect(on.states()).toEqual(["started", "ready", "used"]);
  expect(summaryCalls(on)).toBe(1);
});

test("leaving the branch drops it and stops the call; so do a compaction by hand and a smaller window", async () => {
  const leave: Record<string, (on: Stage) => Promise<unknown>> = {
    branch: async ({ agent, session }) => agent.navigate((await session.getBranchIds())[3] ?? null),
    compact: ({ agent }) => agent.compact(),
    draft: ({ agent }) => agent.draftCompaction(),
    "smaller window": ({ agent }) => agent.setModel({ ...model, id: "small", contextWindow: 20_000 }),
    quit: ({ agent }) => agent.dispose(),
  };
  for (const [name, act] of Object.entries(leave)) {
    const on = await stage();
    await on.clock.run(async () => {
      await untilStarted(on);
      await act(on);
    });
    expect([name, on.states()]).toEqual([name, ["started", "dropped"]]);
    expect(on.mostSummaries()).toBe(1);
    expect(await compactionsOf(on.session)).toHaveLength(name === "compact" ? 1 : 0);
  }
});

test("a larger window, a label and more turns leave it in place", async () => {
  const on = await stage();
  await on.clock.run(async () => {
    await untilStarted(on);
    await on.session.appendLabel(on.session.getLeafId() ?? "", "mark");
    await on.agent.setModel({ ...model, id: "large", contextWindow: 60_000 });
    await untilCompacted(on);
  });
  expect(on.states()).toEqual(["started", "ready", "used"]);
});

test("an edit of the span drops it when it is asked for; pins made meanwhile are in the summary all the same", async () => {
  for (const edits of [true, false]) {
    const on = await stage();
    await on.clock.run(async () => {
      await untilStarted(on);
      await on.agent.pin("Never touch the folder vendor/.");
      if (edits) await on.session.appendContextEdit((await on.session.getBranchIds())[5] ?? "", null);
      await untilCompacted(on);
    });
    expect(on.states()).toEqual(["started", "ready", edits ? "dropped" : "used"]);
    const [compaction] = await compactionsOf(on.session);
    expect(compaction).toMatchObject({
      summary: expect.stringMatching(/## Pinned\n- Never touch the folder vendor\/\.$/),
    });
  }
});

test("turned off, or where an extension replaces the step, nothing is begun", async () => {
  const strategy = { name: "own", shrink: async () => undefined };
  const extension = {
    name: "own",
    setup: (api: { registerCompactionStrategy: (one: typeof strategy) => void }) =>
      api.registerCompactionStrategy(strategy),
  };
  for (const options of [{ compaction: { background: false } }, { extensions: [extension] }]) {
    const on = await stage(options);
    await on.clock.run(() => untilCompacted(on));
    expect(on.states()).toEqual([]);
  }
});

test("killed at any moment of it, the file opens whole: without the compaction, or with all of it", async () => {
  const directory = await temporaryFolder();
  const repo = new JsonlRepo({ directory, fsync: "off" });
  const session = await repo.create({ cwd: "/project" });
  const on = await stage({ session });
  const copies: { readonly state: string; readonly path: string }[] = [];
  on.agent.subscribe((event) => {
    const isOfInterest = event.type === "background_compaction" || event.type === "compaction_end";
    if (!isOfInterest || session.path === undefined) return;
    const state = event.type === "compaction_end" ? "stored" : event.state;
    const path = join(directory, `${copies.length}.jsonl`);
    copyFileSync(session.path, path);
    copies.push({ state, path });
  });
  await on.clock.run(async () => {
    await untilStarted(on);
    await untilCompacted(on);
    await on.agent.dispose();
  });
  expect(copies.map(({ state }) => state)).toEqual(["started", "ready", "used", "stored"]);
  for (const { state, path } of copies) {
    const opened = await repo.open(path, { readOnly: true });
    expect(await compactionsOf(opened)).toHaveLength(state === "stored" ? 1 : 0);
    expect((await opened.buildContext()).diagnostics).toEqual([]);
    expect(opened.diagnostics).toEqual([]);
    await opened.close();
  }
});

type Act = "turn" | "large turn" | "abort" | "branch" | "compact" | "undo" | "model" | "wait";

test("whatever happens meanwhile, one summary at most is under way and the session is whole (finish, fail, abort, branch, quit)", async () => {
  const acts = fc.array(
    fc.constantFrom<Act>("turn", "turn", "large turn", "abort", "branch", "compact", "undo", "model", "wait"),
    { minLength: 3, maxLength: 10 },
  );
  await fc.assert(
    fc.asyncProperty(acts, fc.boolean(), async (steps, fails) => {
      const on = await stage({ summary: () => (fails ? "No." : goodSummary("Go on.")) });
      const { agent, session, clock } = on;
      const never = new AbortController().signal;
      const perform: Record<Act, () => Promise<unknown>> = {
        turn: () => on.turn(),
        "large turn": () => on.turn({ tokens: 9000, ms: 1000 }),
        abort: async () => {
          const running = on.turn();
          await clock.sleep(500, never);
          await agent.abort();
          await running;
        },
        branch: async () => agent.navigate((await session.getBranchIds()).at(-4) ?? null),
        compact: () => agent.compact(),
        undo: () => agent.undoCompaction(),
        model: () => agent.setModel({ ...model, contextWindow: 20_000 + 1000 * steps.length }),
        wait: () => clock.sleep(7000, never),
      };
      await clock.run(async () => {
        for (let count = 0; !on.states().includes("started") && count < 14; count++) await on.turn();
        for (const act of steps) {
          // A refusal (nothing to compact, nothing to undo) is an answer.
          await perform[act]().catch((error: unknown) => expect(error).toHaveProperty("code"));
        }
        await agent.dispose();
      });
      expect(on.mostSummaries()).toBeLessThanOrEqual(1);
      // Each call that was begun came to an end that was told.
      const states = on.states();
      const count = (state: string) => states.filter((one) => one === state).length;
      expect(count("used") + count("dropped") + count("failed")).toBe(count("started"));
      const boundaries = await compactionsOf(session);
      for (const entry of boundaries) {
        const branch = await session.getBranchIds(entry.id);
        expect(branch).toContain(entry.firstKeptEntryId);
      }
      // What was paid in the background is paid once.
      const entries = await session.getEntries();
      const usages = entries.filter((entry) => isEntry(entry, "usage")).length;
      expect(usages).toBeLessThanOrEqual(count("started"));
      expect((await session.buildContext()).diagnostics).toEqual([]);
    }),
    { numRuns: 20 },
  );
}, 300_000);
