import { expect, test } from "vitest";
import { gifOf, pngOf, wholePng, withOrientation } from "../testing/image-bytes.ts";
import { checkImage } from "../text/image-size.ts";
import { detectImageType } from "../text/image-type.ts";
import { fitImage } from "./fit-image.ts";
import type { ImageLimits } from "./image-limits.ts";
import { orientationOf } from "./orientation.ts";
import { shrinkImage } from "./shrink-image.ts";

const { signal } = new AbortController();
const SMALL: ImageLimits = { maxSidePixels: 100, maxBase64Bytes: 40_000 };

async function fitted(data: Uint8Array, limits: ImageLimits = SMALL) {
  const image = await fitImage(data, { limits, signal });
  if ("problem" in image) throw new Error(image.problem);
  const bytes = Buffer.from(image.data, "base64");
  // What is said of the image is what it is.
  expect(detectImageType(bytes)).toBe(image.mimeType);
  expect(checkImage(bytes, image.mimeType)).toEqual({ width: image.width, height: image.height });
  expect(Math.max(image.width, image.height)).toBeLessThanOrEqual(limits.maxSidePixels);
  expect(image.data.length).toBeLessThanOrEqual(limits.maxBase64Bytes);
  return { ...image, bytes };
}

/** A JPEG that can be unpacked. */
async function jpeg(width: number, height: number): Promise<Uint8Array> {
  const image = await fitImage(wholePng({ width: width * 2, height: height * 2 }, "noise"), {
    limits: { maxSidePixels: Math.max(width, height), maxBase64Bytes: width * height * 3 },
    signal,
  });
  if ("problem" in image) throw new Error(image.problem);
  expect(image.mimeType).toBe("image/jpeg");
  return Buffer.from(image.data, "base64");
}

test("an image within the limits goes as it is, byte for byte", async () => {
  const data = gifOf({ width: 100, height: 100 });
  const image = await fitted(data);
  expect([image.bytes.equals(data), image.original]).toEqual([true, undefined]);
});

test("TO-05: too many pixels: the longer side becomes the limit, a drawing stays lossless", async () => {
  const image = await fitted(wholePng({ width: 300, height: 150 }));
  expect([image.mimeType, image.width, image.height, image.original]).toEqual([
    "image/png",
    100,
    50,
    { width: 300, height: 150 },
  ]);
});

test("TO-05: the limit holds for the base64 text; what is far smaller as a JPEG becomes one", async () => {
  const image = await fitted(wholePng({ width: 100, height: 100 }, "noise"), {
    ...SMALL,
    maxBase64Bytes: 30_000,
  });
  expect([image.mimeType, image.width]).toEqual(["image/jpeg", 100]);
});

test("TO-05: transparency is kept, and what is still too long gets smaller", async () => {
  const data = wholePng({ width: 100, height: 100 }, (index) => Math.imul(index, 2_654_435_761) >>> 0);
  const image = await fitted(data, { ...SMALL, maxBase64Bytes: 20_000 });
  expect(image.mimeType).toBe("image/png");
  expect(image.width).toBeLessThan(100);
});

test("TO-04: a photograph that says how it is to be turned is sent upright", async () => {
  const data = withOrientation(await jpeg(64, 32), 6);
  expect(orientationOf(data)).toBe(6);
  const image = await fitted(data);
  expect([image.mimeType, image.width, image.height]).toEqual(["image/jpeg", 32, 64]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "TO-04: each pixel has its place at orientation %i",
  async (orientation) => {
    // Two by three pixels, row by row; in the order in which the upright image has them.
    const wanted = {
      1: [1, 2, 3, 4, 5, 6],
      2: [2, 1, 4, 3, 6, 5],
      3: [6, 5, 4, 3, 2, 1],
      4: [5, 6, 3, 4, 1, 2],
      5: [1, 3, 5, 2, 4, 6],
      6: [5, 3, 1, 6, 4, 2],
      7: [6, 4, 2, 5, 3, 1],
      8: [2, 4, 6, 1, 3, 5],
    }[orientation];
    const png = pngOfRows(2, [1, 2, 3, 4, 5, 6]);
    const turned = await shrinkImage({
      data: png,
      mimeType: "image/png",
      orientation,
      limits: SMALL,
      signal,
    });
    expect(await rowsOf(turned.data)).toEqual(wanted);
  },
);

test.each([
  { name: "text", data: Buffer.from("GIF89a is a format"), problem: "it is no PNG, JPEG, GIF or WebP" },
  {
    name: "a cut-off file",
    data: wholePng({ width: 9, height: 9 }).subarray(0, 60),
    problem: "it is cut off",
  },
  {
    name: "a bomb",
    data: pngOf({ width: 60_000, height: 60_000 }),
    problem: "60000x60000 pixels are too many to be made smaller here",
  },
  {
    name: "pixels that are none",
    data: pngOf({ width: 300, height: 300 }),
    problem: "it cannot be unpacked (unreachable)",
  },
])("TO-05: $name is a problem, not an image and not a crash", async ({ data, problem }) => {
  expect(await fitImage(data, { limits: SMALL, signal })).toEqual({ problem });
});

test("an abort ends it and is no problem of the image", async () => {
  const controller = new AbortController();
  const work = fitImage(wholePng({ width: 1500, height: 1500 }, "noise"), {
    limits: SMALL,
    signal: controller.signal,
  });
  setImmediate(() => controller.abort(new Error("stopped")));
  await expect(work).rejects.toThrow("stopped");
});

/** An opaque PNG whose pixels have these red values. */
function pngOfRows(width: number, reds: readonly number[]): Buffer {
  return wholePng(
    { width, height: reds.length / width },
    (index) => ((reds[index] ?? 0) * 0x1000000 + 0xff) >>> 0,
  );
}

async function rowsOf(png: Uint8Array): Promise<readonly number[]> {
  const { PhotonImage } = (await import("@silvia-odwyer/photon-node")).default;
  const pixels = PhotonImage.new_from_byteslice(png).get_raw_pixels();
  return Array.from({ length: pixels.length / 4 }, (_, index) => pixels[index * 4] ?? 0);
}
