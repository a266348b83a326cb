import type { JsonObject } from "./json-shape.ts";

/** A message of a request, the same for every wire format, so that one script answers all of them. */
export interface WireTurn {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  /** The call that a `tool` turn answers. */
  readonly resultFor?: string;
  readonly imageCount: number;
}

/** A request that the server accepted or refused, whole. */
export interface WireRequest {
  readonly api: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** Oldest first, system prompt included. */
  readonly turns: readonly WireTurn[];
}

/** Why the server refused a request, in the terms of the format's error body. */
export interface WireRejection {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

/** A refused request with its reason, as tests read it. */
export interface RejectedRequest extends WireRejection {
  readonly api: string;
  readonly path: string;
  readonly body: JsonObject | undefined;
}
