import type { Model } from "../model.ts";
import type { OpenCall } from "./wire-provider.ts";

/** Given to the SDK where there is no key, so that it looks for none; the header it makes is never sent. */
const NO_KEY = "none";
/** Our own limits decide; this one only has to be longer. The largest delay of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** Where a call goes; a base URL that ends in the path already is taken as it is. */
export function openAiUrl({ baseUrl }: Model, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  return base.endsWith(path) ? base : `${base}${path}`;
}

/**
 * Posts a call through the OpenAI SDK and returns the raw answer. The SDK is loaded with the first request.
 *
 * `path` is what the SDK adds to the base URL.
 */
export async function openWithOpenAi(call: OpenCall, path: string): Promise<Response> {
  const { OpenAI } = await import("openai");
  const client = new OpenAI({
    apiKey: NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: openAiUrl(call.request.model, path).slice(0, -path.length),
    logLevel: "off",
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch: call.fetch,
  });
  return await client.post(path, { body: call.body, stream: true, signal: call.signal }).asResponse();
}
