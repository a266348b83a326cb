import { cacheKey } from "../../cache-key.ts";
import type { Provider } from "../../provider.ts";
import type { WireFrame } from "../frame.ts";
import { createWireProvider, type OpenCall } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";
import { quirksOf } from "./quirks.ts";

/** Given to the SDK where there is no key, so that it looks for none; the header it makes is never sent. */
const NO_KEY = "none";
/** Our own limits decide; this one only has to be longer. The largest delay of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** The OpenAI Chat Completions API, and the many servers that speak it. The SDK is loaded with the first request. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "openai-completions",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 40 },
    encode,
    headers: ({ apiKey, sessionId, model }) => ({
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(sessionId !== undefined && quirksOf(model).sendSessionAffinityHeaders
        ? { "x-session-affinity": cacheKey(sessionId) }
        : {}),
    }),
    open,
    decoder: createDecoder,
    classify,
  });
}

async function open({ request, body, fetch, signal }: OpenCall): Promise<AsyncIterable<WireFrame>> {
  const { OpenAI } = await import("openai");
  const { _iterSSEMessages } = await import("openai/core/streaming");
  const client = new OpenAI({
    apiKey: NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrlOf(request.model.baseUrl),
    logLevel: "off",
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch,
  });
  const response = await client.post("/chat/completions", { body, stream: true, signal }).asResponse();
  return _iterSSEMessages(response, new AbortController());
}

/** The SDK adds `/chat/completions` itself. */
function baseUrlOf(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
}
