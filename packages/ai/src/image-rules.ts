import type { ImageLimits, Model } from "./model.ts";
import type { ImageRule } from "./provider.ts";
import { IMAGES as ANTHROPIC_IMAGES } from "./providers/anthropic-messages/images.ts";
import { IMAGES as GOOGLE_IMAGES } from "./providers/google-generative-ai/images.ts";
import { OPENAI_IMAGES } from "./providers/openai-images.ts";

const RULES: Readonly<Record<string, ImageRule>> = {
  "anthropic-messages": ANTHROPIC_IMAGES,
  "google-generative-ai": GOOGLE_IMAGES,
  "openai-completions": OPENAI_IMAGES,
  "openai-responses": OPENAI_IMAGES,
};

/** Which images a model accepts: those of its wire format, within its own limits. A format that is not known is taken for a strict one. */
export function imageRuleOf({ api, imageLimits }: Pick<Model, "api" | "imageLimits">): ImageRule {
  return withImageLimits(
    (Object.hasOwn(RULES, api) ? RULES[api] : undefined) ?? ANTHROPIC_IMAGES,
    imageLimits,
  );
}

/** The rule of a wire format with the limits of one model, which win; many images are never allowed to be larger than few. */
export function withImageLimits(rule: ImageRule, limits: ImageLimits | undefined): ImageRule {
  if (limits === undefined) return rule;
  const { maxSidePx = rule.maxSidePx } = limits;
  return { ...rule, ...limits, maxSidePxOfMany: Math.min(rule.maxSidePxOfMany, maxSidePx) };
}
