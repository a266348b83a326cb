import type { ScriptStep, ScriptSteps } from "../script.ts";
import type { ScriptedAnswer } from "../scripted-answer.ts";
import type { WireRequest } from "./wire-request.ts";

/**
 * What goes wrong on the wire instead of, or in the middle of, an answer.
 *
 * `afterDeltas` counts content deltas of the stream that still arrive. Where it may be absent, absent means before the
 * response headers. A non-streaming answer is broken in the middle of its body.
 */
export type WireFault =
  /** Any status in the format's own error shape. `body` replaces the shape, for example by text. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** 429. `retryAfter` goes into the header as it is: seconds, a date, or nonsense. */
  | { readonly kind: "rate_limit"; readonly retryAfter?: string }
  /** The refusal for want of credit, in the format's wording and status. */
  | { readonly kind: "quota" }
  /** The provider's own context-overflow refusal. */
  | { readonly kind: "overflow" }
  /** A gateway's HTML page. */
  | { readonly kind: "html"; readonly status: number }
  /** The format's error inside a 200 stream, which then ends. */
  | { readonly kind: "error_event"; readonly afterDeltas: number }
  /** The connection is torn down. */
  | { readonly kind: "reset"; readonly afterDeltas?: number }
  /** Nothing more is sent; the connection stays open until the client or the server closes it. */
  | { readonly kind: "stall"; readonly afterDeltas?: number }
  /** A chunk that is not JSON; the stream goes on after it. */
  | { readonly kind: "malformed"; readonly afterDeltas: number }
  /** The body ends cleanly before the format's terminal event; without `afterDeltas`, right before it. */
  | { readonly kind: "cut"; readonly afterDeltas?: number };

/** How the bytes of a good stream are laid out; none of it changes their meaning. */
export interface WireFraming {
  readonly newline?: "\n" | "\r\n" | "\r";
  /** Bytes a network chunk; absent = one frame a chunk. */
  readonly chunkBytes?: number;
  /** A comment and the format's keep-alive (Anthropic: `ping`) before every frame. */
  readonly keepAlives?: boolean;
  /** An event of a type that no client knows, before every frame. */
  readonly unknownEvents?: boolean;
}

/** A scripted answer with what may happen to it on the wire. `error` of the base is not used here: see `fault`. */
export interface WireAnswer extends Omit<ScriptedAnswer, "error"> {
  readonly fault?: WireFault;
  readonly framing?: WireFraming;
  readonly error?: never;
}

export type WireStep = ScriptStep<WireRequest, WireAnswer>;
export type WireAnswers = ScriptSteps<WireRequest, WireAnswer>;

/** An answer that is only a fault. */
export function wireFault(fault: WireFault): WireAnswer {
  return { content: [{ type: "text", text: "This text is broken off by a fault." }], fault };
}
