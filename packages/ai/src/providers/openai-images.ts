import type { ImageRule } from "../provider.ts";

/**
 * The API scales images itself; a request is at most 50 MB, of which some is left for text:
 * https://platform.openai.com/docs/guides/images-vision (2026-11).
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
