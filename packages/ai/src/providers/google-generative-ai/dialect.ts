import type { Model } from "../../model.ts";

/** What a generation of models behind this API takes. The fields are quirks: a model's entry may set each. */
export interface Dialect {
  /** Calls and results carry ids; without them they are paired by name and order. */
  readonly sendsCallIds: boolean;
  /** Images of a result stand inside it. */
  readonly nestsResultImages: boolean;
  /** The first call of a turn needs a signature, or the mark that there is none. */
  readonly requiresSignatures: boolean;
  /** The smallest thinking budget in tokens, sent for `off`: 0 where thinking can be switched off. */
  readonly minThinkingBudget: number;
}

/** Gemini 1 and 2 and Gemma; https://ai.google.dev/gemini-api/docs/function-calling (2026-11). */
const OLD_GENERATION = /(gemini-[12](\.|-|$)|gemma)/i;
/** Cannot stop thinking; https://ai.google.dev/gemini-api/docs/thinking (2026-11). */
const ALWAYS_THINKS = /gemini-2\.5-pro/i;
const ALWAYS_THINKS_BUDGET = 128;

/** The model's own quirks over what its id tells; unknown ids are taken for the newest generation. */
export function dialectOf(model: Pick<Model, "id" | "quirks">): Dialect {
  const isNew = !OLD_GENERATION.test(model.id);
  return {
    sendsCallIds: isNew,
    nestsResultImages: isNew,
    requiresSignatures: isNew,
    minThinkingBudget: ALWAYS_THINKS.test(model.id) ? ALWAYS_THINKS_BUDGET : 0,
    ...(model.quirks as Partial<Dialect> | undefined),
  };
}
