import { crc32, deflateSync } from "node:zlib";
import type { ImageSize } from "../text/image-size.ts";

/** A PNG without pixels: a signature, IHDR, an IDAT and IEND, checksums left out. */
export function pngOf({ width, height }: ImageSize): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", Buffer.from("x")),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A JPEG of an APP0, a frame header, a scan and the end. */
export function jpegOf({ width, height }: ImageSize): Buffer {
  const frame = Buffer.from("ffc00011080000000003012200021101031101", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from("ffd8ffe000104a46494600010101004800480000", "hex"),
    frame,
    Buffer.from("ffda000c03010002110311003f0000ffd9", "hex"),
  ]);
}

/** A GIF with a comment and one image without pixels. */
export function gifOf({ width, height }: ImageSize): Buffer {
  const screen = Buffer.from("00000000800000000000ffffff", "hex");
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  return Buffer.concat([
    Buffer.from("GIF89a"),
    screen,
    Buffer.from("21fe0468657921002c00000000010001000002", "hex"),
  ]);
}

/** A WebP of one of the three kinds, headers only. */
export function webpOf(kind: "VP8 " | "VP8L" | "VP8X", { width, height }: ImageSize): Buffer {
  const data = Buffer.alloc(12);
  if (kind === "VP8X") {
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
  } else if (kind === "VP8L") {
    data[0] = 0x2f;
    data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  } else {
    data.set([0x9d, 0x01, 0x2a], 3);
    data.writeUInt16LE(width, 6);
    data.writeUInt16LE(height, 8);
  }
  const head = Buffer.from("RIFF\0\0\0\0WEBP----\x0c\0\0\0", "latin1");
  head.writeUInt32LE(head.length + data.length - 8, 4);
  head.write(kind, 12, "latin1");
  return Buffer.concat([head, data]);
}

/**
 * A PNG that can be unpacked. `colour` is that of all pixels (0xRRGGBBAA), or of the one with an index, row by row; noise
 * is what no packing makes small.
 */
export function wholePng(
  { width, height }: ImageSize,
  colour: number | "noise" | ((index: number) => number) = 0x336699ff,
): Buffer {
  let state = 1;
  const noise = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state | 0xff) >>> 0;
  };
  const colourAt = typeof colour === "function" ? colour : colour === "noise" ? noise : () => colour;
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let index = 0; index < width * height; index++) {
    // Each row begins with a byte that says how it is filtered.
    rows.writeUInt32BE(colourAt(index), index * 4 + Math.floor(index / width) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, with an alpha channel.
  header.set([8, 6], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A whole JPEG with an Exif segment that says how it is to be turned. */
export function withOrientation(jpeg: Uint8Array, orientation: number): Buffer {
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from("Exif\0\0"), tiff]);
  const head = Buffer.from("ffe10000", "hex");
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
