import {
  type ScriptedAnswers,
  type ScriptedStream,
  scriptedModel,
  scriptedStream,
} from "@coppice/ai/testing";
import { Agent, type AgentOptions } from "../index.ts";
import { type CollectedEvents, collectEvents } from "./collect-events.ts";

export interface ScriptedAgent {
  readonly agent: Agent;
  /** The model, with the requests that it was given. */
  readonly stream: ScriptedStream;
  readonly seen: CollectedEvents;
}

/** An agent on a scripted model, watched from the start; the clock stands still at 1,000 ms unless given. */
export function scriptedAgent(
  answers: ScriptedAnswers,
  options: Partial<Omit<AgentOptions, "streamFunction">> = {},
): ScriptedAgent {
  const now = options.now ?? (() => 1_000);
  const stream = scriptedStream(answers, { now });
  const agent = new Agent({ model: scriptedModel(), now, ...options, streamFunction: stream });
  return { agent, stream, seen: collectEvents(agent) };
}
