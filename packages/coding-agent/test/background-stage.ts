import type { AnyAgentTool } from "@coppice/agent";
import { type ChatRequest, textOf } from "@coppice/ai";
import { type ScriptedAnswers, scriptedModel, scriptedToolCall } from "@coppice/ai/testing";
import { goodSummary } from "@coppice/compaction/testing";
import { isEntry, MemoryRepo, type Session } from "@coppice/session";
import { Type } from "typebox";
import { expect } from "vitest";
import { createScenario, type Scenario, type ScenarioOptions } from "../src/testing/scenario.ts";
import { createVirtualClock, type VirtualClock } from "../src/testing/virtual-clock.ts";

/** What a summary takes on the virtual clock. */
export const SUMMARY_MS = 20_000;
/** Window 40,000: the trigger is at 30,000, the summary is begun at 24,000. */
export const model = scriptedModel({
  contextWindow: 40_000,
  cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
});

const isSummaryRequest = ({ messages }: ChatRequest) =>
  textOf(messages.at(-1)?.content ?? "").includes("## Critical Context");

interface Call {
  readonly isSummary: boolean;
  readonly atMs: number;
}

/** An agent that compacts in the background, on a virtual clock. */
export interface Stage extends Scenario {
  readonly clock: VirtualClock;
  readonly session: Session;
  readonly calls: readonly Call[];
  /** Most summary calls that were open at once. */
  readonly mostSummaries: () => number;
  /** What became of prepared summaries, in order. */
  readonly states: () => readonly string[];
  /** A prompt and its answer, of this length in virtual time and about `tokens` large; with a tool call where it looks. */
  turn(options?: TurnOptions): Promise<void>;
}

interface TurnOptions {
  readonly tokens?: number;
  readonly ms?: number;
  /** Size of the result of a tool that the model calls first, which takes `ms` as well. */
  readonly lookTokens?: number;
}

const sizedText = (tokens: number) => "word ".repeat(Math.floor(tokens * 0.8));
const NEVER = new AbortController().signal;

/** A stage for one session, by default a new one in memory. `summary` is what each summary call answers. */
export async function stage(
  options: Partial<ScenarioOptions> & { summary?: () => string | Error; clock?: VirtualClock } = {},
): Promise<Stage> {
  const { summary = () => goodSummary("Go on."), clock = createVirtualClock(), ...overrides } = options;
  const session = options.session ?? (await new MemoryRepo({ now: clock.now }).create({ cwd: "/project" }));
  const calls: Call[] = [];
  let next: Required<TurnOptions> = { tokens: 2000, ms: 10_000, lookTokens: 0 };
  let open = 0;
  let most = 0;
  const answers: ScriptedAnswers = async (request) => {
    const isSummary = isSummaryRequest(request);
    calls.push({ isSummary, atMs: clock.now() });
    const { tokens, ms, lookTokens } = next;
    const signal = request.signal ?? NEVER;
    if (!isSummary) {
      await clock.sleep(ms, signal);
      const looks = lookTokens > 0 && request.messages.at(-1)?.role === "user";
      return looks ? scriptedToolCall("look", {}) : sizedText(tokens);
    }
    most = Math.max(most, ++open);
    await clock.sleep(SUMMARY_MS, signal);
    open--;
    const answer = summary();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const look: AnyAgentTool = {
    ...{ name: "look", description: "Look at something.", parameters: Type.Object({}) },
    execute: async (_id, _input, signal) => {
      await clock.sleep(next.ms, signal ?? NEVER);
      return { content: [{ type: "text", text: sizedText(next.lookTokens) }] };
    },
  };
  const { now, sleep } = clock;
  const scenario = await createScenario({ model, answers, now, sleep, tools: [look], ...overrides, session });
  return {
    ...scenario,
    ...{ clock, session, calls },
    mostSummaries: () => most,
    states: () => scenario.eventsOf("background_compaction").map(({ state }) => state),
    async turn({ tokens = 2000, ms = 10_000, lookTokens = 0 } = {}) {
      next = { tokens, ms, lookTokens };
      await scenario.agent.prompt("next");
    },
  };
}

/** Turns until a summary is begun. */
export async function untilStarted({ turn, states }: Stage): Promise<void> {
  for (let count = 0; !states().includes("started") && count < 30; count++) await turn();
  expect(states()).toEqual(["started"]);
}

/** Turns until the next compaction. */
export async function untilCompacted({ turn, eventsOf }: Stage, options?: TurnOptions): Promise<void> {
  const before = eventsOf("compaction_end").length;
  for (let count = 0; eventsOf("compaction_end").length === before && count < 30; count++)
    await turn(options);
  expect(eventsOf("compaction_end").length).toBe(before + 1);
}

/** Every compaction in the file, in its order. */
export const compactionsOf = async (session: Session) =>
  (await session.getEntries()).filter((entry) => isEntry(entry, "compaction"));
