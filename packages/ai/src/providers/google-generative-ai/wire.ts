/**
 * The Gemini API (`generateContent`) as far as we speak it.
 *
 * Source: https://ai.google.dev/api/generate-content and …/gemini-api/docs/thought-signatures (2026-11).
 */

export interface WireInlineData {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

interface Signed {
  readonly thoughtSignature?: string;
}

export type WirePart =
  | ({ readonly text: string; readonly thought?: true } & Signed)
  | WireInlineData
  | ({
      readonly functionCall: {
        readonly id?: string;
        readonly name: string;
        readonly args: Readonly<Record<string, unknown>>;
      };
    } & Signed)
  | {
      readonly functionResponse: {
        readonly id?: string;
        readonly name: string;
        readonly response: { readonly output: string } | { readonly error: string };
        readonly parts?: readonly WireInlineData[];
      };
    };

export interface WireContent {
  readonly role: "user" | "model";
  readonly parts: WirePart[];
}

export interface WireFunction {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema: unknown;
}

export interface WireGenerationConfig {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly thinkingConfig?: {
    readonly includeThoughts?: true;
    readonly thinkingBudget?: number;
    readonly thinkingLevel?: string;
  };
}

export interface WireRequest {
  readonly contents: readonly WireContent[];
  readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] };
  readonly tools?: readonly [{ readonly functionDeclarations: readonly WireFunction[] }];
  readonly toolConfig?: { readonly functionCallingConfig: { readonly mode: "NONE" } };
  readonly generationConfig?: WireGenerationConfig;
}

/** Cached tokens are part of the prompt; thoughts stand beside the candidates. */
export interface WireUsage {
  readonly promptTokenCount?: unknown;
  readonly toolUsePromptTokenCount?: unknown;
  readonly cachedContentTokenCount?: unknown;
  readonly candidatesTokenCount?: unknown;
  readonly thoughtsTokenCount?: unknown;
}

/** A part of an answer, all fields optional. */
export interface WireAnswerPart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly thoughtSignature?: unknown;
  readonly functionCall?: { readonly id?: unknown; readonly name?: unknown; readonly args?: unknown } | null;
}

/** A stream chunk, all fields optional: each is a whole response with the next parts. */
export interface WireChunk {
  readonly responseId?: unknown;
  readonly modelVersion?: unknown;
  readonly candidates?:
    | readonly ({
        readonly content?: { readonly parts?: readonly (WireAnswerPart | null)[] | null } | null;
        readonly finishReason?: unknown;
        readonly finishMessage?: unknown;
      } | null)[]
    | null;
  readonly promptFeedback?: { readonly blockReason?: unknown; readonly blockReasonMessage?: unknown } | null;
  readonly usageMetadata?: WireUsage | null;
  readonly error?: unknown;
}
