import { copyFileSync, mkdirSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { toolCallsOf } from "@coppice/ai";
import { isCompactionError } from "@coppice/compaction";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, JsonlRepo, type Session } from "@coppice/session";
import fc from "fast-check";
import { expect, test } from "vitest";
import { model, type Stage, stage } from "../../test/background-stage.ts";
import { type Append, DirectFiles, entriesIn } from "../../test/direct-files.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { CodingAgentError } from "../errors.ts";
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts";

/** What a summary call comes to. */
type Outcome = "good" | "no summary" | "error";

type Act =
  | { readonly do: "turn" | "large turn" | "looking turn" | "compact" | "undo" | "redo" | "quit" }
  | { readonly do: "wait" | "abort" | "kill"; readonly ms: number }
  | { readonly do: "branch" | "edit"; readonly back: number }
  | { readonly do: "window"; readonly tokens: number };

const ANSWERS: Readonly<Record<Outcome, () => string | Error>> = {
  good: () => goodSummary("Go on."),
  "no summary": () => "No.",
  error: () => new Error("The network is gone."),
};
const NEVER = new AbortController().signal;
/** Turns of 5,000 tokens until a summary is begun at 24,000, and some more. */
const SETTLED_TURNS = 7;

const ms = fc.integer({ min: 0, max: 25_000 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ do: "turn" }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Act>({ do: "large turn" }, { do: "looking turn" }),
  },
  { weight: 3, arbitrary: ms.map((after): Act => ({ do: "kill", ms: after })) },
  { weight: 1, arbitrary: ms.map((after): Act => ({ do: "abort", ms: after })) },
  { weight: 1, arbitrary: ms.map((after): Act => ({ do: "wait", ms: after })) },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ do: "compact" }, { do: "undo" }, { do: "redo" }) },
  { weight: 1, arbitrary: fc.constant<Act>({ do: "quit" }) },
  { weight: 1, arbitrary: fc.nat(9).map((back): Act => ({ do: "branch", back })) },
  { weight: 1, arbitrary: fc.nat(9).map((back): Act => ({ do: "edit", back })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 20_000, max: 60_000 }).map((tokens): Act => ({ do: "window", tokens })),
  },
);

/** Opens whole, shows at most one summary, and no compaction follows another without a word between them. */
async function checkWhole(session: Session): Promise<void> {
  expect(session.diagnostics).toEqual([]);
  const { messages, diagnostics } = await session.buildContext();
  expect(diagnostics).toEqual([]);
  const summaries = messages.flatMap(({ role }, at) => (role === "compactionSummary" ? [at] : []));
  expect(summaries.length === 0 || summaries.join() === "0").toBe(true);
  const called = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const { id } of toolCallsOf(message)) called.add(id);
    if (message.role === "toolResult") expect(called).toContain(message.toolCallId);
  }
  for (const entry of await session.getEntries()) {
    if (!isEntry(entry, "compaction")) continue;
    const branch = await session.getBranch(entry.id);
    expect(branch.map(({ id }) => id)).toContain(entry.firstKeptEntryId);
    const before = branch.slice(0, -1).findLast(({ type }) => type === "message" || type === "compaction");
    expect(before?.type).toBe("message");
  }
}

/** A session on disk and the agents that lived in it, one after the other. */
class Lives {
  readonly clock: VirtualClock;
  readonly #directory: string;
  readonly #outcomes: readonly Outcome[];
  #summaries = 0;
  #lives = 0;
  #ids = 0;
  /** Of this life. */
  #appends: readonly Append[] = [];
  #on: Stage | undefined;
  #usagesBefore = 0;

  constructor(directory: string, outcomes: readonly Outcome[]) {
    this.clock = createVirtualClock();
    this.#directory = directory;
    this.#outcomes = outcomes;
  }

