import { type CostLookup, catalogueCost, withAnsweredCost } from "./answered-cost.ts";
import { untilEarlyFailure } from "./early-failure.ts";
import { failureEvent } from "./failure.ts";
import type { AssistantMessage } from "./message.ts";
import { batchesOf, createMessageStream, type EventBatch, type MessageStream } from "./message-stream.ts";
import { composeMiddleware, type StreamMiddleware } from "./middleware.ts";
import type { Provider, ProviderIo } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";
import { RejectedSignatures } from "./rejected-signature.ts";
import { repairHistory } from "./repair/repair-history.ts";
import type { ChatRequest } from "./request.ts";
import { isTerminal } from "./stream-event.ts";
import { abortable } from "./wait.ts";

/** A provider, or a function that loads one when the first request for its API comes. */
export type ProviderSource = Provider | (() => Promise<Provider>);

export interface ClientOptions extends Partial<ProviderIo> {
  /** Wire API → provider. */
  readonly providers: Readonly<Record<string, ProviderSource>>;
  /** The key for a model's provider, asked at every request; undefined = none. */
  readonly apiKeyFor?: (provider: string) => string | undefined | Promise<string | undefined>;
  /**
   * Prices of a model that answered in another one's place (`responseModel`); default: the catalogue's. A host with
   * models of its own looks in its registry.
   */
  readonly costFor?: CostLookup;
  /** Layers around every call, the outermost first; for example `retryMiddleware()`. */
  readonly middleware?: readonly StreamMiddleware[];
}

export interface Client {
  /** Starts a call. Returns at once; failures end in an `error` event. */
  stream(request: ChatRequest): MessageStream;
  /** Runs a call to its end. Resolves also for failed calls: look at `stopReason`. */
  complete(request: ChatRequest): Promise<AssistantMessage>;
}

/** A client that sends each request to the provider of its model's API, loading providers on first use. */
export function createClient(options: ClientOptions): Client {
  const io: ProviderIo = {
    fetch: options.fetch ?? globalThis.fetch,
    now: options.now ?? Date.now,
    newId: options.newId ?? (() => crypto.randomUUID()),
    ...(options.post === undefined ? {} : { post: options.post }),
  };
  const loaded = new Map<string, Provider>();

  const providerOf = async (api: string): Promise<Provider> => {
    const known = loaded.get(api);
    if (known) return known;
    const source = Object.hasOwn(options.providers, api) ? options.providers[api] : undefined;
    if (!source) {
      throw new ProviderError({
        code: "unknown_provider",
        message: `No provider speaks the API "${api}". Known: ${Object.keys(options.providers).join(", ") || "none"}.`,
      });
    }
    const provider = typeof source === "function" ? await source() : source;
    loaded.set(api, provider);
    return provider;
  };

  const rejected = new RejectedSignatures();
  const costFor = options.costFor ?? catalogueCost;

  async function* call(provider: Provider, request: ChatRequest): AsyncGenerator<EventBatch, void, void> {
    const first = rejected.without(request);
    const failure = yield* untilEarlyFailure(
      provider.stream(first, io),
      ({ message }) => message.error?.code === "rejected_signature",
    );
    if (failure === undefined) return;
    const second = rejected.reject(first);
    if (second === undefined) yield [failure];
    else yield* batchesOf(provider.stream(second, io));
  }

  const stream = (request: ChatRequest): MessageStream => {
    const controller = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
    return createMessageStream({
      abort: () => controller.abort(),
      onFailure: (error) => failureEvent({ request, error, aborted: signal.aborted, now: io.now() }),
      async *events() {
        const provider = await abortable(providerOf(request.model.api), signal);
        const apiKey =
          request.apiKey ?? (await abortable(options.apiKeyFor?.(request.model.provider), signal));
        const repaired = repairHistory(request, provider);
        const keyed = { ...repaired, signal, ...(apiKey === undefined ? {} : { apiKey }) };
        for await (const batch of call(provider, keyed)) {
          const last = batch.at(-1);
          if (last === undefined || !isTerminal(last)) yield batch;
          else {
            const message = await withAnsweredCost(last.message, costFor);
            yield [...batch.slice(0, -1), { ...last, message }];
          }
        }
      },
    });
  };
  const outermost = composeMiddleware(options.middleware ?? [], stream);
  return { stream: outermost, complete: (request) => outermost(request).result() };
}
