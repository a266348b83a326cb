import type { ImageRule } from "../../provider.ts";

/**
 * https://ai.google.dev/gemini-api/docs/image-understanding (2026-11): a request with its images is at most 20 MB, of
 * which some is left for text.
 */
export const IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
  maxImages: 3000,
  maxSidePx: Number.POSITIVE_INFINITY,
  manyImages: 3000,
  maxSidePxOfMany: Number.POSITIVE_INFINITY,
  maxBase64Bytes: 16_000_000,
  maxTotalBase64Bytes: 16_000_000,
};
