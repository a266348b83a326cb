import type { ProviderSource } from "./client.ts";

/** Every wire API that this package speaks, loaded when its first request comes. */
export const builtinProviders: Readonly<Record<string, ProviderSource>> = {
  "anthropic-messages": async () =>
    (await import("./providers/anthropic-messages/index.ts")).createProvider(),
  "openai-responses": async () => (await import("./providers/openai-responses/index.ts")).createProvider(),
  "openai-completions": async () =>
    (await import("./providers/openai-completions/index.ts")).createProvider(),
  "google-generative-ai": async () =>
    (await import("./providers/google-generative-ai/index.ts")).createProvider(),
};