  get on(): Stage {
    if (this.#on === undefined) throw new Error("Nobody lives.");
    return this.#on;
  }

  async begin(): Promise<void> {
    const files = new DirectFiles();
    this.#appends = files.appends;
    this.#on = await this.#stage(await this.#repo(files).create({ cwd: "/project" }));
  }

  async perform(one: Act): Promise<void> {
    const { on, clock } = this;
    const { agent, session } = on;
    if (one.do === "kill") return this.#kill(one.ms);
    if (one.do === "quit") return this.#quit();
    if (one.do === "turn") return on.turn();
    if (one.do === "large turn") return on.turn({ tokens: 9000, ms: 1000 });
    if (one.do === "looking turn") return on.turn({ ms: 4000, lookTokens: 12_000 });
    if (one.do === "wait") return clock.sleep(one.ms, NEVER);
    if (one.do === "window") {
      await agent.setModel({ ...model, id: `w${one.tokens}`, contextWindow: one.tokens });
    } else if (one.do === "branch") {
      await agent.navigate((await session.getBranchIds()).at(-1 - one.back) ?? null);
    } else if (one.do === "edit") {
      const said = (await session.getBranch()).filter((entry) => isEntry(entry, "message"));
      const target = said.at(-1 - one.back);
      if (target !== undefined) await agent.editEntry(target.id, "hide");
    } else if (one.do === "abort") {
      const running = on.turn();
      await clock.sleep(one.ms, NEVER);
      await agent.abort();
      await running;
    } else if (one.do === "compact") await agent.compact();
    else if (one.do === "undo") await agent.undoCompaction();
    else await agent.redoCompaction();
  }

  /** Every moment of this life at which a compaction, an edit or a price was being written, as a file that ends there. */
  async #checkMoments(): Promise<void> {
    const path = this.on.session.path ?? "";
    const telling = this.#appends.filter(
      (one) =>
        one.path === path &&
        entriesIn(one.text).some(({ type }) => ["compaction", "context_edit", "usage"].includes(type)),
    );
    for (const { at, text } of telling) {
      for (const size of [at, at + Buffer.byteLength(text)]) await this.#checkEndingAt(path, size);
    }
  }

  async end(): Promise<void> {
    const { agent, session } = this.on;
    await agent.dispose();
    await session.close();
    const written = await this.#repo().open(session.path ?? "", { readOnly: true });
    await this.#checkAccounts(written);
    await checkWhole(written);
    await written.close();
    await this.#checkMoments();
  }

  /** Each call that was begun came to an end that was told, was never the second at once, and was paid once. */
  async #checkAccounts(session: Session): Promise<void> {
    const { states, mostSummaries } = this.on;
    const count = (...wanted: readonly string[]) => states().filter((one) => wanted.includes(one)).length;
    expect(mostSummaries()).toBeLessThanOrEqual(1);
    expect(count("used", "dropped", "failed")).toBe(count("started"));
    const paid = (await usagesOf(session)) - this.#usagesBefore;
    expect(paid).toBeLessThanOrEqual(count("started"));
  }

  /** In the middle of a turn the folder is all that is left; another agent goes on with it. */
  async #kill(afterMs: number): Promise<void> {
    const { on } = this;
    const running = on.turn({ ms: 9000, lookTokens: 3000 });
    await this.clock.sleep(afterMs, NEVER);
    const copy = this.#copyOf(on.session.path ?? "");
    // What the old one does from here on is of another world.
    await on.agent.abort();
    await running;
    await this.end();
    await this.#goOn(copy);
  }

  async #quit(): Promise<void> {
    const { path = "" } = this.on.session;
    await this.end();
    await this.#goOn(path);
  }

  async #goOn(path: string): Promise<void> {
    const files = new DirectFiles();
    this.#appends = files.appends;
    const session = await this.#repo(files).open(path);
    await checkWhole(session);
    this.#on = await this.#stage(session);
    this.#usagesBefore = await usagesOf(session);
    await this.#checkNextPrompt();
  }

  async #checkNextPrompt(): Promise<void> {
    const { agent } = this.on;
    await this.on.turn({ tokens: 50, ms: 10 });
    expect((await agent.getContext()).messages.at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "stop",
    });
    await checkWhole(agent.session);
  }

  async #checkEndingAt(path: string, size: number): Promise<void> {
    const copy = this.#copyOf(path);
    truncateSync(copy, size);
    const session = await this.#repo().open(copy, { readOnly: true });
    await checkWhole(session);
    await session.close();
  }

  /** At once: while the disk is waited for, the clock of a turn under way could move on. */
  #copyOf(path: string): string {
    const folder = join(this.#directory, `copy-${++this.#lives}`);
    mkdirSync(folder);
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    return copy;
  }

  #repo(files = new DirectFiles()): JsonlRepo {
    return new JsonlRepo({
      ...{ directory: this.#directory, fileSystem: files, fsync: "off", now: this.clock.now },
      newId: () => (++this.#ids).toString(16).padStart(16, "0"),
    });
  }

  #stage(session: Session): Promise<Stage> {
    const summary = () => ANSWERS[this.#outcomes[this.#summaries++ % this.#outcomes.length] ?? "good"]();
    return stage({ session, clock: this.clock, summary });
  }
}

async function usagesOf(session: Session): Promise<number> {
  return (await session.getEntries()).filter(({ type }) => type === "usage").length;
}

/** That there is nothing to compact, undo, redo or edit is an answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof CodingAgentError || isCompactionError(error);
}

test("whatever happens while a summary is made, the file is whole (finish, fail, abort, branch, edit, quit, kill)", async () => {
  const outcomes = fc.array(fc.constantFrom<Outcome>("good", "good", "no summary", "error"), {
    ...{ minLength: 1, maxLength: 3 },
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), outcomes, async (acts, answers) => {
      const lives = new Lives(await temporaryFolder(), answers);
      await lives.clock.run(async () => {
        await lives.begin();
        for (let count = 0; !lives.on.states().includes("started") && count < SETTLED_TURNS; count++) {
          await lives.on.turn({ tokens: 5000 });
        }
        for (const one of acts) {
          await lives.perform(one).catch((error: unknown) => {
            if (!isRefusal(error)) throw error;
          });
        }
        await lives.end();
      });
    }),
    { numRuns: 20 },
  );
}, 300_000);
