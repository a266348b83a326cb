import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, JsonlRepo } from "@coppice/session";
import { expect, test } from "vitest";
import {
  compactionsOf,
  model,
  type Stage,
  SUMMARY_MS,
  stage,
  untilCompacted,
  untilStarted,
} from "../../test/background-stage.ts";
import { DirectFiles, entriesIn } from "../../test/direct-files.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";

const summaryCalls = ({ calls }: Stage) => calls.filter(({ isSummary }) => isSummary).length;

test("prepared at 80 % of the trigger, swapped in without a wait, paid once", async () => {
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
  expect((await on.agent.getContext()).messages[0]).toMatchObject({ role: "compactionSummary" });
  expect((await on.agent.getContextUsage()).tokens).toBeLessThan(24_000);
});

test("swapped in with one append: the compaction and the results that it shows shorter come in the same write", async () => {
  const files = new DirectFiles();
  const repo = new JsonlRepo({ directory: await temporaryFolder(), fileSystem: files, fsync: "off" });
  const on = await stage({ session: await repo.create({ cwd: "/project" }) });
  await on.clock.run(async () => {
    await untilStarted(on);
    await on.turn({ ms: 30_000, tokens: 100, lookTokens: 22_000 });
    await on.agent.dispose();
  });
  expect(on.states()).toEqual(["started", "ready", "used"]);
  const appends = files.appends.map(({ text }) => entriesIn(text));
  const swaps = appends.filter((entries) => entries.some((entry) => isEntry(entry, "compaction")));
  expect(swaps.map((entries) => entries.map(({ type }) => type))).toEqual([["context_edit", "compaction"]]);
  expect(swaps[0]?.at(-1)).toMatchObject({ checkpoint: { ownEdits: 1 } });
  expect(appends.flat().filter((entry) => isEntry(entry, "context_edit"))).toHaveLength(1);
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
