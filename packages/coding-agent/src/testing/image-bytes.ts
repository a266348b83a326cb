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
