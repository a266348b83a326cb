/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What a look at an image's structure tells: its size, or in a few words what is broken. */
export type ImageCheck = ImageSize | { readonly problem: string };

const CUT_OFF = { problem: "it is cut off" } as const;

/** Looks at the headers of a whole image file of a type that `detectImageType` names; pixels are not decoded. */
export function checkImage(data: Uint8Array, mimeType: string): ImageCheck {
  const check = CHECKS[mimeType];
  if (check === undefined) return { problem: `${mimeType} is not a known format` };
  const found = check(data, new DataView(data.buffer, data.byteOffset, data.byteLength));
  if ("problem" in found || (found.width > 0 && found.height > 0)) return found;
  return { problem: `its size is ${found.width}x${found.height} pixels` };
}

/** The size that the first bytes of an image name, whatever the rest is; undefined when they do not reach that far. */
export function sizeInHead(head: Uint8Array, mimeType: string): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    if (mimeType === "image/png") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (mimeType === "image/gif") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (mimeType === "image/jpeg") return jpegSize(view);
    const size = webpSize(head, view);
    return "problem" in size ? undefined : size;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    if (isStartOfFrame(view.getUint8(at + 1))) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
  }
  return undefined;
}

type Check = (data: Uint8Array, view: DataView) => ImageCheck;

const CHECKS: Readonly<Record<string, Check>> = {
  "image/png": checkPng,
  "image/jpeg": checkJpeg,
  "image/gif": checkGif,
  "image/webp": checkWebp,
};

/** A signature, then chunks of length, type, data and checksum, IHDR first and IEND last (PNG 3rd edition, 5.2-5.6). */
function checkPng(data: Uint8Array, view: DataView): ImageCheck {
  if (data.length < 33) return CUT_OFF;
  if (ascii(data, 12, 16) !== "IHDR") return { problem: "it has no IHDR header" };
  let hasData = false;
  for (let at = 8; at + 12 <= data.length; at += 12 + view.getUint32(at)) {
    const type = ascii(data, at + 4, at + 8);
    if (type === "IDAT") hasData = true;
    if (type !== "IEND") continue;
    return hasData
      ? { width: view.getUint32(16), height: view.getUint32(20) }
      : { problem: "it has no image data" };
  }
  return CUT_OFF;
}

/** Segments of marker, length and data; a start of frame holds the size, a start of scan the data (ITU-T T.81, annex B). */
function checkJpeg(data: Uint8Array, view: DataView): ImageCheck {
  let size: ImageSize | undefined;
  for (let at = 2; at + 2 <= data.length; ) {
    // Bytes between segments are passed over, as decoders do.
    if (data[at] !== 0xff) {
      at++;
      continue;
    }
    const marker = data[at + 1] ?? 0;
    // Bytes of 0xff may fill the space before a marker; 0x01 and the restart markers stand alone.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === 0xda) {
      if (size === undefined) return { problem: "it has no frame header" };
      return hasJpegEnd(data.subarray(at)) ? size : CUT_OFF;
    }
    if (marker === 0xd9) return { problem: "it has no image data" };
    if (at + 4 > data.length) return CUT_OFF;
    if (isStartOfFrame(marker) && at + 9 <= data.length) {
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return CUT_OFF;
}

function hasJpegEnd(data: Uint8Array): boolean {
  for (let at = data.length - 2; at >= 0; at--) if (data[at] === 0xff && data[at + 1] === 0xd9) return true;
  return false;
}

function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The logical screen, then blocks; at least one image (0x2c) among them (GIF89a specification, 1990). */
function checkGif(data: Uint8Array, view: DataView): ImageCheck {
  let at = 13 + tableBytes(data[10] ?? 0);
  // Extensions: a label, then sub-blocks up to an empty one.
  while (data[at] === 0x21) {
    at += 2;
    while (at < data.length && data[at] !== 0) at += 1 + (data[at] ?? 0);
    at++;
  }
  if (data[at] === 0x3b) return { problem: "it has no image data" };
  if (data[at] !== 0x2c || at + 11 > data.length) return CUT_OFF;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** A RIFF of the length it says (but for a byte of padding), and one of three first chunks (WebP container specification; RFC 6386, 9.1). */
function checkWebp(data: Uint8Array, view: DataView): ImageCheck {
  if (data.length < 30 || data.length + 1 < view.getUint32(4, true) + 8) return CUT_OFF;
  return webpSize(data, view);
}

function webpSize(data: Uint8Array, view: DataView): ImageCheck {
  const kind = ascii(data, 12, 16);
  if (kind === "VP8X") return { width: 1 + uint24(data, 24), height: 1 + uint24(data, 27) };
  if (kind === "VP8L") {
    if (data[20] !== 0x2f) return { problem: "its VP8L header is broken" };
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (data[23] !== 0x9d || data[24] !== 0x01 || data[25] !== 0x2a)
    return { problem: "its VP8 header is broken" };
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

function uint24(data: Uint8Array, at: number): number {
  return (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16);
}

function ascii(data: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...data.subarray(start, end));
}
