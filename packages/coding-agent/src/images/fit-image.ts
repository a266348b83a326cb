import { formatBytes } from "../text/byte-count.ts";
import { checkImage, type ImageSize } from "../text/image-size.ts";
import { detectImageType } from "../text/image-type.ts";
import {
  DEFAULT_IMAGE_LIMITS,
  type ImageLimits,
  MAX_DECODED_PIXELS,
  MAX_IMAGE_FILE_BYTES,
} from "./image-limits.ts";
import { orientationOf } from "./orientation.ts";
import { type ShrinkImage, shrinkImage } from "./shrink-image.ts";

export interface FitImageOptions {
  readonly limits?: ImageLimits | undefined;
  readonly signal: AbortSignal;
  /** Default: photon. */
  readonly shrink?: ShrinkImage | undefined;
}

/** An image that a model takes. */
export interface FittedImage extends ImageSize {
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
  /** What it was before it was made smaller or upright; absent = it is as it was. */
  readonly original?: ImageSize;
}

/** In a few words what is wrong with an image that cannot be sent, as the end of "the image cannot be used: …". */
export interface ImageProblem {
  readonly problem: string;
}

/**
 * An image file as a model takes it: as it is where that is within the limits, else smaller, else a problem. What it is
 * is told by its bytes.
 *
 * Rejects only when `signal` fires.
 */
export async function fitImage(
  data: Uint8Array,
  { limits = DEFAULT_IMAGE_LIMITS, signal, shrink = shrinkImage }: FitImageOptions,
): Promise<FittedImage | ImageProblem> {
  signal.throwIfAborted();
  const mimeType = detectImageType(data);
  if (mimeType === undefined) return { problem: "it is no PNG, JPEG, GIF or WebP" };
  if (data.length > MAX_IMAGE_FILE_BYTES) {
    return { problem: `it has ${formatBytes(data.length)}, more than ${formatBytes(MAX_IMAGE_FILE_BYTES)}` };
  }
  const size = checkImage(data, mimeType);
  if ("problem" in size) return size;
  const orientation = mimeType === "image/jpeg" ? orientationOf(data) : 1;
  const isWithin =
    Math.max(size.width, size.height) <= limits.maxSidePixels &&
    base64Bytes(data) <= limits.maxBase64Bytes &&
    (limits.mimeTypes?.includes(mimeType) ?? true);
  if (isWithin && orientation === 1) return { data: base64(data), mimeType, ...size };
  if (size.width * size.height > MAX_DECODED_PIXELS) {
    return { problem: `${size.width}x${size.height} pixels are too many to be made smaller here` };
  }
  try {
    const smaller = await shrink({ ...{ data, mimeType, orientation, limits, signal } });
    return { ...smaller, data: base64(smaller.data), original: size };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function base64Bytes({ length }: Uint8Array): number {
  return 4 * Math.ceil(length / 3);
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}
