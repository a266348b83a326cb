import type { ImageRule } from "../../provider.ts";

/**
 * https://docs.claude.com/en/docs/build-with-claude/vision (2026-11): 5 MB an image, 32 MB a request, of which some is
 * left for text. Models with a window of more than 200,000 tokens take 600 images and say so themselves.
 */
export const IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maxImages: 100,
  maxSidePx: 8000,
  manyImages: 20,
  maxSidePxOfMany: 2000,
  maxBase64Bytes: 5 * 1024 * 1024,
  maxTotalBase64Bytes: 28_000_000,
};
