import type { AgentEvent, AnyAgentTool } from "@coppice/agent";
import {
  type ScriptedAnswers,
  type ScriptedStream,
  scriptedModel,
  scriptedStream,
} from "@coppice/ai/testing";
import type { AgentHarness } from "../agent-harness.ts";
import { type CreateCodingAgentOptions, createCodingAgent } from "../create-coding-agent.ts";
import { LISTENER_LIMIT_MS } from "../event-bus.ts";
import type { HarnessEvent } from "../events.ts";

export interface ScenarioOptions extends Partial<CreateCodingAgentOptions> {
  /** What the model answers, in order, or a function of the request. */
  readonly answers: ScriptedAnswers;
  readonly tools?: readonly AnyAgentTool[];
}

/** A coding agent on a scripted model, with everything that happened to it. */
export interface Scenario {
  readonly agent: AgentHarness;
  /** The model; `requests` are those it got. */
  readonly model: ScriptedStream;
  /** Every event since the agent was ready, in order. */
  readonly events: readonly (AgentEvent | HarnessEvent)[];
  /** The waits between retries, in milliseconds; none takes real time. */
  readonly waitsMs: readonly number[];
  /** Events of one kind. */
  eventsOf<Type extends (AgentEvent | HarnessEvent)["type"]>(
    type: Type,
  ): readonly Extract<AgentEvent | HarnessEvent, { type: Type }>[];
}

/** Unix milliseconds at which a scenario's clock starts; it moves on by one with every reading. */
const EPOCH_MS = 1_800_000_000_000;

/**
 * Runs a coding agent against a script: no network, no waiting, a session in memory, no tools unless given.
 *
 * Any option of `createCodingAgent` replaces the scenario's own.
 */
export async function createScenario(options: ScenarioOptions): Promise<Scenario> {
  const { answers, ...overrides } = options;
  let clock = EPOCH_MS;
  const now = options.now ?? (() => clock++);
  const model = scriptedStream(answers, { now });
  const waitsMs: number[] = [];
  const events: (AgentEvent | HarnessEvent)[] = [];
  const agent = await createCodingAgent({
    cwd: "/project",
    model: scriptedModel(),
    streamFunction: model,
    tools: [],
    now,
    sleep: async (ms, signal) => {
      // Limits on listeners never expire here; waits between retries are over at once.
      if (ms === LISTENER_LIMIT_MS) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      else waitsMs.push(ms);
    },
    ...overrides,
  });
  agent.subscribe((event) => {
    events.push(event);
  });
  return {
    agent,
    model,
    events,
    waitsMs,
    eventsOf: (type) => events.filter((event) => event.type === type) as never,
  };
}
