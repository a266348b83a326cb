import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ImageContent, Message } from "../message.ts";
import type { ImageRule } from "../provider.ts";
import { limitImages } from "./image-limits.ts";
import { imageSize } from "./image-size.ts";

const RULE: ImageRule = {
  mimeTypes: ["image/png"],
  maxImages: 100,
  maxSidePx: 8000,
  manyImages: 20,
  maxSidePxOfMany: 2000,
  maxBase64Bytes: 1000,
  maxTotalBase64Bytes: 100_000,
};

/** The header of a PNG of a given size, with some bytes of data after it. */
function png(widthPx: number, heightPx: number): ImageContent {
  const bytes = Buffer.concat([Buffer.alloc(24), deflateSync(Buffer.alloc(64))]);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.write("IHDR", 12);
  bytes.writeUInt32BE(widthPx, 16);
  bytes.writeUInt32BE(heightPx, 20);
  return { type: "image", data: bytes.toString("base64"), mimeType: "image/png" };
}

const user = (...content: ImageContent[]): Message => ({ role: "user", content, timestamp: 1 });
const imagesOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    typeof message.content === "string" ? [] : message.content.map((part) => part.type === "image"),
  );

test("B132: of more than 20 images one over 2000 px becomes a note; the rest stay", () => {
  const small = Array.from({ length: 20 }, () => user(png(100, 100)));
  const messages = [user(png(2162, 322)), ...small];
  const limited = limitImages(messages, RULE);
  expect(limited.slice(1)).toEqual(small);
  expect(limited[0]?.content).toEqual([
    { type: "text", text: "[An image of 2162 × 322 pixels was here; it is too large to be sent.]" },
  ]);
});

test("B132: up to 20 images the larger limit holds", () => {
  const messages = [user(png(2162, 322)), user(png(8001, 10))];
  expect(imagesOf(limitImages(messages, RULE))).toEqual([true, false]);
});

test("too many images: the oldest go, in steps, so that the next request begins alike", () => {
  const of = (count: number) =>
    imagesOf(
      limitImages(
        Array.from({ length: count }, () => user(png(10, 10))),
        RULE,
      ),
    ).filter(Boolean).length;
  expect([of(100), of(101), of(120), of(121)]).toEqual([100, 81, 100, 81]);
});

test("a model that takes few images keeps the newest ones", () => {
  const messages = Array.from({ length: 6 }, () => user(png(10, 10)));
  expect(imagesOf(limitImages(messages, { ...RULE, maxImages: 5 }))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(imagesOf(limitImages(messages, { ...RULE, maxImages: 1 }))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test("more bytes than a request may have: the oldest go, and a longer history drops the same ones", () => {
  const of = (count: number) => {
    const messages = Array.from({ length: count }, () => user(png(10, 10)));
    const bytes = png(10, 10).data.length;
    const limited = limitImages(messages, { ...RULE, maxTotalBase64Bytes: 8 * bytes });
    expect(limitImages(limited, { ...RULE, maxTotalBase64Bytes: 8 * bytes })).toEqual(limited);
    return imagesOf(limited).filter(Boolean).length;
  };
  expect([of(8), of(9), of(10), of(11), of(12)]).toEqual([8, 6, 7, 8, 6]);
});

const KB = 1000;
test.each([
  { name: "a small one goes for a large one that fits", sizes: [30 * KB, 80 * KB], stay: [false, true] },
  {
    name: "several go for one that fills the request",
    sizes: [30 * KB, 30 * KB, 100 * KB],
    stay: [false, false, true],
  },
  { name: "one that alone is over the limit goes too", sizes: [30 * KB, 101 * KB], stay: [false, false] },
  { name: "what comes after such a one stays", sizes: [101 * KB, 30 * KB], stay: [false, true] },
])("of images by their bytes the newest stays unless it alone is too much: $name", ({ sizes, stay }) => {
  const messages = sizes.map((size) => user({ ...png(10, 10), data: png(10, 10).data.padEnd(size, "A") }));
  const rule = { ...RULE, maxBase64Bytes: 1000 * KB, maxTotalBase64Bytes: 100 * KB };
  expect(imagesOf(limitImages(messages, rule))).toEqual(stay);
});

test("an image that is too long becomes a note and does not count among the others", () => {
  const long = { ...png(10, 10), data: `${png(10, 10).data}${"A".repeat(1000)}` };
  expect(imagesOf(limitImages([user(png(1, 1)), user(long)], { ...RULE, maxImages: 1 }))).toEqual([
    true,
    false,
  ]);
});

test("an image of a type that the model cannot read becomes a note, in results too", () => {
  const result: Message = {
    role: "toolResult",
    toolCallId: "t",
    toolName: "read",
    content: [{ ...png(1, 1), mimeType: "image/bmp" }],
    isError: false,
    timestamp: 1,
  };
  expect(limitImages([result], RULE)[0]?.content).toEqual([
    { type: "text", text: "[An image of type image/bmp was here; this model cannot read it.]" },
  ]);
});

test("without images nothing is copied", () => {
  const messages: Message[] = [{ role: "user", content: "hi", timestamp: 1 }];
  expect(limitImages(messages, RULE)).toBe(messages);
});

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex").toString("base64");
test.each([
  { name: "PNG", data: png(300, 200).data, size: { widthPx: 300, heightPx: 200 } },
  { name: "GIF", data: hex("474946383961 0a00 1400 00"), size: { widthPx: 10, heightPx: 20 } },
  {
    name: "JPEG behind metadata",
    data: hex("ffd8 ffe0 0004 0000 ffc2 0011 08 0014 000a 03"),
    size: { widthPx: 10, heightPx: 20 },
  },
  {
    name: "WebP, lossy",
    data: hex("52494646 00000000 57454250 56503820 00000000 000000 9d012a 0a00 1400"),
    size: { widthPx: 10, heightPx: 20 },
  },
  {
    name: "WebP, lossless",
    data: hex("52494646 00000000 57454250 5650384c 00000000 2f 09c00400"),
    size: { widthPx: 10, heightPx: 20 },
  },
  {
    name: "WebP, extended",
    data: hex("52494646 00000000 57454250 56503858 00000000 00000000 090000 130000"),
    size: { widthPx: 10, heightPx: 20 },
  },
  { name: "a cut header", data: hex("89504e47 0d0a"), size: undefined },
  { name: "something else", data: hex("00".repeat(64)), size: undefined },
])("the size of $name", ({ data, size }) => {
  expect(imageSize(data)).toEqual(size);
});
