import { cacheKey } from "../../cache-key.ts";
import type { Provider } from "../../provider.ts";
import { OPENAI_IMAGES } from "../openai-images.ts";
import { openWithOpenAi } from "../openai-sdk.ts";
import { createWireProvider } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";
import { quirksOf } from "./quirks.ts";

/** The OpenAI Chat Completions API, and the many servers that speak it. The SDK is loaded with the first request. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "openai-completions",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 40 },
    images: OPENAI_IMAGES,
    takesSystemMessages: true,
    encode,
    headers: ({ apiKey, sessionId, model }) => ({
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(sessionId !== undefined && quirksOf(model).sendSessionAffinityHeaders
        ? { "x-session-affinity": cacheKey(sessionId) }
        : {}),
    }),
    open: (call) => openWithOpenAi(call, "/chat/completions"),
    decoder: createDecoder,
    classify,
  });
}
