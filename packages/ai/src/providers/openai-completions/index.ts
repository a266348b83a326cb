import { cacheKey } from "../../cache-key.ts";
import { OPENAI_IMAGES } from "../../image-rules.ts";
import type { Provider } from "../../provider.ts";
import type { ChatRequest } from "../../request.ts";
import { openAiUrl, openWithOpenAi } from "../openai-sdk.ts";
import { createWireProvider } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";
import { quirksOf } from "./quirks.ts";

const PATH = "/chat/completions";

/** The OpenAI Chat Completions API, and the many servers that speak it. The SDK is loaded with the first request. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "openai-completions",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 40 },
    images: OPENAI_IMAGES,
    takesSystemMessages: true,
    encode,
    headers: (request) => ({
      ...(request.apiKey === undefined ? {} : { authorization: `Bearer ${request.apiKey}` }),
      ...affinityHeader(request),
    }),
    url: (model) => openAiUrl(model, PATH),
    open: (call) => openWithOpenAi(call, PATH),
    decoder: createDecoder,
    classify,
  });
}

function affinityHeader({ sessionId, model }: ChatRequest): Readonly<Record<string, string>> {
  const { sendSessionAffinityHeaders, sessionAffinityFormat } = quirksOf(model);
  if (sessionId === undefined || !sendSessionAffinityHeaders) return {};
  const header = sessionAffinityFormat === "openrouter" ? "x-session-id" : "x-session-affinity";
  return { [header]: cacheKey(sessionId) };
}
