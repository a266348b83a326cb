import type { StreamFunction } from "../provider.ts";
import type { ChatRequest } from "../request.ts";
import { createScriptedProvider, type ScriptedAnswers, type ScriptedProvider } from "./scripted-provider.ts";

/** A stream function that plays a script, with the requests it was given. */
export type ScriptedStream = StreamFunction & Pick<ScriptedProvider, "requests" | "push" | "remaining">;

export interface ScriptedStreamOptions {
  /** Unix milliseconds of messages; a fixed clock makes whole messages comparable. */
  readonly now?: () => number;
}

/** What an agent is given instead of a client: `createScriptedProvider` as a `StreamFunction`. */
export function scriptedStream(
  answers: ScriptedAnswers,
  options: ScriptedStreamOptions = {},
): ScriptedStream {
  const provider = createScriptedProvider(answers);
  const io = {
    now: options.now ?? Date.now,
    newId: () => crypto.randomUUID(),
    fetch: () => Promise.reject(new Error("A scripted model does not use the network.")),
  };
  const stream = (request: ChatRequest) => provider.stream(request, io);
  return Object.defineProperties(stream, {
    requests: { value: provider.requests },
    push: { value: provider.push },
    remaining: { get: () => provider.remaining },
  }) as ScriptedStream;
}
