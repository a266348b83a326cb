import assert from "node:assert/strict";
import { createClient } from "../../client.ts";
import type { AssistantMessage } from "../../message.ts";
import type { Model } from "../../model.ts";
import type { Provider } from "../../provider.ts";
import type { ChatRequest } from "../../request.ts";
import type { StreamEvent } from "../../stream-event.ts";
import { createWireServer, type WireServer, type WireServerOptions } from "../wire-server/wire-server.ts";
import { eventOrderProblem } from "./event-order.ts";

/** What is under test: a fresh provider of one wire format. */
export interface ConformanceTarget {
  readonly provider: Provider;
}

/** One behaviour that every provider has. `run` rejects with an assertion error where it has not. */
export interface ConformanceCase {
  readonly name: string;
  run(target: ConformanceTarget): Promise<void>;
}

/** A provider connected to a wire server, as a case sees it. */
interface ConformanceBench {
  readonly server: WireServer;
  readonly model: Model;
  /** Sends a request through a client, with history repair; checks the order of events on the way. */
  call(request: Omit<ChatRequest, "model"> & { readonly model?: Model }): Promise<CallOutcome>;
}

interface CallOutcome {
  readonly events: readonly StreamEvent[];
  readonly message: AssistantMessage;
}

export interface ConformanceCaseOptions {
  readonly name: string;
  readonly server: WireServerOptions;
  readonly model?: Partial<Model>;
  /** The server refused nothing is asserted afterwards, unless a case is about refusals. */
  readonly expectsRejections?: boolean;
  run(bench: ConformanceBench): Promise<void>;
}

/** A case that runs against a server of its own and, unless it says otherwise, ends without a refused request. */
export function conformanceCase(options: ConformanceCaseOptions): ConformanceCase {
  return {
    name: options.name,
    async run({ provider }) {
      await using server = await createWireServer(options.server);
      const client = createClient({
        providers: { [provider.api]: provider },
        apiKeyFor: () => server.apiKey,
      });
      const model = server.model(provider.api, options.model);
      await options.run({
        server,
        model,
        async call(request) {
          const stream = client.stream({ model, ...request });
          const events: StreamEvent[] = [];
          for await (const event of stream) events.push(event);
          assert.equal(eventOrderProblem(events), undefined);
          const message = await stream.result();
          assertCompleteUsage(message);
          return { events, message };
        },
      });
      if (options.expectsRejections !== true) assert.deepEqual(server.rejections, []);
    },
  };
}

function assertCompleteUsage({ usage }: AssistantMessage): void {
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = usage;
  for (const count of [input, output, cacheRead, cacheWrite, totalTokens, cost.total]) {
    assert.ok(count >= 0, `AI-43: a count is ${count}`);
  }
  assert.equal(totalTokens, input + output + cacheRead + cacheWrite, "AI-42: the total adds up");
}
