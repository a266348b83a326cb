import { type Client, createClient, type StreamFunction } from "@coppice/ai";
import type { ExtensionRegistry } from "./extension-registry.ts";

export interface ExtensionStreamOptions {
  readonly streamFunction: StreamFunction;
  readonly registry: ExtensionRegistry;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Sends requests for the wire APIs of extensions to their providers, with the same care as any other. */
export function extensionStream({ streamFunction, registry, now }: ExtensionStreamOptions): StreamFunction {
  const clients = new WeakMap<object, Client>();
  return (request) => {
    const provider = registry.provider(request.model.api);
    if (provider === undefined) return streamFunction(request);
    const client = clients.get(provider) ?? createClient({ providers: { [provider.api]: provider }, now });
    clients.set(provider, client);
    return client.stream(request);
  };
}
