import { ANTHROPIC_IMAGES } from "../../image-rules.ts";
import type { Provider } from "../../provider.ts";
import { createWireProvider, type OpenCall } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";

const PATH = "/v1/messages";
const API_VERSION = "2023-06-01";
/** Given to the SDK where there is no key, so that it looks for none; the header it makes is never sent. */
const NO_KEY = "none";
/** Our own limits decide; this one only has to be longer. The largest delay of a timer. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** The Anthropic Messages API, and servers that speak it. The SDK is loaded with the first request. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "anthropic-messages",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 64 },
    images: ANTHROPIC_IMAGES,
    takesSystemMessages: true,
    encode,
    url: ({ baseUrl }) => `${baseUrlOf(baseUrl)}${PATH}`,
    headers: ({ apiKey, sessionId, model }) => ({
      "anthropic-version": API_VERSION,
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...(sessionId !== undefined && model.quirks?.sendSessionAffinityHeaders === true
        ? { "x-session-affinity": sessionId }
        : {}),
    }),
    open,
    decoder: createDecoder,
    classify,
  });
}

async function open({ request, body, fetch, signal }: OpenCall): Promise<Response> {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey: NO_KEY,
    baseURL: baseUrlOf(request.model.baseUrl),
    webhookKey: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    fetch,
  });
  return await client.post(PATH, { body, stream: true, signal }).asResponse();
}

/** The SDK adds `/v1/messages` itself. */
function baseUrlOf(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/v1(\/messages)?$/, "");
}
