import type { ImageLimits, Model } from "./model.ts";
import type { ImageRule } from "./provider.ts";

/**
 * https://docs.claude.com/en/docs/build-with-claude/vision (2026-11): 5 MB an image, 32 MB a request, of which some is
 * left for text. Models with a window of more than 200,000 tokens take 600 images and say so themselves.
 */
export const ANTHROPIC_IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maxImages: 100,
  maxSidePx: 8000,
  manyImages: 20,
  maxSidePxOfMany: 2000,
  maxBase64Bytes: 5 * 1024 * 1024,
  maxTotalBase64Bytes: 28_000_000,
};

/**
 * https://ai.google.dev/gemini-api/docs/image-understanding (2026-11): a request with its images is at most 20 MB, of
 * which some is left for text.
 */
export const GOOGLE_IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
  maxImages: 3000,
  maxSidePx: Number.POSITIVE_INFINITY,
  manyImages: 3000,
  maxSidePxOfMany: Number.POSITIVE_INFINITY,
  maxBase64Bytes: 16_000_000,
  maxTotalBase64Bytes: 16_000_000,
};

/**
 * The API scales images itself: https://platform.openai.com/docs/guides/images-vision (2026-11). Many other servers speak
 * its formats; 50 MB a request, of which some is left for text, is what OpenAI itself began with.
 */
export const OPENAI_IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maxImages: 500,
  maxSidePx: Number.POSITIVE_INFINITY,
  manyImages: 500,
  maxSidePxOfMany: Number.POSITIVE_INFINITY,
  maxBase64Bytes: 20_000_000,
  maxTotalBase64Bytes: 45_000_000,
};

// Here and not with the formats, because it is asked before one is loaded.
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
