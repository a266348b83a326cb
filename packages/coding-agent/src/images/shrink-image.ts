import { createRequire } from "node:module";
import { messageOf } from "../errors.ts";
import type { ImageLimits } from "./image-limits.ts";
import { SHRINK_SCRIPT } from "./shrink-script.ts";

export interface ShrinkRequest {
  /** A whole image file of a type that `detectImageType` names. */
  readonly data: Uint8Array;
  readonly mimeType: string;
  /** 1 to 8, as `orientationOf` says. */
  readonly orientation: number;
  readonly limits: ImageLimits;
  readonly signal: AbortSignal;
}

export interface ShrunkImage {
  readonly data: Uint8Array;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
}

/** Makes an image upright and as small as the limits say. Rejects for one that cannot be unpacked, and on abort. */
export type ShrinkImage = (request: ShrinkRequest) => Promise<ShrunkImage>;

/** An image that takes longer is made to be slow. */
const TIME_LIMIT_MS = 60_000;

/**
 * `ShrinkImage` by photon (WebAssembly), in a thread of its own: seconds of work do not hold up the program, broken images
 * cannot break it, and the memory is given back.
 */
export const shrinkImage: ShrinkImage = async ({ data, mimeType, orientation, limits, signal }) => {
  // Most programs need no threads, and Node's part for them takes a millisecond to load.
  const { Worker } = await import("node:worker_threads");
  signal.throwIfAborted();
  const library = createRequire(import.meta.url).resolve("@silvia-odwyer/photon-node");
  const worker = new Worker(SHRINK_SCRIPT, {
    eval: true,
    workerData: { library, data, mimeType, orientation, ...limits },
    // Nothing of the program's environment is needed there; what the library says about broken images is not for users.
    ...{ env: {}, stdout: true, stderr: true },
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
  try {
    return await new Promise<ShrunkImage>((resolve, reject) => {
      ended.addEventListener("abort", () => reject(ended.reason), { once: true });
      worker.once("message", resolve);
      worker.once("error", (cause) =>
        reject(new Error(`it cannot be unpacked (${messageOf(cause)})`, { cause })),
      );
      worker.once("exit", () => reject(new Error("it cannot be unpacked")));
    });
  } finally {
    await worker.terminate();
  }
};
