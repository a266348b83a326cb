import { cacheKey } from "../../cache-key.ts";
import { OPENAI_IMAGES } from "../../image-rules.ts";
import type { Provider } from "../../provider.ts";
import { openAiUrl, openWithOpenAi } from "../openai-sdk.ts";
import { createWireProvider } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";

const PATH = "/responses";

/** The OpenAI Responses API, and servers that speak it. Nothing is stored at the server. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "openai-responses",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 64 },
    images: OPENAI_IMAGES,
    takesSystemMessages: true,
    encode,
    headers: ({ apiKey, sessionId, model }) => ({
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(sessionId !== undefined && model.quirks?.sendSessionAffinityHeaders === true
        ? { "x-session-affinity": cacheKey(sessionId) }
        : {}),
    }),
    url: (model) => openAiUrl(model, PATH),
    open: (call) => openWithOpenAi(call, PATH),
    decoder: createDecoder,
    classify,
  });
}
