import { builtinProviders, createClient, type StreamFunction } from "@coppice/ai";
import { createWireServer, type WireAnswers, type WireServer } from "@coppice/ai/testing";
import { type AgentMessage, type AnyAgentTool, convertToLlm } from "../src/index.ts";

export const WIRE_APIS = [
  "anthropic-messages",
  "openai-completions",
  "openai-responses",
  "google-generative-ai",
] as const;

/** Time for some hundred requests over loopback on a loaded machine; on a free one they take a few seconds. */
export const OVER_THE_WIRE_MS = 90_000;

/** A server that refuses what the real APIs refuse, and the stream of a client that reaches it. Close the server. */
export async function createWire(
  answers: WireAnswers,
): Promise<{ readonly server: WireServer; readonly streamFunction: StreamFunction }> {
  const server = await createWireServer({ answers, thoughtSignatures: "required" });
  const client = createClient({ providers: builtinProviders, apiKeyFor: () => server.apiKey });
  return { server, streamFunction: client.stream };
}

export interface WireCheck extends AsyncDisposable {
  /** What each of the four formats has against a transcript that goes on with one more prompt; empty = all accept it. */
  refusals(messages: readonly AgentMessage[]): Promise<readonly string[]>;
  /** Requests that were accepted so far. */
  readonly accepted: number;
}

/**
 * Sends transcripts over every built-in provider to a server that refuses what the real APIs refuse.
 *
 * A transcript that differs from an earlier one in nothing but its times is not sent again.
 */
export async function createWireCheck(tools: readonly AnyAgentTool[]): Promise<WireCheck> {
  const { server, streamFunction } = await createWire(() => "ok");
  const known = new Map<string, Promise<readonly string[]>>();

  const send = async (messages: readonly AgentMessage[]): Promise<readonly string[]> => {
    const before = server.rejections.length;
    const prompt = { role: "user", content: "and now?", timestamp: 1 } as const;
    const problems = await Promise.all(
      WIRE_APIS.map(async (api) => {
        const stream = streamFunction({
          model: server.model(api),
          messages: [...convertToLlm(messages), prompt],
          tools,
          thinkingLevel: "medium",
        });
        const answer = await stream.result();
        return answer.stopReason === "stop" ? [] : [`${api}: ${answer.errorMessage}`];
      }),
    );
    const refused = server.rejections.slice(before).map(({ api, message }) => `${api} refused: ${message}`);
    return [...problems.flat(), ...refused];
  };
  return {
    refusals(messages) {
      const key = JSON.stringify(messages, (name, value) => (name === "timestamp" ? undefined : value));
      const found = known.get(key) ?? send(messages);
      known.set(key, found);
      return found;
    },
    get accepted() {
      return server.requests.length;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
