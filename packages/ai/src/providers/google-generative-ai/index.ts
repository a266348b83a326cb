import { GOOGLE_IMAGES } from "../../image-rules.ts";
import type { Provider } from "../../provider.ts";
import { createWireProvider, type OpenCall } from "../wire-provider.ts";
import { classify } from "./classify.ts";
import { createDecoder } from "./decode.ts";
import { encode } from "./encode.ts";

const DEFAULT_VERSION = "v1beta";

/** The Gemini API, and servers that speak it. */
export function createProvider(): Provider {
  return createWireProvider({
    api: "google-generative-ai",
    toolCallIds: { alphabet: "a-zA-Z0-9_-", maxLength: 64 },
    images: GOOGLE_IMAGES,
    encode,
    url: urlOf,
    headers: ({ apiKey }) => (apiKey === undefined ? {} : { "x-goog-api-key": apiKey }),
    open,
    decoder: createDecoder,
    classify,
  });
}

async function open({ request, body, fetch, signal }: OpenCall): Promise<Response> {
  return await fetch(urlOf(request.model), {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify(body),
    signal,
  });
}

/** A base URL may end in a slash, in `/models` or in nothing at all; a version is added only where there is no path. */
function urlOf({ baseUrl, id }: OpenCall["request"]["model"]): string {
  const base = baseUrl.replace(/\/+$/, "").replace(/\/models$/, "");
  const root = new URL(base).pathname === "/" ? `${base}/${DEFAULT_VERSION}` : base;
  const path = id.includes("/") ? id : `models/${id}`;
  return `${root}/${encodeURI(path)}:streamGenerateContent?alt=sse`;
}
