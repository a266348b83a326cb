import type { ImageRule } from "../provider.ts";

/** The API scales images itself: https://platform.openai.com/docs/guides/images-vision (2026-11). */
export const OPENAI_IMAGES: ImageRule = {
  mimeTypes: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  maxImages: 500,
  maxSidePx: Number.POSITIVE_INFINITY,
  manyImages: 500,
  maxSidePxOfMany: Number.POSITIVE_INFINITY,
};
