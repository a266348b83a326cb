import type { MessageStream } from "./message-stream.ts";
import type { Post } from "./post.ts";
import type { ChatRequest } from "./request.ts";

/** What a provider takes from outside. Nothing else is read: no environment, no global state. */
export interface ProviderIo {
  readonly fetch: typeof globalThis.fetch;
  /** A shorter way than the vendor's SDK over `fetch`, tried first; absent = none. */
  readonly post?: Post;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A new unique id, for calls that the server left without one. */
  readonly newId: () => string;
}

/** Which tool-call ids a wire format accepts: characters of `alphabet` (a regular expression class), at most `maxLength`. */
export interface ToolCallIdRule {
  readonly alphabet: string;
  readonly maxLength: number;
}

/**
 * Which images a request may hold. Sides are pixels of the longer side; more than `manyImages` in a request tighten the
 * limit. Bytes are those of the base64 text: of one image, and of all together.
 */
export interface ImageRule {
  readonly mimeTypes: readonly string[];
  readonly maxImages: number;
  readonly maxSidePx: number;
  readonly manyImages: number;
  readonly maxSidePxOfMany: number;
  readonly maxBase64Bytes: number;
  readonly maxTotalBase64Bytes: number;
}

/** One wire format. `api` is what models name; `stream` returns at once and never throws. */
export interface Provider {
  readonly api: string;
  /** Ids outside this rule are mapped before a request is encoded; absent = any id is fine. */
  readonly toolCallIds?: ToolCallIdRule;
  /** Images outside this rule become a note before a request is encoded; absent = any image is fine. */
  readonly images?: ImageRule;
  /** The format has a place for system messages behind a user's turn; used where the model's quirks say so too. */
  readonly takesSystemMessages?: boolean;
  stream(request: ChatRequest, io: ProviderIo): MessageStream;
}

/** Reaches a model: what an agent is given instead of a provider. */
export type StreamFunction = (request: ChatRequest) => MessageStream;
