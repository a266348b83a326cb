import fc from "fast-check";
import { expect, test } from "vitest";
import { gifOf, jpegOf, pngOf, webpOf } from "../testing/image-bytes.ts";
import { checkImage } from "./image-size.ts";

const size = { width: 640, height: 480 };

const IMAGES = [
  { name: "png", data: pngOf(size), type: "image/png" },
  { name: "jpeg", data: jpegOf(size), type: "image/jpeg" },
  { name: "gif", data: gifOf(size), type: "image/gif" },
  { name: "webp, lossy", data: webpOf("VP8 ", size), type: "image/webp" },
  { name: "webp, lossless", data: webpOf("VP8L", size), type: "image/webp" },
  { name: "webp, extended", data: webpOf("VP8X", size), type: "image/webp" },
];

test.each(IMAGES)("$name: the size is in its headers, also inside a larger buffer", ({ data, type }) => {
  expect(checkImage(data, type)).toEqual(size);
  expect(checkImage(Buffer.concat([Buffer.from("xyz"), data]).subarray(3), type)).toEqual(size);
});

test.each(IMAGES)("$name: one that is cut off anywhere is no image", ({ data, type }) => {
  for (let length = 0; length < data.length - 1; length++) {
    expect(checkImage(data.subarray(0, length), type)).toEqual({ problem: expect.any(String) });
  }
});

test.each(IMAGES)("$name: any bytes get an answer", ({ type }) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      expect(checkImage(data, type)).toBeTypeOf("object");
    }),
  );
});

test("what is broken is named", () => {
  const png = pngOf(size);
  expect(checkImage(pngOf({ width: 0, height: 5 }), "image/png")).toEqual({
    problem: "its size is 0x5 pixels",
  });
  expect(checkImage(png.subarray(0, 8), "image/png")).toEqual({ problem: "it is cut off" });
  expect(
    checkImage(Buffer.concat([png.subarray(0, 8), Buffer.alloc(4), png.subarray(8)]), "image/png"),
  ).toEqual({
    problem: "it has no IHDR header",
  });
  expect(checkImage(Buffer.from("ffd8ffe00002ffd9", "hex"), "image/jpeg")).toEqual({
    problem: "it has no image data",
  });
});
