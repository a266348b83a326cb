import { imageRuleOf, type Model } from "@coppice/ai";

/** What a model takes of one image. */
export interface ImageLimits {
  /** Pixels of the longer side. */
  readonly maxSidePixels: number;
  /** Bytes of the base64 text that is sent. */
  readonly maxBase64Bytes: number;
  /** An image of another type becomes a PNG or JPEG. Default: any that is known. */
  readonly mimeTypes?: readonly string[];
}

/**
 * What every vendor takes, also beside many other images in one request, with room to spare (Anthropic vision guide,
 * 2026-11: 8,000 pixels, 2,000 of more than 20 images, 5 MB).
 */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxSidePixels: 2000,
  maxBase64Bytes: 4.5 * 1024 * 1024,
};

/**
 * What an image is made to fit before a model gets it: its own limits and those of its wire format, but never more than
 * the default, since models make larger images smaller themselves.
 */
export function imageLimitsOf(model: Pick<Model, "api" | "imageLimits">): ImageLimits {
  const { mimeTypes, maxSidePx, maxBase64Bytes } = imageRuleOf(model);
  return {
    mimeTypes,
    maxSidePixels: Math.min(DEFAULT_IMAGE_LIMITS.maxSidePixels, maxSidePx),
    maxBase64Bytes: Math.min(DEFAULT_IMAGE_LIMITS.maxBase64Bytes, maxBase64Bytes),
  };
}

/** More pixels would fill the memory when they are unpacked (4 bytes each). */
export const MAX_DECODED_PIXELS = 50_000_000;

/** A larger file is not even looked at. */
export const MAX_IMAGE_FILE_BYTES = 64 * 1024 * 1024;
